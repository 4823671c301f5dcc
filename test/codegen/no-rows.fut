-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- A reduction of no rows is the neutral row, which a kernel makes.
-- RUN: echo 'empty([0][3]i32)' | ferry run %s --device sim --plan soacs-on-device | FileCheck %s --check-prefix=NONE
-- RUN: echo 'empty([0][3]i32)' | ferry run %s --device host | FileCheck %s --check-prefix=NONE
-- RUN: echo '[[1, 2, 3], [4, 5, 6]]' | ferry run %s --device sim --plan soacs-on-device | FileCheck %s --check-prefix=TWO

-- NONE: [7i32, 7i32, 7i32]
-- TWO: [5i32, 7i32, 9i32]
entry main [n] [m] (xss: [n][m]i32) : [m]i32 = if n == 0 then reduce (map2 (+)) (replicate m 7) xss else reduce (map2 (+)) (replicate m 0) xss
