// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/price/locations.h"
#include "sdfg/price/price.h"

#include <array>
#include <string>
#include <vector>

/// \file
/// Two graphs as they are written, side by side.
namespace ferry {

struct PricedGraph {
  std::string file;
  std::vector<sdfg::ContainerPlace> containers;
  sdfg::GraphPrice price;
};

/// For people: where each container is, what each operation and each copy costs, and what makes the difference.
std::string comparisonText(const std::array<PricedGraph, 2> &graphs);

/// The same as one JSON object: `files`, `containers`, `work` and `copies`, with what each of the two has in a list of
/// two (null where it has none), `price`. Times in microseconds.
std::string comparisonJson(const std::array<PricedGraph, 2> &graphs);

} // namespace ferry
