// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/calibration_programs.h"

namespace ferry {

const char *const calibrationText = R"(
entry stream [n] (xs: [n]f32) : [n]f32 = map (\x -> x * 2 + 1) xs
entry add [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (+) xs ys
entry squares (n: i64) : [n]i64 = map (\i -> i * i) (iota n)
entry total [n] (xs: [n]f32) : f32 = f32.sum xs
entry most [n] (xs: [n]i64) : i64 = i64.maximum xs
entry neighbours [n] (xs: [n]f64) : [n]f64 =
  map (\i -> (xs[i64.max 0 (i - 1)] + 2 * xs[i] + xs[i64.min (n - 1) (i + 1)]) / 4) (iota n)
entry gather [n] (xs: [n]f64) (is: [n]i64) : [n]f64 = map (\i -> xs[i]) is
entry sums [n] (xs: [n]i64) : [n]i64 = scan (+) 0 xs
entry turned [n] [m] (xss: [n][m]f32) : [m][n]f32 = map (map (* 2)) (transpose xss)
entry product [n] (xss: [n][n]f64) (yss: [n][n]f64) : [n][n]f64 =
  map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (transpose yss)) xss
entry cubic [n] (xs: [n]f64) : [n]f64 = map (\x -> ((x * 3 + 1) * x - 2) * x + 5) xs
entry parity [n] (xs: [n]i64) : [n]i64 = map (\x -> loop y = x for i < 300i64 do y ^ (i & 1)) xs
entry climb [n] (xs: [n]i64) : [n]i64 = map (\x -> loop y = x for i < 100i64 do y + (x & i)) xs
entry mix [n] (xs: [n]i64) : [n]i64 = map (\x -> loop y = x for i < 100i64 do (y ^ i) * 3 + (y >> 7)) xs
entry bend [n] (xs: [n]f32) : [n]f32 = map (\x -> loop y = x for _i < 200i32 do y * 0.5 + 1) xs
entry roots [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.sqrt (f64.exp x + 1)) xs
entry chain_float [n] (xs: [n]f64) : f64 = loop y = 0 for x in xs do y * 0.5 + x
entry chain_whole [n] (xs: [n]i64) : i64 = loop y = 1 for x in xs do (y * 3 + x) % 1009
entry chain_choice [n] (xs: [n]i64) : i64 = loop y = 1 for x in xs do if y > x then y - x else y + 2
entry chain_array [n] (xs: *[n]i64) : [n]i64 = loop xs for i < n - 1 do xs with [i + 1] = xs[i] * 3 + 1
)";

std::span<const CalibrationProgram> calibrationPrograms() {
  // As long as arrays of programs are that go from kernel to kernel, in caches mostly, and some that caches do not
  // hold.
  constexpr int64_t small = int64_t{1} << 14, middle = int64_t{1} << 17, large = int64_t{1} << 20;
  static const std::vector<CalibrationProgram> programs = {
      {"stream", {small, middle, large}},
      {"add", {small, middle, large}},
      {"squares", {small, middle, large}},
      {"total", {middle, large}},
      {"most", {small, large}},
      {"neighbours", {small, middle}},
      {"gather", {small, large}},
      {"sums", {small, middle}},
      {"turned", {small, large}},
      {"product", {small, middle}},
      {"cubic", {small, middle}},
      {"parity", {small, middle}},
      {"climb", {small, middle}},
      {"mix", {small}},
      {"bend", {small}},
      {"roots", {small}},
      {"chain_float", {middle}, true},
      {"chain_whole", {middle}, true},
      {"chain_choice", {middle}, true},
      {"chain_array", {middle}, true, 16},
  };
  return programs;
}

} // namespace ferry
