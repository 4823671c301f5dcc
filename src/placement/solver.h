// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/rules.h"
#include "placement/solve.h"

namespace ferry::placement {

/// Internal: solves a well-formed graph under one more requirement, without verifying. Throws Failure and Overflow.
Plan solveUnder(const Graph &graph, const Machine &machine, const Options &options,
                const std::optional<Requirement> &requirement);

/// Internal: only the price, `scaled` by ScaledFrequencies::factor undone; empty if the requirement cannot be met.
std::optional<Rational> priceUnder(const Graph &graph, const Machine &machine, const Requirement &requirement);

} // namespace ferry::placement
