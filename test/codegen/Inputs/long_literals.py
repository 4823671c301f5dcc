# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that compares long literals with what they should be."""

N = 40
for kind in ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"]:
    least = {"i": -20, "u": 0, "f": -20}[kind[0]]
    print(f"def xs_{kind} = [{', '.join(f'{i}{kind}' if i >= 0 else f'-{-i}{kind}' for i in range(least, least + N))}]")
    print(f"def ok_{kind} = and (map2 (==) xs_{kind} (map (\\i -> {kind}.i64 (i + {least})) (iota {N})))".replace("+ -", "- "))
print(f"def xs_bool = [{', '.join('true' if i % 3 == 0 else 'false' for i in range(N))}]")
print(f"def ok_bool = and (map2 (==) xs_bool (map (\\i -> i % 3 == 0) (iota {N})))")
names = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"]
print(f"entry main (k: i64) = ({', '.join(f'ok_{name}' for name in names)}, i64.sum (map (\\i -> let ys = copy xs_i64 with [i] = k in ys[i] - ys[i + 1] + i64.i8 xs_i8[i + 17]) (iota k)))")
