// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CMake makes a precompiled header only for a target that compiles something.
