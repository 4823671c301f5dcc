-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- What is assumed counts where the arguments do not say it: sizes of parameters by their names, and numbers. A wrong assumption gives a dearer plan, and the same results.
-- RUN: ferry explain %s --assume n=5 | FileCheck %s --check-prefix=SMALL
-- RUN: ferry explain %s --assume n=1000000 | FileCheck %s --check-prefix=LARGE
-- RUN: ferry explain %s -e rows --assume n=1000 --assume m=1000 | FileCheck %s --check-prefix=LARGE
-- RUN: ferry explain %s -e rows --assume n=1000 --assume m=1 | FileCheck %s --check-prefix=SMALL
-- RUN: ferry explain %s -e pairs --assume n=1000000 | FileCheck %s --check-prefix=LARGE
-- RUN: ferry explain %s -e number --assume k=1000000 | FileCheck %s --check-prefix=LARGE
-- RUN: ferry explain %s -e number --assume k=2 | FileCheck %s --check-prefix=SMALL
-- RUN: echo '[1, 2, 3]' | ferry run %s --assume n=1000000 --explain 2>&1 | FileCheck %s --check-prefix=KNOWN
-- RUN: echo '2i64' | ferry run %s -e number --assume k=1000000 --explain 2>&1 | FileCheck %s --check-prefix=KNOWN

-- SMALL: map{{.*}}: host
-- LARGE: map{{.*}}: device
-- KNOWN: 0 launches
entry main [n] (xs: [n]f32) : [n]f32 = map (\x -> loop y = x for _i < 200i32 do y * 0.5 + 1) xs
entry rows [n] [m] (xss: [n][m]f32) : [n][m]f32 = map (map (\x -> loop y = x for _i < 200i32 do y * 0.5 + 1)) xss
entry pairs [n] (xs: [n](f32, f32)) : [n]f32 = map (\(x, z) -> loop y = x for _i < 200i32 do y * z + 1) xs
entry number (k: i64) : [k]f32 = map (\i -> loop y = f32.i64 i for _i < 200i32 do y * 0.5 + 1) (iota k)
