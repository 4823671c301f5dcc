-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Every operation that makes an array, in a function marked as host code, between two maps on the device: the argument comes over at once,
-- everything that the function makes is in host memory, the result goes back at once. With and without #[noinline].
-- RUN: sed 's/#\[noinline\] //' %s > %t.inlined.fut
-- RUN: sh %S/Inputs/each_entry.sh %s %s %t CHANGES COUNTS
-- RUN: sh %S/Inputs/each_entry.sh %t.inlined.fut %s %t CHANGES COUNTS

-- CHANGES:     array.launch
-- CHANGES:     array.transfer {{.*}}side<device>> -> {{.*}}side<host>>
-- CHANGES-NOT: side<device>
-- CHANGES:     array.transfer {{.*}}side<host>> -> {{.*}}side<device>>
-- CHANGES:     array.launch
-- CHANGES:     array.transfer {{.*}}side<device>> -> {{.*}}side<host>>
-- CHANGES-NOT: array.launch
-- CHANGES:     return
-- COUNTS: 1 uploads {{.*}}, 2 downloads {{.*}}, 0 peeks, 0 pokes, 2 launches

def before (n: i64) : [n]i64 = map (\i -> i * 7 % 11) (iota n)
def after [n] (xs: [n]i64) : [n]i64 = map (\x -> x * 3 + 1) xs

#[noinline] #[cpu_function]
def by_map [n] (xs: [n]i64) : [n]i64 = map (\x -> x * x - 1) xs
entry map_ (n: i64) = after (by_map (before n))

#[noinline] #[cpu_function]
def by_scan [n] (xs: [n]i64) : [n]i64 = scan (+) 0 xs
entry scan_ (n: i64) = after (by_scan (before n))

#[noinline] #[cpu_function]
def by_iota [n] (xs: [n]i64) : [n]i64 = map2 (+) xs (reverse (iota n))
entry iota_ (n: i64) = after (by_iota (before n))

#[noinline] #[cpu_function]
def by_replicate [n] (xs: [n]i64) : [n]i64 = scatter (replicate n 7) (map (* 2) xs) xs
entry replicate_ (n: i64) = after (by_replicate (before n))

#[noinline] #[cpu_function]
def by_scatter [n] (xs: [n]i64) : [n]i64 = scatter (copy xs) (map (+ 1) xs) (reverse xs)
entry scatter_ (n: i64) = after (by_scatter (before n))

#[noinline] #[cpu_function]
def by_hist [n] (xs: [n]i64) : [11]i64 = reduce_by_index (replicate 11 0) (+) 0 xs (indices xs)
entry reduce_by_index_ (n: i64) = after (by_hist (before n))

#[noinline] #[cpu_function]
def by_transpose [n] (xs: [n]i64) : []i64 = flatten (transpose (map (\x -> [x, x + 1]) xs))
entry transpose_ (n: i64) = after (by_transpose (before n))

#[noinline] #[cpu_function]
def by_unflatten [n] (xs: [n]i64) : []i64 = map i64.sum (unflatten (concat xs xs :> [2 * n]i64))
entry unflatten_ (n: i64) = after (by_unflatten (before n))

#[noinline] #[cpu_function]
def by_concat [n] (xs: [n]i64) : []i64 = concat xs (map (+ 1) xs)
entry concat_ (n: i64) = after (by_concat (before n))

#[noinline] #[cpu_function]
def by_reverse [n] (xs: [n]i64) : [n]i64 = reverse xs -- a view of the argument
entry reverse_ (n: i64) = after (by_reverse (before n))

#[noinline] #[cpu_function]
def by_copy [n] (xs: [n]i64) : [n]i64 = copy (scan i64.max 0 xs)
entry copy_ (n: i64) = after (by_copy (before n))

#[noinline] #[cpu_function]
def by_filter [n] (xs: [n]i64) : []i64 = filter (> 3) xs
entry filter_ (n: i64) = after (by_filter (before n))

#[noinline] #[cpu_function]
def by_update [n] (xs: [n]i64) : [n]i64 = loop ys = copy xs for i < n / 2 do ys with [2 * i] = ys[i] + i
entry update_ (n: i64) = after (by_update (before n))

#[noinline] #[cpu_function]
def by_slice [n] (xs: [n]i64) : []i64 = let ys = map (+ 1) xs in ys[n / 2:]
entry slice_ (n: i64) = after (by_slice (before n))

#[noinline] #[cpu_function]
def by_slice_update [n] (xs: [n]i64) : [n]i64 = let ys = reverse xs in (copy xs) with [0:n / 2] = ys[0:n / 2]
entry slice_update_ (n: i64) = after (by_slice_update (before n))

#[noinline] #[cpu_function]
def by_unzip [n] (xs: [n]i64) : [n]i64 = let (ys, zs) = unzip (map (\x -> (x, x + 1)) (reverse xs)) in map2 (*) ys (reverse zs)
entry unzip_ (n: i64) = after (by_unzip (before n))

#[noinline] #[cpu_function]
def by_loop [n] (xs: [n]i64) : [n]i64 = loop ys = xs for i < 3 do map (+ i) (reverse ys)
entry loop_ (n: i64) = after (by_loop (before n))

#[noinline] #[cpu_function]
def by_while [n] (xs: [n]i64) : [n]i64 = (loop (ys, i) = (copy xs, 0) while i < 3 do (scan (+) i ys, i + 1)).0
entry while_ (n: i64) = after (by_while (before n))

#[noinline] #[cpu_function]
def by_if [n] (xs: [n]i64) : [n]i64 = if n % 2 == 0 then map (* 2) xs else reverse xs
entry if_ (n: i64) = after (by_if (before n))

#[noinline] #[cpu_function]
def by_row_reduce [n] (xs: [n]i64) : [2]i64 = reduce (map2 (+)) [0, 0] (map (\x -> [x, x * x]) xs)
entry row_reduce_ (n: i64) = after (by_row_reduce (before n))

#[noinline] #[cpu_function]
def by_literal [n] (xs: [n]i64) : []i64 = [i64.sum xs, i64.maximum xs]
entry literal_ (n: i64) = after (by_literal (before n))

-- Calls nest, marked in marked and unmarked in marked.
def unmarked [n] (xs: [n]i64) : [n]i64 = map (\x -> x % 5) xs
#[noinline] #[cpu_function]
def inner [n] (xs: [n]i64) : [n]i64 = scan (+) 0 (unmarked xs)
#[noinline] #[cpu_function]
def by_calls [n] (xs: [n]i64) : [n]i64 = inner (map (+ 1) (inner xs))
entry calls_ (n: i64) = after (by_calls (before n))
