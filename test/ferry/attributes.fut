-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- A slip in an attribute's name is told, once; attributes that are nobody's here, or that Futhark has, say nothing.
-- RUN: ferry check %s 2>&1 | FileCheck %s --match-full-lines
-- RUN: ferry check %s 2>&1 | grep -c warning | FileCheck %s --check-prefix=COUNT
-- COUNT: 2

#[cpu_funtion] #[noinline]
def total [n] (xs: [n]f32) : f32 = loop sum = 0 for x in xs do sum + x

#[my_tool] #[no_inline]
def twice (x: f32) : f32 = x + x

entry main [n] (xs: [n]f32) : f32 =
  total (#[sequential] #[flattening(no_outer)] #[trace(here)] map twice xs)

-- CHECK: {{.*}}attributes.fut:7:3: warning: there is no attribute 'cpu_funtion', so it says nothing
-- CHECK: hint: did you mean 'cpu_function'?
-- CHECK: {{.*}}attributes.fut:10:14: warning: there is no attribute 'no_inline', so it says nothing
-- CHECK: hint: did you mean 'noinline'?
