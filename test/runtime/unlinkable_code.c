// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that calls what is nowhere.

int nowhereToBeFound(int);
int caller(int x) { return nowhereToBeFound(x) + 1; }
