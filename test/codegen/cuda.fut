-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: ferry emit %s --device cuda --plan soacs-on-device --stage ptx | FileCheck %s --check-prefixes=CHECK,OLD
-- RUN: ferry emit %s --device cuda --plan soacs-on-device --stage ptx --arch sm_90 | FileCheck %s --check-prefixes=CHECK,NEW
-- RUN: ferry emit %s --device cuda --plan soacs-on-device --stage ptx --arch sm_987 | FileCheck %s --check-prefix=NEWEST
-- RUN: ferry emit %s -e halves --device cuda --plan soacs-on-device --stage ptx | FileCheck %s --check-prefix=HALF
-- RUN: env FERRY_LIBDEVICE=/none ferry emit %s -e exact --device cuda --plan soacs-on-device --stage ptx | FileCheck %s --check-prefix=EXACT
-- RUN: ferry emit %s -e library --device cuda --plan soacs-on-device --stage ptx | FileCheck %s --check-prefix=LIBRARY
-- RUN: not env FERRY_LIBDEVICE=/none ferry emit %s -e library --device cuda --plan soacs-on-device --stage ptx 2>&1 | FileCheck %s --check-prefix=NONE
-- RUN: echo '[1f64]' | not env FERRY_LIBDEVICE=/none ferry run %s -e library --device cuda --plan soacs-on-device 2>&1 | FileCheck %s --check-prefix=NONE
-- RUN: ferry emit %s -e checked --device cuda --plan soacs-on-device --stage ptx | FileCheck %s --check-prefix=CHECKED
-- RUN: not ferry emit %s --device sim --stage ptx 2>&1 | FileCheck %s --check-prefix=DEVICE
-- RUN: not ferry emit %s --device sim --stage llvm --arch sm_90 2>&1 | FileCheck %s --check-prefix=ARCH
-- RUN: not ferry emit %s --device cuda --stage ptx --arch sm_20 2>&1 | FileCheck %s --check-prefix=OLDEST
--
-- The PTX of kernels: for which GPU it is, what a thread does, which functions are instructions and which libdevice's.

-- OLD: .target sm_80
-- NEW: .target sm_90
-- NEWEST: .target sm_1{{[0-9]+$}}
-- CHECK: .visible .entry main_{{[0-9]+}}(
-- CHECK: .maxntid 256
-- CHECK: mov.u32 {{.*}}, %ctaid.x;
-- A product and a sum are not one operation, unless the program says so.
-- CHECK: ld.global.b32
-- CHECK: mul.rn.f32
-- CHECK-NEXT: add.rn.f32
-- CHECK: st.global.b32
entry main (xs: []f32) : []f32 =
  map (\x -> x * 3 + 1) xs

-- HALF: mul.{{(rn.)?}}f16
entry halves (xs: []f16) : []f16 =
  map (* 1.5) xs

-- EXACT-NOT: __nv_
-- EXACT-DAG: sqrt.rn.f64
-- EXACT-DAG: div.rn.f64
-- EXACT-DAG: fma.rn.f64
-- EXACT-DAG: cvt.rmi.f64.f64
entry exact (xs: []f64) : []f64 =
  map (\x -> f64.sqrt x / f64.fma x x 2 + f64.floor x + f64.abs x + f64.max x 1) xs

-- LIBRARY-NOT: __nv_exp
-- LIBRARY: fma.rn.f64
-- NONE: cuda.fut:[[#@LINE+4]]:{{[0-9]+}}: error: this function on a CUDA device needs NVIDIA's libdevice, which is not here: install
-- NONE-SAME: FERRY_LIBDEVICE
-- NONE-NOT: error:
entry library (xs: []f64) : []f64 =
  map (\x -> f64.exp x) xs

-- A thread that fails leaves what failed, under a lock, and ends.
-- CHECKED: .visible .entry
-- CHECKED: call.uni ferry_leave
-- CHECKED: .func ferry_leave
-- CHECKED: .noreturn
-- CHECKED: atom.acquire.gpu.global.cas.b32
-- CHECKED: st.volatile.global.b64
-- CHECKED: fence.{{.*}}.gpu
-- CHECKED-NEXT: atom{{.*}}.exch.b32
-- CHECKED-NEXT: exit;
entry checked [n] (xs: [n]i64) : []i64 =
  map (\x -> xs[x]) xs

-- DEVICE: ferry: error: --stage ptx is of a device with kernels in PTX: say --device cuda
-- ARCH: ferry: error: --arch is of a device with kernels in PTX: say --device cuda
-- OLDEST: ferry: error: --arch: 'sm_20' is no GPU that Ferry makes PTX for; sm_80 and sm_90 are some, sm_70 the least
