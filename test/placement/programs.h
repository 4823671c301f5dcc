// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/problem.h"

#include <cstdint>

namespace ferry::placement::test {

/// A small random problem that uses every feature of the engine; the same one for the same seed. Well-formed, but it
/// may be infeasible. `scale` multiplies the number of statements and arrays.
Problem randomProblem(std::uint64_t seed, unsigned scale = 1);

} // namespace ferry::placement::test
