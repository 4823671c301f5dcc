// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/value_graph.h"

#include <vector>

namespace ferry::placement {

/// Internal: how one array's value flows, to be reduced to what its placement depends on. Cleared and used again for
/// the next array.
class ArrayFlow {
public:
  struct Node {
    PointId point = kNone;
    RegionId region = kNone;
    bool kept = false; ///< Not to be reduced away.
    bool alive = true;
    std::uint32_t firstIn = kNone, firstOut = kNone;
    std::uint32_t ins = 0, outs = 0;
  };
  struct Link {
    std::uint32_t from = kNone, to = kNone;
    EdgeId early = kNone, late = kNone; ///< As ValueGraph::Link.
    bool alive = true;
    std::uint32_t nextIn = kNone, previousIn = kNone, nextOut = kNone, previousOut = kNone;
  };

  ArrayFlow(const Shape &shape, const ScaledFrequencies &frequencies) : shape(shape), frequencies(frequencies) {}

  void clear();
  std::uint32_t addNode(PointId point, RegionId region, bool kept);
  void addLink(std::uint32_t from, std::uint32_t to, EdgeId early, EdgeId late);
  /// Leaves out nodes that are not kept, as long as no plan gets dearer by it, nor its copies deeper: those with one
  /// way in or one way out, and cycles through nothing else.
  void reduce();

  std::vector<Node> nodes;
  std::vector<Link> links;

private:
  /// One end of a link: the node there, and the list of its links.
  struct End {
    std::uint32_t Link::*node, Link::*next, Link::*previous;
    std::uint32_t Node::*first, Node::*count;
  };
  static constexpr End kOut = {&Link::from, &Link::nextOut, &Link::previousOut, &Node::firstOut, &Node::outs};
  static constexpr End kIn = {&Link::to, &Link::nextIn, &Link::previousIn, &Node::firstIn, &Node::ins};
  void attach(std::uint32_t link, std::uint32_t node, const End &end);
  void detach(std::uint32_t link, const End &end);
  void remove(std::uint32_t link);
  void again(std::uint32_t node) {
    if (!nodes[node].kept)
      work.push_back(node);
  }
  void reduceNode(std::uint32_t id);
  void cut(std::uint32_t id);
  void join(std::uint32_t id, std::uint32_t first, std::uint32_t second);
  void joinMany(std::uint32_t id, std::uint32_t single, bool down);

  unsigned depth(std::uint32_t link) const { return shape.depthOf(links[link].late); }
  Wide frequency(std::uint32_t link) const { return frequencies.edges[links[link].late]; }

  const Shape &shape;
  const ScaledFrequencies &frequencies;
  std::vector<std::uint32_t> work; ///< Nodes to be looked at.
};

} // namespace ferry::placement
