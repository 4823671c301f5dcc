-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: ferry emit %s --device sim --plan soacs-on-device --stage buffers | FileCheck %s
-- RUN: ferry emit %s -e scalar --device sim --plan soacs-on-device --stage buffers | FileCheck %s --check-prefix=SCALAR
-- RUN: ferry emit %s -e nothing --device sim --plan soacs-on-device --stage buffers | FileCheck %s --check-prefix=NOTHING
--
-- Downloads are awaited where the array is first used; if there is nothing to do until then, at once.

#[cpu_function]
def mixed (n: i64) : i64 = loop s = 5 for i < n do (s * 31 + i) % 1000003

-- CHECK-LABEL: llvm.func @ferry_entry_main
-- CHECK:       llvm.call @ferry_rt_launch
-- CHECK:       llvm.call @ferry_rt_download_later(%arg0, [[YS:%[0-9]+]],
-- CHECK:       scf.for
-- CHECK-NOT:   llvm.store [[YS]]
-- CHECK:       llvm.call @ferry_rt_await(%arg0, [[YS]])
-- CHECK:       llvm.store [[YS]]
entry main (xs: []i64) (n: i64) : ([]i64, i64) =
  let ys = map (\x -> x * x + 1) xs
  in (ys, mixed n)

-- SCALAR-LABEL: llvm.func @ferry_entry_scalar
-- SCALAR:       llvm.call @ferry_rt_download_later(%arg0, [[S:%[0-9]+]],
-- SCALAR:       scf.for
-- SCALAR:       llvm.call @ferry_rt_await(%arg0, [[S]])
-- SCALAR-NEXT:  llvm.load [[S]]
entry scalar (xs: []i64) (n: i64) : i64 =
  let s = i64.sum xs
  let t = mixed n
  in s + t

-- NOTHING-LABEL: llvm.func @ferry_entry_nothing
-- NOTHING-NOT:   ferry_rt_await
-- NOTHING:       llvm.call @ferry_rt_download(
-- NOTHING-NOT:   ferry_rt_await
entry nothing (xs: []i64) : []i64 =
  map (+ 1) xs
