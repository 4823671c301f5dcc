// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One array at a time. Its uses, in the order of the graph's straight lines, open the lines that hold them and those
// around: only what an array is used in, or leads there, is ever looked at. What else of nodes is made, at the ends of
// lines, is then reduced away as far as it can be (array_flow.h).
#include "placement/array_flow.h"
#include "placement/lines.h"
#include "placement/value_graph.h"

#include <algorithm>
#include <unordered_map>

namespace ferry::placement {

class ValueGraph::Builder {
public:
  Builder(const Graph &graph, const Shape &shape, const ScaledFrequencies &frequencies, ValueGraph &result)
      : graph(graph), shape(shape), result(result), lines(graph, shape), borders(graph.regions.size() + 1),
        flow(shape, frequencies), regionMark(graph.regions.size(), kNone), firstNode(lines.lines.size(), kNone),
        lastNode(lines.lines.size(), kNone) {
    for (EdgeId id = 0; id < graph.edges.size(); ++id) {
      const Edge &edge = graph.edges[id];
      ends.push_back({lines.of(edge.from).line, lines.of(edge.to).line, !edge.renames.empty()});
      if (!lines.within(id))
        borders[slotOf(shape.inside(id))].push_back(id);
    }
    collectUses();
  }

  void run() {
    for (ArrayId array = 0; array < graph.arrays.size(); ++array)
      if (useStart[array] != useStart[array + 1])
        build(array);
    linkRenames();
  }

private:
  /// A line that the array is used in, up to the last use so far.
  struct Open {
    std::uint32_t line = kNone;
    Lines::Item item = kNone;   ///< The last one with a use; kNone if none has one yet.
    std::uint32_t node = kNone; ///< The node to go on from; kNone if `item` is a region.
  };
  /// The lines that an edge's ends lie directly in.
  struct Ends {
    std::uint32_t from, to;
    bool renames;
  };
  /// A link within a line. Where an end is kNone it is inside a region, at the far end of the edge there.
  struct Step {
    std::uint32_t from, to;
    EdgeId early, late;
  };

  /// In firstNode: the line starts with a region that the array is used in.
  static constexpr std::uint32_t kInside = 0xfffffffeu;

  static std::size_t slotOf(RegionId region) { return region == kNone ? 0 : region + 1; }
  static std::uint64_t key(PointId point, ArrayId array) { return (static_cast<std::uint64_t>(point) << 32) | array; }

  /// Points by array, each once, in the order of the lines.
  void collectUses() {
    std::vector<std::vector<ArrayId>> renamed(graph.points.size());
    for (const Edge &edge : graph.edges)
      for (const Rename &rename : edge.renames)
        for (PointId point : {edge.from, edge.to})
          for (ArrayId array : {rename.destination, rename.source})
            renamed[point].push_back(array);
    std::vector<PointId> last(graph.arrays.size(), kNone);
    auto each = [&](const auto &visit) {
      std::fill(last.begin(), last.end(), kNone);
      auto use = [&](ArrayId array, PointId id) {
        if (last[array] != id)
          visit(array, id);
        last[array] = id;
      };
      for (PointId id : lines.order) {
        const Point &point = graph.points[id];
        for (const Read &read : point.reads)
          use(read.array, id);
        for (const Write &write : point.writes)
          use(write.array, id);
        for (ArrayId array : renamed[id])
          use(array, id);
        if (point.kind == PointKind::Entry || point.kind == PointKind::Exit)
          for (ArrayId array = 0; array < graph.arrays.size(); ++array)
            if (point.kind == PointKind::Entry ? graph.arrays[array].argument : graph.arrays[array].result)
              use(array, id);
      }
    };
    useStart.assign(graph.arrays.size() + 1, 0);
    each([&](ArrayId array, PointId) { ++useStart[array + 1]; });
    for (std::size_t i = 0; i < graph.arrays.size(); ++i)
      useStart[i + 1] += useStart[i];
    uses.resize(useStart.back());
    std::vector<std::uint32_t> at(useStart);
    each([&](ArrayId array, PointId id) { uses[at[array]++] = id; });
    for (PointId id = 0; id < graph.points.size(); ++id)
      for (ArrayId array : renamed[id])
        renames.emplace(key(id, array), kNone);
  }

  void build(ArrayId array) {
    flow.clear();
    regions = {kNone};
    steps.clear();
    for (std::uint32_t i = useStart[array]; i < useStart[array + 1]; ++i) {
      while (!stack.empty() && lines.rank[uses[i]] >= lines.lines[stack.back().line].end)
        close();
      std::uint32_t line = lines.of(uses[i]).line;
      open(line, array);
      pass(uses[i], flow.addNode(uses[i], lines.lines[line].region, true));
    }
    while (!stack.empty())
      close();
    for (RegionId region : regions)
      for (std::uint32_t line : lines.in(region))
        if (firstNode[line] == kNone)
          firstNode[line] = lastNode[line] = flow.addNode(lines.lines[line].firstPoint, region, false);
    for (const Step &step : steps)
      flow.addLink(step.from == kNone ? nodeAtEnd(step.early, array) : step.from,
                   step.to == kNone ? nodeAtStart(step.late, array) : step.to, step.early, step.late);
    for (RegionId region : regions) {
      for (EdgeId edge : borders[slotOf(region)])
        border(edge, array);
      if (region != kNone && graph.regions[region].parallel)
        flow.nodes[nodeAtStart(shape.entries(region)[0], array)].kept = true;
    }
    flow.reduce();
    keep(array);
    for (RegionId region : regions)
      for (std::uint32_t line : lines.in(region))
        firstNode[line] = kNone;
  }

  /// Opens a line and the lines around it that are not open yet.
  void open(std::uint32_t line, ArrayId array) {
    std::size_t depth = stack.size();
    for (std::uint32_t around = line; depth == 0 || around != stack[depth - 1].line;) {
      stack.push_back({around, kNone, kNone});
      RegionId region = lines.lines[around].region;
      if (region == kNone)
        break;
      around = lines.lines[around].around;
    }
    std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(depth), stack.end());
    for (std::size_t i = depth; i < stack.size(); ++i) {
      RegionId region = lines.lines[stack[i].line].region;
      if (region != kNone && regionMark[region] != array) {
        regionMark[region] = array;
        regions.push_back(region);
      }
      if (region != kNone && i > 0)
        passAt(i - 1, lines.item(region), kNone);
    }
  }

  /// Goes on to an item with a use in the innermost open line: to the node of it, or to a region.
  void pass(Lines::Item item, std::uint32_t node) { passAt(stack.size() - 1, item, node); }
  void passAt(std::size_t level, Lines::Item item, std::uint32_t node) {
    Open &line = stack[level];
    if (line.item == item)
      return; // another line of the same region
    const Lines::Spot &spot = lines.of(item);
    bool starts = spot.position == 0;
    if (line.item == kNone && !starts) {
      const Lines::Line &all = lines.lines[line.line];
      line.item = all.first;
      line.node = firstNode[line.line] = flow.addNode(all.firstPoint, all.region, false);
    } else if (line.item == kNone) {
      firstNode[line.line] = node == kNone ? kInside : node;
    }
    if (!starts)
      steps.push_back({line.node, node, lines.of(line.item).out, spot.in});
    line.item = item;
    line.node = node;
  }

  void close() {
    const Lines::Line &all = lines.lines[stack.back().line];
    if (stack.back().item != all.last)
      pass(all.last, flow.addNode(all.lastPoint, all.region, false));
    lastNode[stack.back().line] = stack.back().node;
    stack.pop_back();
  }

  /// The nodes that stand for an edge's ends, if it does not lead from one item of a line to the next.
  std::uint32_t nodeAtStart(EdgeId edge, ArrayId array) const { return firstNode[outermost(ends[edge].to, array)]; }
  std::uint32_t nodeAtEnd(EdgeId edge, ArrayId array) const { return lastNode[outermost(ends[edge].from, array)]; }
  /// The line that stands for one in regions that the array is not used in.
  std::uint32_t outermost(std::uint32_t line, ArrayId array) const {
    while (lines.lines[line].region != kNone && regionMark[lines.lines[line].region] != array)
      line = lines.lines[line].around;
    return line;
  }

  /// An edge between lines.
  void border(EdgeId id, ArrayId array) {
    if (ends[id].renames)
      for (const Rename &rename : graph.edges[id].renames)
        if (rename.destination == array)
          return;
    flow.addLink(nodeAtEnd(id, array), nodeAtStart(id, array), id, id);
  }

  /// What is left goes to the result.
  void keep(ArrayId array) {
    index.assign(flow.nodes.size(), kNone);
    for (std::uint32_t i = 0; i < flow.nodes.size(); ++i) {
      const ArrayFlow::Node &local = flow.nodes[i];
      if (!local.alive)
        continue;
      index[i] = static_cast<std::uint32_t>(result.nodes.size());
      if (local.kept && !renames.empty())
        if (auto found = renames.find(key(local.point, array)); found != renames.end())
          found->second = index[i];
      Node node;
      node.point = local.point;
      node.array = array;
      node.region = local.region;
      node.kept = local.kept;
      result.nodes.push_back(node);
    }
    for (const ArrayFlow::Link &local : flow.links)
      if (local.alive)
        result.links.push_back({index[local.from], index[local.to], local.early, local.late, false});
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
  ValueGraph &result;
  Lines lines;
  std::vector<Ends> ends;                   ///< By edge.
  std::vector<std::vector<EdgeId>> borders; ///< By region + 1: edges between lines, innermost in it.
  std::vector<std::uint32_t> useStart;
  std::vector<PointId> uses;                                ///< By array, from useStart on.
  std::unordered_map<std::uint64_t, std::uint32_t> renames; ///< Nodes at the ends of renames.

  // The array at hand.
  ArrayFlow flow;
  std::vector<Open> stack;
  std::vector<Step> steps;
  std::vector<RegionId> regions;                  ///< That it is used in, and kNone.
  std::vector<ArrayId> regionMark;                ///< By region: the last array found to be used in it.
  std::vector<std::uint32_t> firstNode, lastNode; ///< By line.
  std::vector<std::uint32_t> index;               ///< Of the flow's nodes in the result.
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
