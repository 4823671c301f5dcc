-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- A reduction of no rows is the neutral row, which a kernel makes.
-- RUN: echo 'empty([0][3]i32)' | ferry run %s --device sim --plan soacs-on-device | FileCheck %s --check-prefix=NONE
-- RUN: echo 'empty([0][3]i32)' | ferry run %s --device host | FileCheck %s --check-prefix=NONE
-- RUN: echo '[[1, 2, 3], [4, 5, 6]]' | ferry run %s --device sim --plan soacs-on-device | FileCheck %s --check-prefix=TWO

-- NONE: [7i32, 7i32, 7i32]
-- TWO: [5i32, 7i32, 9i32]
entry main [n] [m] (xss: [n][m]i32) : [m]i32 = if n == 0 then reduce (map2 (+)) (replicate m 7) xss else reduce (map2 (+)) (replicate m 0) xss

-- Rows that a branch gives, where there is none to look at.
-- RUN: echo 'empty([0]bool) empty([0][3]i32)' | ferry run %s -e chosen --device sim --plan soacs-on-device | FileCheck %s --check-prefix=EMPTY
-- RUN: echo 'empty([0]bool) empty([0][3]i32)' | ferry run %s -e chosen --device host | FileCheck %s --check-prefix=EMPTY
-- RUN: echo '[true, false] [[1, 2, 3], [4, 5, 6]]' | ferry run %s -e chosen --device host | FileCheck %s --check-prefix=CHOSEN
-- EMPTY: empty([0][3]i32)
-- CHOSEN: {{\[}}[2i32, 3i32, 4i32], [8i32, 10i32, 12i32]]
entry chosen [n] [m] (cs: [n]bool) (xss: [n][m]i32) : [n][m]i32 = map2 (\c xs -> if c then map (+ 1) xs else map (* 2) xs) cs xss

-- What an arm that is not taken would give does not count.
-- RUN: echo '[[1, 2, 3], [4, 5, 6]]' | ferry run %s -e other --device host | FileCheck %s --check-prefix=OTHER
-- OTHER: {{\[}}[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]
entry other [n] (xss: [n][3]i32) : [n][3]i32 = map (\xs -> (if xs[0] < 0 then xs[:2] else xs[:3]) :> [3]i32) xss
