-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Arrays that memory cannot hold, or whose bytes no 64 bits can count, are errors at the place that makes them.
-- RUN: echo '1000000000000000000i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=MANY
-- RUN: echo '4611686018427387904i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=WRAPS
-- RUN: echo '3037000500i64 3037000500i64' | not ferry run %s -e square 2>&1 | FileCheck %s --check-prefix=SQUARE
-- RUN: echo '4294967296i64 4294967296i64' | not ferry run %s -e square 2>&1 | FileCheck %s --check-prefix=SQUARE
-- RUN: echo '0i64 4611686018427387904i64' | ferry run %s -e square | FileCheck %s --check-prefix=EMPTY
-- RUN: echo '10i64' | not ferry run %s --device sim --plan all-device --device-memory 39 2>&1 | FileCheck %s --check-prefix=DEVICE
-- RUN: echo '10i64' | ferry run %s --device sim --plan all-device --device-memory 40 | FileCheck %s --check-prefix=FITS
-- On sim the same, under every plan: no size is too large to be planned for.
-- RUN: sh -c 'for plan in auto soacs-on-device all-host; do for n in 1000000000000000000 4611686018427387904 9223372036854775807; do \
-- RUN:   echo $n | ferry run %s --plan $plan --device sim 2>&1; done; done; true' | FileCheck %s --check-prefix=SIM
-- RUN: echo '4294967296i64 4294967296i64' | not ferry run %s -e square --device sim 2>&1 | FileCheck %s --check-prefix=SQUARESIM
-- RUN: echo '[1, 2, 3] 4611686018427387904i64' | not ferry run %s -e part --device sim 2>&1 | FileCheck %s --check-prefix=PART
-- RUN: echo '[1, 2, 3] 9223372036854775807i64' | not ferry run %s -e trips --device sim 2>&1 | FileCheck %s --check-prefix=TRIPS
-- More than there is, but no more than the system would promise. The result is made and never written to.
-- RUN: %python -c "import os; print(os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGESIZE') // 4 * 99 // 100, 'i64', sep='')" \
-- RUN:   | not ferry run %s 2>&1 | FileCheck %s --check-prefix=PROMISED

-- MANY: memory-errors.fut:[[@LINE+11]]:{{[0-9]+}}: error: not enough host memory for {{.*}}: 4000000000000000000 bytes are asked for
-- WRAPS: error: not enough host memory for {{.*}}: more bytes than can be addressed are asked for
-- SQUARE: error: not enough host memory for {{.*}} are asked for
-- EMPTY: empty([0][4611686018427387904]f64)
-- DEVICE: memory-errors.fut:[[@LINE+7]]:{{[0-9]+}}: error: not enough device memory for {{.*}}: 40 bytes are asked for, 39 of 39 are free
-- FITS: [7i32, 7i32, 7i32, 7i32, 7i32, 7i32, 7i32, 7i32, 7i32, 7i32]
-- SIM-COUNT-9: memory-errors.fut:{{[0-9]+:[0-9]+}}: error: not enough {{host|device}} memory for {{.*}} are asked for
-- SQUARESIM: error: not enough {{host|device}} memory for
-- PART: error: Index [0:4611686018427387904] out of bounds for array of shape [3].
-- TRIPS: error: Index [3] out of bounds for array of shape [3].
-- PROMISED: error: not enough host memory for {{.*}} bytes are asked for
entry main (n: i64) : [n]i32 = replicate n 7
entry square (n: i64) (m: i64) : [n][m]f64 = map (\i -> map (\j -> f64.i64 (i * j)) (iota m)) (iota n)
entry part [n] (xs: [n]i32) (k: i64) : []i32 = map (+ 1) (take k xs)
entry trips [n] (xs: [n]i32) (k: i64) : i32 = loop sum = 0 for i < k do sum + xs[i]
