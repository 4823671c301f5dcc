// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace ferry::sdfg {

/// The strongly connected components of a directed graph (Tarjan 1972), in linear time: of each node one node that
/// stands for its component. `next`: the nodes that edges lead to.
std::vector<std::uint32_t> stronglyConnected(const std::vector<std::vector<std::uint32_t>> &next);

} // namespace ferry::sdfg
