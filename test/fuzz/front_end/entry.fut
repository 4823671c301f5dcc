-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
entry main (p: {a: i32, b: (bool, u8)}) = match p.b case (true, v) -> assert (v > 0) (\x -> x.a ** 2i32) p case _ -> 1_000
