-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- An array of records is an array for each field: only the field that the host reads comes down.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

type particle = {at: i64, speed: i64, kind: i32}

def make (i: i64) : particle = {at = work i, speed = work (i + 1) - i, kind = i32.i64 (work (i % 7))}

-- ==
-- entry: main
-- input { 4i64 } output { 66i32 6i64 }
-- input { 0i64 } output { 0i32 0i64 }
--
-- One launch makes the three fields of 10000 records: 8, 8 and 4 bytes each. The kinds, 40000 bytes, come down for the loop; the energy is made by one more
-- launch: 8 bytes.
-- placed auto {10000i64}: uploads 0, downloads 2 of 40008 bytes, peeks 0, pokes 0, launches 2, peak 200000 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 2 of 40008 bytes, peeks 0, pokes 0, launches 2, peak 200000 bytes
entry main (n: i64) : (i32, i64) =
  let particles = map make (iota n)
  let kinds = loop hash = 0i32 for p in particles do (hash * 7 + p.kind) % 1009
  let energy = i64.sum (map (\p -> p.speed * p.speed * work p.at) particles)
  in (kinds, energy)
