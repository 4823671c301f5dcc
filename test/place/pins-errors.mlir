// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not ferry-opt %s -array-place="pin=nobody=host" 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not ferry-opt %s -array-place="pin=left" 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not ferry-opt %s -array-place="plan=/nowhere/plan.json" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not ferry-opt %s -array-place="machine=abacus" 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not ferry-opt %s -array-place="assume=n" 2>&1 | FileCheck %s --check-prefix=ASSUME
// RUN: echo '{"pins": {"r": "left"}}' > %t.json
// RUN: not ferry-opt %s -array-place="plan=%t.json" 2>&1 | FileCheck %s --check-prefix=SIDE
// RUN: echo '{"pins": {"r": "device"}}' > %t.good.json
// RUN: ferry-opt %s -array-place="plan=%t.good.json" | FileCheck %s --check-prefix=PINNED
// RUN: ferry-opt %s -array-place="pin=r=device" | FileCheck %s --check-prefix=PINNED

// NOBODY: error: no operation is called 'nobody', which a pin names; a pin can name 'r'
// FORM: error: pin 'left' is not of the form NAME=host or NAME=device
// FILE: error: /nowhere/plan.json: neither a plan (auto, all-host, all-device, arrays-on-device, soacs-on-device) nor a file
// MACHINE: error: no machine is called 'abacus'
// ASSUME: error: assumption 'n' is not of the form NAME=VALUE
// SIDE: error: {{.*}}.json: pin "r" must be "host" or "device"
// PINNED: array.launch "r"
func.func @entry(%xs: tensor<?xi64>) -> tensor<?xi64> {
  %n = array.dim %xs, 0 : tensor<?xi64>
  %r = array.map (%n) ins(%xs : tensor<?xi64>) {
  ^bb0(%i: i64, %x: i64):
    %y = arith.addi %x, %i : i64
    array.yield %y : i64
  } : tensor<?xi64> loc("r"("f.fut":1:1))
  return %r : tensor<?xi64>
}
