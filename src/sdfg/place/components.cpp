// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A depth-first search with a stack of its own, since chains of nodes may be long. A node stands for the component
// whose nodes are above it on the stack if none of them leads to an earlier one.
#include "sdfg/place/components.h"

#include <algorithm>

namespace ferry::sdfg {

namespace {

class Search {
public:
  explicit Search(const std::vector<std::vector<std::uint32_t>> &next)
      : next(next), found(next.size()), earliest(next.size()), root(next.size(), kOpen) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t start = 0; start < next.size(); ++start)
      if (found[start] == 0)
        from(start);
    return std::move(root);
  }

private:
  static constexpr std::uint32_t kOpen = static_cast<std::uint32_t>(-1);
  struct Step {
    std::uint32_t node = 0;
    std::size_t done = 0; ///< Of its edges.
  };

  void from(std::uint32_t start) {
    std::vector<Step> path;
    enter(path, start);
    while (!path.empty()) {
      auto &[node, done] = path.back();
      if (done < next[node].size()) {
        std::uint32_t to = next[node][done++];
        if (found[to] == 0)
          enter(path, to);
        else if (root[to] == kOpen)
          earliest[node] = std::min(earliest[node], found[to]);
        continue;
      }
      std::uint32_t left = node;
      path.pop_back();
      if (!path.empty())
        earliest[path.back().node] = std::min(earliest[path.back().node], earliest[left]);
      if (earliest[left] == found[left])
        close(left);
    }
  }

  void enter(std::vector<Step> &path, std::uint32_t node) {
    earliest[node] = found[node] = ++count;
    open.push_back(node);
    path.push_back({node, 0});
  }

  void close(std::uint32_t node) {
    std::uint32_t member;
    do {
      member = open.back();
      open.pop_back();
      root[member] = node;
    } while (member != node);
  }

  const std::vector<std::vector<std::uint32_t>> &next;
  std::vector<std::uint32_t> found;    ///< When the search came to a node, from 1; 0: not yet.
  std::vector<std::uint32_t> earliest; ///< The earliest open node that it leads to.
  std::vector<std::uint32_t> root;
  std::vector<std::uint32_t> open; ///< Nodes whose components are not known.
  std::uint32_t count = 0;
};

} // namespace

std::vector<std::uint32_t> stronglyConnected(const std::vector<std::vector<std::uint32_t>> &next) {
  return Search(next).run();
}

} // namespace ferry::sdfg
