-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
entry main [n] (xs: [n]f32) : f32 = reduce (+) 0 (map (\x -> x * x + 1) xs)
