-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- An entry point that is defined as a function takes what the function takes.
-- RUN: ferry-lower-test %s sum > %t && echo '[1, 2, 3]' | ferry-interpret %t sum | FileCheck %s --check-prefix=SUM
-- RUN: ferry-lower-test %s scaled > %t && echo '2 [1, 2]' | ferry-interpret %t scaled | FileCheck %s --check-prefix=SCALED
-- RUN: ferry-lower-test %s repeated > %t && echo '2 7' | ferry-interpret %t repeated | FileCheck %s --check-prefix=REPEATED
-- RUN: ferry-lower-test %s added > %t && echo '[1, 2] [3]' | not ferry-interpret %t added 2>&1 | FileCheck %s --check-prefix=ADDED
-- RUN: ferry-lower-test %s replace > %t && echo '[1, 2] 5' | ferry-interpret %t replace | FileCheck %s --check-prefix=REPLACE
-- RUN: ferry-lower-test %s replace | FileCheck %s --check-prefix=UNIQUE
-- RUN: ferry-lower-test %s folded > %t && echo '2 3 [1, 2, 3, 4, 5, 6]' | ferry-interpret %t folded | FileCheck %s --check-prefix=FOLDED

-- SUM: 6i32
entry sum = reduce (+) 0i32

-- SCALED: [2i64, 4i64]
entry scaled (k: i64) = map (* k)

-- REPEATED: [7i32, 7i32]
entry repeated : (n: i64) -> i32 -> [n]i32 = replicate

-- ADDED: error
entry added = map2 (i32.+)

-- REPLACE: [5i32, 2i32]
-- UNIQUE: func.func @replace(%{{.*}}: tensor<?xi32> {array.unique}
def set (xs: *[]i32) (x: i32) = xs with [0] = x
entry replace = set

-- Sizes may be made from the other arguments.
-- FOLDED: {{\[}}[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]
entry folded (n: i64) (m: i64) (xs: [n * m]i32) = unflatten xs :> [n][m]i32
