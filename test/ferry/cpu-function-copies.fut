-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- When the arguments and results of functions marked as host code cross the bus.
-- RUN: echo 1000i64 | ferry run %s -e argument_in_a_loop --plan soacs-on-device --explain 2>&1 | FileCheck %s --check-prefix=ONCE
-- RUN: echo 1000i64 | ferry run %s -e result_in_a_loop --plan soacs-on-device --explain 2>&1 | FileCheck %s --check-prefix=UP
-- RUN: echo 1000i64 | ferry run %s -e result_for_the_host --plan soacs-on-device --explain 2>&1 | FileCheck %s --check-prefix=STAYS
-- RUN: echo 1000i64 | ferry run %s -e result_in_an_arm --plan soacs-on-device --explain 2>&1 | FileCheck %s --check-prefix=STAYS
-- RUN: echo 1000i64 | ferry run %s -e chained --plan soacs-on-device --explain 2>&1 | FileCheck %s --check-prefix=CHAINED
-- RUN: echo 1000i64 | ferry run %s -e under_a_map --plan soacs-on-device --explain 2>&1 | FileCheck %s --check-prefix=IGNORED

def before (n: i64) : [n]i64 = map (\i -> i * 7 % 11) (iota n)

#[cpu_function]
def total [n] (xs: [n]i64) (k: i64) : i64 = loop sum = k for x in xs do sum * 3 % 1001 + x

-- The argument does not change: it comes over before the loop, once.
-- ONCE: 0 uploads (0 bytes), 1 downloads (8000 bytes), 0 peeks, 0 pokes, 1 launches
entry argument_in_a_loop (n: i64) : i64 = let xs = before n in loop sum = 0 for i < 10 do sum + total xs i

#[cpu_function]
def numbers (n: i64) : [n]i64 = scan (+) 0 (iota n)

-- The device reads the result in every iteration: it goes over once, before the loop.
-- UP: 1 uploads (8000 bytes), 1 downloads (8000 bytes), 0 peeks, 0 pokes, {{[0-9]+}} launches
entry result_in_a_loop (n: i64) : [n]i64 =
  let xs = numbers n in loop ys = before n for i < 10 do map2 (\x y -> (x + y + i) % 1001) xs ys

-- Nothing on the device reads the result.
-- STAYS: 0 uploads (0 bytes), {{[01]}} downloads ({{(0|8000)}} bytes), 0 peeks, 0 pokes
entry result_for_the_host (n: i64) : ([n]i64, [n]i64) = (before n, numbers n)

-- Only the arm that is not taken reads it on the device.
entry result_in_an_arm (n: i64) : i64 =
  let xs = numbers n in if n > 5000 then i64.sum (map (\x -> x * x) xs) else total xs 1

#[cpu_function]
def changed [n] (xs: [n]i64) : [n]i64 = loop ys = copy xs for i < n do ys with [i] = ys[i] + ys[(i * 7) % n]

-- One marked function's result is the next one's argument: it stays on the host between them.
-- CHAINED: 1 uploads (8000 bytes), 2 downloads (16000 bytes), 0 peeks, 0 pokes, 2 launches
entry chained (n: i64) : [n]i64 = map (+ 1) (changed (changed (changed (before n))))

#[cpu_function]
def twice (x: i64) : i64 = x * 2

-- IGNORED: cpu-function-copies.fut:[[@LINE+2]]:{{[0-9]+}}: warning: `#[cpu_function]` on `twice` is ignored here: it is called inside a parallel operation
-- IGNORED: 0 uploads (0 bytes), 1 downloads (8000 bytes), 0 peeks, 0 pokes, 1 launches
entry under_a_map (n: i64) : [n]i64 = map (\x -> twice x) (iota n)
