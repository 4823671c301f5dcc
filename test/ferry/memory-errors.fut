-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Arrays that memory cannot hold, or whose bytes no 64 bits can count, are errors at the place that makes them.
-- RUN: echo '1000000000000000000i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=MANY
-- RUN: echo '4611686018427387904i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=WRAPS
-- RUN: echo '3037000500i64 3037000500i64' | not ferry run %s -e square 2>&1 | FileCheck %s --check-prefix=SQUARE
-- RUN: echo '4294967296i64 4294967296i64' | not ferry run %s -e square 2>&1 | FileCheck %s --check-prefix=SQUARE
-- RUN: echo '0i64 4611686018427387904i64' | ferry run %s -e square | FileCheck %s --check-prefix=EMPTY
-- RUN: echo '10i64' | not ferry run %s --device sim --plan all-device --device-memory 39 2>&1 | FileCheck %s --check-prefix=DEVICE
-- RUN: echo '10i64' | ferry run %s --device sim --plan all-device --device-memory 40 | FileCheck %s --check-prefix=FITS
-- RUN: echo '1000000000000000000i64' | not ferry run %s --device sim 2>&1 | FileCheck %s --check-prefix=SIM
-- More than there is, but no more than the system would promise. The result is made and never written to.
-- RUN: %python -c "import os; print(os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGESIZE') // 4 * 99 // 100, 'i64', sep='')" \
-- RUN:   | not ferry run %s 2>&1 | FileCheck %s --check-prefix=PROMISED

-- MANY: memory-errors.fut:[[@LINE+9]]:{{[0-9]+}}: error: not enough host memory for {{.*}}: 4000000000000000000 bytes are asked for
-- WRAPS: error: not enough host memory for {{.*}}: more bytes than can be addressed are asked for
-- SQUARE: error: not enough host memory for {{.*}} are asked for
-- EMPTY: empty([0][4611686018427387904]f64)
-- DEVICE: memory-errors.fut:[[@LINE+5]]:{{[0-9]+}}: error: not enough device memory for {{.*}}: 40 bytes are asked for, 39 of 39 are free
-- FITS: [7i32, 7i32, 7i32, 7i32, 7i32, 7i32, 7i32, 7i32, 7i32, 7i32]
-- SIM: memory-errors.fut:[[@LINE+3]]:{{[0-9]+}}: error:
-- SIM-NOT: see current operation
-- PROMISED: error: not enough host memory for {{.*}} bytes are asked for
entry main (n: i64) : [n]i32 = replicate n 7
entry square (n: i64) (m: i64) : [n][m]f64 = map (\i -> map (\j -> f64.i64 (i * j)) (iota m)) (iota n)
