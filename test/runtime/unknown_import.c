// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that asks for a function that the run-time does not have.

struct {
  const char *name;
  void *address;
} ferry_imports[] = {{"ferry_rt_nothing", 0}, {0, 0}};
