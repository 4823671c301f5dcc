-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Operations on large arrays are cut into chunks for all cores, and the chunks' loops are vectorised.
-- RUN: ferry emit %s -e map_ --stage llvm-ir | FileCheck %s --check-prefixes=ONCE,VECTOR
-- RUN: ferry emit %s -e reduce_ --stage llvm-ir | FileCheck %s --check-prefixes=ONCE,VECTOR
-- RUN: ferry emit %s -e rows --stage llvm-ir | FileCheck %s --check-prefixes=TWICE,VECTOR
-- RUN: ferry emit %s -e row_reduce --stage llvm-ir | FileCheck %s --check-prefixes=ROWS,VECTOR
-- RUN: ferry emit %s -e row_histogram --stage llvm-ir | FileCheck %s --check-prefixes=ROWS,VECTOR
-- RUN: ferry emit %s -e histogram --stage llvm-ir | FileCheck %s --check-prefixes=ROWS,VECTOR
-- RUN: ferry emit %s -e filter_ --stage llvm-ir | FileCheck %s --check-prefix=ROWS
-- RUN: ferry emit %s -e scan_ --stage llvm-ir | FileCheck %s --check-prefix=ROWS

-- ONCE:     call void @ferry_rt_parallel_for
-- ONCE-NOT: call void @ferry_rt_parallel_for
-- TWICE:    call void @ferry_rt_parallel_for(ptr %{{[0-9]+}}, ptr nonnull @[[OVER:[a-z_]+_chunk_[0-9]+]]
-- TWICE:    call void @ferry_rt_parallel_for(ptr %{{[0-9]+}}, ptr nonnull @[[INSIDE:[a-z_]+_chunk_[0-9]+]]
-- ROWS:     call void @ferry_rt_parallel_for
-- ROWS:     call void @ferry_rt_parallel_for
-- VECTOR:   define internal void @{{[a-z_]+}}_chunk_
-- VECTOR:   <{{[0-9]+}} x {{double|i64}}>
entry map_ [n] (xs: [n]f64) : [n]f64 = map (\x -> x * 2 + 1) xs
entry reduce_ [n] (xs: [n]f64) : f64 = reduce (+) 0 xs

-- Over the rows, each by one thread; and, for few rows that are long, inside of each.
entry rows [n] [m] (xss: [n][m]f64) : [n]f64 = map (reduce (+) 0) xss

entry row_reduce [n] [m] (xss: [n][m]f64) : [m]f64 = reduce (map2 (+)) (replicate m 0) xss
entry row_histogram [n] [m] (is: [n]i64) (xss: [n][m]f64) : [8][m]f64 = reduce_by_index (replicate 8 (replicate m 0)) (map2 (+)) (replicate m 0) is xss
entry histogram [n] (k: i64) (is: [n]i64) : [k]i64 = reduce_by_index (replicate k 0) (+) 0 is (map (const 1) is)
entry filter_ [n] (xs: [n]f64) : []f64 = filter (> 0.5) xs
entry scan_ [n] (xs: [n]f64) : [n]f64 = scan (+) 0 xs
