// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One array at a time: only the regions that touch it are entered, straight lines are skipped from one use to the next,
// and what is left of nodes without a use is reduced away: those with one way in and one way out, cycles through
// nothing else, and branches whose arms do nothing. Work is proportional to the points of the regions an array is used
// in.
#include "placement/value_graph.h"

#include "placement/failure.h"

#include <algorithm>
#include <unordered_map>

namespace ferry::placement {

namespace {

/// A straight line of points within one region, without renames.
struct Block {
  RegionId region = kNone;
  std::vector<PointId> points;
};

struct Blocks {
  std::vector<Block> blocks;
  std::vector<std::uint32_t> of, position; ///< By point.

  Blocks(const Graph &graph, const Shape &shape) {
    of.assign(graph.points.size(), kNone);
    position.assign(graph.points.size(), 0);
    auto follows = [&](PointId point) -> PointId { // the one point that comes before in the same straight line
      if (shape.in(point).size() != 1)
        return kNone;
      const Edge &edge = graph.edges[shape.in(point)[0]];
      bool straight = edge.renames.empty() && shape.out(edge.from).size() == 1 &&
                      graph.points[edge.from].region == graph.points[point].region;
      return straight ? edge.from : kNone;
    };
    for (PointId start = 0; start < graph.points.size(); ++start) {
      if (follows(start) != kNone)
        continue;
      Block block;
      block.region = graph.points[start].region;
      for (PointId point = start;;) {
        of[point] = static_cast<std::uint32_t>(blocks.size());
        position[point] = static_cast<std::uint32_t>(block.points.size());
        block.points.push_back(point);
        if (shape.out(point).size() != 1)
          break;
        PointId next = graph.edges[shape.out(point)[0]].to;
        if (follows(next) != point)
          break;
        point = next;
      }
      blocks.push_back(std::move(block));
    }
  }
};

} // namespace

/// Builds one array's nodes and links at a time in arrays that are used again for the next.
class ValueGraph::Builder {
public:
  Builder(const Graph &graph, const Shape &shape, const ScaledFrequencies &frequencies, ValueGraph &result)
      : graph(graph), shape(shape), frequencies(frequencies), result(result), blocks(graph, shape) {
    children.resize(graph.regions.size() + 1);
    members.resize(graph.regions.size() + 1);
    for (RegionId region = 0; region < graph.regions.size(); ++region)
      children[slotOf(graph.regions[region].parent)].push_back(region);
    for (std::uint32_t block = 0; block < blocks.blocks.size(); ++block)
      members[slotOf(blocks.blocks[block].region)].push_back(block);
    regionMark.assign(graph.regions.size() + 1, kNone);
    regionNode.assign(graph.regions.size(), kNone);
    firstNode.assign(blocks.blocks.size(), kNone);
    lastNode.assign(blocks.blocks.size(), kNone);
    collectUses();
  }

  void run() {
    for (ArrayId array = 0; array < graph.arrays.size(); ++array)
      if (!uses[array].empty())
        build(array);
    linkRenames();
  }

private:
  struct LocalNode {
    PointId point = kNone;
    RegionId region = kNone;
    std::uint32_t firstIn = kNone, firstOut = kNone;
    std::uint32_t ins = 0, outs = 0;
    std::uint32_t index = kNone; ///< In the result.
    bool kept = false;
    bool alive = true;
  };
  struct LocalLink {
    Link link;
    std::uint32_t nextIn = kNone, previousIn = kNone, nextOut = kNone, previousOut = kNone;
    bool alive = true;
  };

  static std::size_t slotOf(RegionId region) { return region == kNone ? 0 : region + 1; }
  static std::uint64_t key(PointId point, ArrayId array) { return (static_cast<std::uint64_t>(point) << 32) | array; }

  /// Points by array, in block order: each use once.
  void collectUses() {
    uses.resize(graph.arrays.size());
    std::vector<std::vector<ArrayId>> renamed(graph.points.size());
    for (const Edge &edge : graph.edges)
      for (const Rename &rename : edge.renames)
        for (PointId point : {edge.from, edge.to})
          for (ArrayId array : {rename.destination, rename.source})
            renamed[point].push_back(array);
    auto use = [&](ArrayId array, PointId point) {
      if (uses[array].empty() || uses[array].back() != point)
        uses[array].push_back(point);
    };
    for (const Block &block : blocks.blocks)
      for (PointId id : block.points) {
        const Point &point = graph.points[id];
        for (const Read &read : point.reads)
          use(read.array, id);
        for (const Write &write : point.writes)
          use(write.array, id);
        for (ArrayId array : renamed[id]) {
          use(array, id);
          renames.emplace(key(id, array), kNone);
        }
        if (point.kind == PointKind::Entry || point.kind == PointKind::Exit)
          for (ArrayId array = 0; array < graph.arrays.size(); ++array)
            if (point.kind == PointKind::Entry ? graph.arrays[array].argument : graph.arrays[array].result)
              use(array, id);
      }
  }

  std::uint32_t addNode(PointId point, RegionId region) {
    nodes.push_back({point, region});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }

  void addLink(std::uint32_t from, std::uint32_t to, EdgeId early, EdgeId late) {
    std::uint32_t id = static_cast<std::uint32_t>(links.size());
    links.push_back({{from, to, early, late, false}});
    attachOut(id, from);
    attachIn(id, to);
  }
  void attachOut(std::uint32_t id, std::uint32_t from) {
    links[id].link.from = from;
    links[id].previousOut = kNone;
    links[id].nextOut = nodes[from].firstOut;
    if (nodes[from].firstOut != kNone)
      links[nodes[from].firstOut].previousOut = id;
    nodes[from].firstOut = id;
    ++nodes[from].outs;
  }
  void attachIn(std::uint32_t id, std::uint32_t to) {
    links[id].link.to = to;
    links[id].previousIn = kNone;
    links[id].nextIn = nodes[to].firstIn;
    if (nodes[to].firstIn != kNone)
      links[nodes[to].firstIn].previousIn = id;
    nodes[to].firstIn = id;
    ++nodes[to].ins;
  }
  void detachOut(std::uint32_t id) {
    LocalLink &link = links[id];
    (link.previousOut == kNone ? nodes[link.link.from].firstOut : links[link.previousOut].nextOut) = link.nextOut;
    if (link.nextOut != kNone)
      links[link.nextOut].previousOut = link.previousOut;
    --nodes[link.link.from].outs;
  }
  void detachIn(std::uint32_t id) {
    LocalLink &link = links[id];
    (link.previousIn == kNone ? nodes[link.link.to].firstIn : links[link.previousIn].nextIn) = link.nextIn;
    if (link.nextIn != kNone)
      links[link.nextIn].previousIn = link.previousIn;
    --nodes[link.link.to].ins;
  }
  void removeLink(std::uint32_t id) {
    detachOut(id);
    detachIn(id);
    links[id].alive = false;
  }

  void build(ArrayId array) {
    nodes.clear();
    links.clear();
    regions.clear();
    mark(kNone, array);
    for (PointId point : uses[array])
      for (RegionId region = graph.points[point].region; regionMark[slotOf(region)] != array;
           region = graph.regions[region].parent)
        mark(region, array);
    addUses(array);
    for (RegionId region : regions) {
      for (std::uint32_t block : members[slotOf(region)])
        if (firstNode[block] == kNone)
          firstNode[block] = lastNode[block] = addNode(blocks.blocks[block].points.front(), region);
      for (RegionId child : children[slotOf(region)])
        if (regionMark[slotOf(child)] != array)
          regionNode[child] = addNode(graph.edges[shape.entries(child)[0]].to, region);
    }
    for (RegionId region : regions) {
      for (std::uint32_t block : members[slotOf(region)])
        for (EdgeId edge : shape.out(blocks.blocks[block].points.back()))
          addEdge(edge, array);
      for (RegionId child : children[slotOf(region)])
        if (regionMark[slotOf(child)] != array)
          for (EdgeId edge : shape.exits(child))
            addEdge(edge, array);
      if (region != kNone && graph.regions[region].parallel)
        nodes[nodeAt(graph.edges[shape.entries(region)[0]].to, array, true)].kept = true;
    }
    reduce();
    keep(array);
    for (RegionId region : regions)
      for (std::uint32_t block : members[slotOf(region)])
        firstNode[block] = kNone;
  }

  void mark(RegionId region, ArrayId array) {
    regionMark[slotOf(region)] = array;
    regions.push_back(region);
  }

  /// The chains of used points within their blocks, with a node at each end of a block for the edges that meet or part
  /// there.
  void addUses(ArrayId array) {
    const std::vector<PointId> &points = uses[array];
    for (std::size_t i = 0; i < points.size();) {
      std::uint32_t id = blocks.of[points[i]];
      const Block &block = blocks.blocks[id];
      std::uint32_t last = kNone;
      PointId lastPoint = kNone;
      auto chain = [&](PointId point, bool kept) {
        std::uint32_t node = addNode(point, block.region);
        nodes[node].kept = kept;
        if (last == kNone)
          firstNode[id] = node;
        else
          addLink(last, node, shape.out(lastPoint)[0], shape.in(point)[0]);
        last = node;
        lastPoint = point;
      };
      if (blocks.position[points[i]] != 0)
        chain(block.points.front(), false);
      for (; i < points.size() && blocks.of[points[i]] == id; ++i)
        chain(points[i], true);
      if (lastPoint != block.points.back())
        chain(block.points.back(), false);
      lastNode[id] = last;
    }
  }

  /// The node of an array that stands for a point at the start (or end) of a block.
  std::uint32_t nodeAt(PointId point, ArrayId array, bool start) {
    RegionId region = graph.points[point].region, outermost = kNone;
    while (regionMark[slotOf(region)] != array) {
      outermost = region;
      region = graph.regions[region].parent;
    }
    if (outermost != kNone)
      return regionNode[outermost];
    return start ? firstNode[blocks.of[point]] : lastNode[blocks.of[point]];
  }

  void addEdge(EdgeId id, ArrayId array) {
    const Edge &edge = graph.edges[id];
    for (const Rename &rename : edge.renames)
      if (rename.destination == array)
        return;
    addLink(nodeAt(edge.from, array, false), nodeAt(edge.to, array, true), id, id);
  }

  void reduce() {
    std::vector<std::uint32_t> &work = worklist;
    work.clear();
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
      if (!nodes[node].kept)
        work.push_back(node);
    while (!work.empty()) {
      std::uint32_t node = work.back();
      work.pop_back();
      if (nodes[node].alive && !nodes[node].kept)
        reduceNode(node);
    }
  }

  void again(std::uint32_t node) {
    if (!nodes[node].kept)
      worklist.push_back(node);
  }

  void reduceNode(std::uint32_t id) {
    for (std::uint32_t link = nodes[id].firstOut, next; link != kNone; link = next) {
      next = links[link].nextOut;
      if (links[link].link.to == id) // through nothing back to itself
        removeLink(link);
    }
    LocalNode &node = nodes[id];
    if (node.ins == 0 || node.outs == 0) { // undefined before, or nothing follows
      while (nodes[id].firstOut != kNone) {
        again(links[nodes[id].firstOut].link.to);
        removeLink(nodes[id].firstOut);
      }
      while (nodes[id].firstIn != kNone) {
        again(links[nodes[id].firstIn].link.from);
        removeLink(nodes[id].firstIn);
      }
      nodes[id].alive = false;
    } else if (node.ins == 1 && node.outs == 1) {
      join(id, node.firstIn, node.firstOut);
    } else if (node.ins == 1) {
      joinBranch(id, node.firstIn, true);
    } else if (node.outs == 1) {
      joinBranch(id, node.firstOut, false);
    }
  }

  unsigned depthOf(std::uint32_t link) const { return shape.depth(shape.inside(links[link].link.late)); }
  Wide frequencyOf(std::uint32_t link) const { return frequencies.edges[links[link].link.late]; }

  /// Two links in a row become one: the one passed less often (where a dead end, or an undefined start, was left out
  /// between them) if it is no deeper; of equally frequent ones the less deep.
  void join(std::uint32_t id, std::uint32_t first, std::uint32_t second) {
    Link &a = links[first].link;
    const Link &b = links[second].link;
    bool rarer = frequencyOf(second) < frequencyOf(first), asOften = frequencyOf(second) == frequencyOf(first);
    unsigned depthA = depthOf(first), depthB = depthOf(second);
    if (!asOften && (rarer ? depthB > depthA : depthA > depthB))
      return;
    if (rarer || (asOften && depthA > depthB)) {
      a.early = b.early;
      a.late = b.late;
    } else if (asOften && depthA == depthB) {
      a.late = b.late;
    }
    std::uint32_t to = b.to, from = a.from;
    detachIn(first);
    removeLink(second);
    attachIn(first, to);
    nodes[id].alive = false;
    again(from);
    again(to);
  }

  /// A node whose links on one side all lead to the same node is one link to it: the node's single one on the other
  /// side, if that is no deeper.
  void joinBranch(std::uint32_t id, std::uint32_t single, bool down) {
    std::uint32_t other = kNone;
    Wide sum = 0;
    for (std::uint32_t link = down ? nodes[id].firstOut : nodes[id].firstIn; link != kNone;
         link = down ? links[link].nextOut : links[link].nextIn) {
      std::uint32_t end = down ? links[link].link.to : links[link].link.from;
      if ((other != kNone && end != other) || depthOf(single) > depthOf(link))
        return;
      other = end;
      sum = addChecked(sum, frequencyOf(link));
    }
    if (sum != frequencyOf(single))
      return;
    while ((down ? nodes[id].firstOut : nodes[id].firstIn) != kNone)
      removeLink(down ? nodes[id].firstOut : nodes[id].firstIn);
    if (down) {
      detachIn(single);
      attachIn(single, other);
      again(links[single].link.from);
    } else {
      detachOut(single);
      attachOut(single, other);
      again(links[single].link.to);
    }
    again(other);
    nodes[id].alive = false;
  }

  /// What is left goes to the result.
  void keep(ArrayId array) {
    for (LocalNode &local : nodes) {
      if (!local.alive)
        continue;
      local.index = static_cast<std::uint32_t>(result.nodes.size());
      if (local.kept)
        if (auto at = renames.find(key(local.point, array)); at != renames.end())
          at->second = local.index;
      Node node;
      node.point = local.point;
      node.array = array;
      node.region = local.region;
      node.kept = local.kept;
      result.nodes.push_back(node);
    }
    for (const LocalLink &local : links)
      if (local.alive)
        result.links.push_back(
            {nodes[local.link.from].index, nodes[local.link.to].index, local.link.early, local.link.late, false});
  }

  void linkRenames() {
    for (EdgeId id = 0; id < graph.edges.size(); ++id)
      for (const Rename &rename : graph.edges[id].renames) {
        Link link;
        link.from = renames.at(key(graph.edges[id].from, rename.source));
        link.to = renames.at(key(graph.edges[id].to, rename.destination));
        link.early = link.late = id;
        link.renames = rename.source != rename.destination;
        result.links.push_back(link);
      }
  }

  const Graph &graph;
  const Shape &shape;
  const ScaledFrequencies &frequencies;
  ValueGraph &result;
  Blocks blocks;
  std::vector<std::vector<RegionId>> children;              ///< By region + 1; 0 is the outside.
  std::vector<std::vector<std::uint32_t>> members;          ///< Blocks directly in it, likewise.
  std::vector<std::vector<PointId>> uses;                   ///< By array.
  std::unordered_map<std::uint64_t, std::uint32_t> renames; ///< Nodes at the ends of renames.

  // The array at hand.
  std::vector<LocalNode> nodes;
  std::vector<LocalLink> links;
  std::vector<RegionId> regions;   ///< That touch it.
  std::vector<ArrayId> regionMark; ///< By region + 1: the last array found to touch it.
  std::vector<std::uint32_t> regionNode, firstNode, lastNode, worklist;
};

ValueGraph::ValueGraph(const Graph &graph, const Shape &shape, const ScaledFrequencies &frequencies) {
  Builder(graph, shape, frequencies, *this).run();
  order(graph);
  connect();
  findLife(graph);
  findLifeOfParts(graph, shape);
  shareInParallelLoops(graph, shape);
  assignSlots();
}

} // namespace ferry::placement
