-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: ferry emit %s --device opencl --plan soacs-on-device --stage opencl | FileCheck %s
-- RUN: ferry emit %s -e halves --device opencl --plan soacs-on-device --stage opencl | FileCheck %s --check-prefix=HALF
-- RUN: ferry emit %s -e bytes --device opencl --plan soacs-on-device --stage opencl | FileCheck %s --check-prefix=BYTE
-- RUN: not ferry emit %s -e bytes --device sim --stage opencl 2>&1 | FileCheck %s --check-prefix=NONE
--
-- The text of kernels: where each is from, what is used of the prelude.

-- CHECK: #pragma OPENCL EXTENSION cl_khr_fp64 : enable
-- CHECK: #pragma OPENCL FP_CONTRACT OFF
-- CHECK-NOT: half
-- CHECK-NOT: ferry_alloc
-- CHECK: // {{.*}}opencl.fut:[[#@LINE+4]]:3
-- CHECK-NEXT: __kernel void main_{{[0-9]+}}(
-- CHECK: double [[X:x[0-9]+]] = *(__global double *)
entry main (xs: []f64) : []f64 =
  map (* 2) xs

-- HALF-NOT: cl_khr_fp64
-- HALF: float ferry_half(float x)
-- HALF: vload_half(0, (const __global half *)
-- HALF: ferry_half({{.*}} * 1.5f)
-- HALF: vstore_half_rte(
entry halves (xs: []f16) : []f16 =
  map (* 1.5) xs

-- BYTE-NOT: cl_khr_fp64
-- BYTE: *(__global char *)
-- BYTE: (char)((uchar){{.*}} + (uchar){{.*}})
entry bytes (xs: []u8) : []u8 =
  map (+ 250) xs

-- NONE: ferry: error: --stage opencl is of a device with kernels in OpenCL C: say --device opencl
