// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a copy is valid comes from the forward analyses that the verifier uses; where it is still wanted is searched
// for backward here: a copy that nothing on its side reads any more, or that is written over, or comes anew, is not
// wanted.
#include "placement/residency.h"

#include "placement/dataflow.h"
#include "placement/parts.h"

#include <algorithm>

namespace ferry::placement {

namespace {

/// Which copies are wanted before each point, arrays with an extent left out.
class WantedBits {
  const PlanView &view;
  const std::vector<ParallelLoop> &parallel;
  const ForwardValidity &valid;

public:
  WantedBits(const PlanView &view, const std::vector<ParallelLoop> &parallel, const ForwardValidity &valid)
      : view(view), parallel(parallel), valid(valid), host(view.graph.points.size(), view.graph.arrays.size(), false),
        device(host) {
    std::vector<std::uint64_t> hostRow(host.words), deviceRow(host.words);
    std::vector<bool> stale(view.graph.points.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (PointId point = static_cast<PointId>(view.graph.points.size()); point-- > 0;) {
        if (!stale[point])
          continue;
        stale[point] = false;
        behind(point, hostRow, deviceRow);
        before(point, hostRow, deviceRow);
        if (std::equal(hostRow.begin(), hostRow.end(), host.row(point)) &&
            std::equal(deviceRow.begin(), deviceRow.end(), device.row(point)))
          continue;
        std::copy(hostRow.begin(), hostRow.end(), host.row(point));
        std::copy(deviceRow.begin(), deviceRow.end(), device.row(point));
        changed = true;
        for (EdgeId edge : view.shape.in(point))
          stale[view.graph.edges[edge].from] = true;
      }
    }
  }

  /// Rows of what is wanted behind a point.
  void behind(PointId point, std::vector<std::uint64_t> &hostRow, std::vector<std::uint64_t> &deviceRow) const {
    std::fill(hostRow.begin(), hostRow.end(), 0);
    std::fill(deviceRow.begin(), deviceRow.end(), 0);
    for (EdgeId id : view.shape.out(point)) {
      const Edge &edge = view.graph.edges[id];
      if (edge.renames.empty() && view.copiesOn(id).empty()) {
        for (std::size_t word = 0; word < host.words; ++word) {
          hostRow[word] |= host.row(edge.to)[word];
          deviceRow[word] |= device.row(edge.to)[word];
        }
        continue;
      }
      std::vector<std::uint64_t> hostFar(host.row(edge.to), host.row(edge.to) + host.words);
      std::vector<std::uint64_t> deviceFar(device.row(edge.to), device.row(edge.to) + host.words);
      for (std::uint32_t index : view.copiesOn(id)) {
        const Copy &copy = view.plan.copies[index];
        bool up = copy.direction == Direction::HostToDevice;
        auto &to = up ? deviceFar : hostFar, &from = up ? hostFar : deviceFar;
        if (BitTable::getBit(to.data(), copy.array))
          BitTable::setBit(from.data(), copy.array, true);
        BitTable::setBit(to.data(), copy.array, false);
      }
      std::vector<std::pair<bool, bool>> wants;
      for (const Rename &rename : edge.renames) {
        wants.emplace_back(BitTable::getBit(hostFar.data(), rename.destination),
                           BitTable::getBit(deviceFar.data(), rename.destination));
        BitTable::setBit(hostFar.data(), rename.destination, false);
        BitTable::setBit(deviceFar.data(), rename.destination, false);
      }
      for (std::size_t i = 0; i < wants.size(); ++i) {
        if (wants[i].first)
          BitTable::setBit(hostFar.data(), edge.renames[i].source, true);
        if (wants[i].second)
          BitTable::setBit(deviceFar.data(), edge.renames[i].source, true);
      }
      for (std::size_t word = 0; word < host.words; ++word) {
        hostRow[word] |= hostFar[word];
        deviceRow[word] |= deviceFar[word];
      }
    }
  }

  BitTable host, device;

private:
  void before(PointId id, std::vector<std::uint64_t> &hostRow, std::vector<std::uint64_t> &deviceRow) const {
    const Point &point = view.graph.points[id];
    for (const Write &write : point.writes) {
      bool fresh = write.whole && (parallel.empty() || !isShared(view, parallel, id, write.array));
      if (fresh || !view.updatesHost(id, write))
        BitTable::setBit(hostRow.data(), write.array, false);
      if (fresh || !view.updatesDevice(id, write))
        BitTable::setBit(deviceRow.data(), write.array, false);
    }
    for (const Read &read : point.reads) {
      if (view.readsOnDevice(id, read))
        BitTable::setBit(!view.fetches(id, read) && valid.deviceBefore(id, read.array) ? deviceRow.data()
                                                                                       : hostRow.data(),
                         read.array, true);
      if (view.readsOnHost(id, read))
        BitTable::setBit(view.uses(id, read.array, Traffic::Peek) ? deviceRow.data() : hostRow.data(), read.array,
                         true);
    }
    if (point.kind == PointKind::Exit)
      for (ArrayId array = 0; array < view.graph.arrays.size(); ++array)
        if (view.graph.arrays[array].result)
          BitTable::setBit(view.graph.arrays[array].home == Side::Host ? hostRow.data() : deviceRow.data(), array,
                           true);
  }
};

/// The same, element by element, for arrays with an extent.
class WantedParts {
public:
  using State = PartsValidity::State;

  WantedParts(const PlanView &view, const std::vector<ParallelLoop> &parallel, const PartsValidity &valid)
      : view(view), parallel(parallel), valid(valid), column(view.graph.arrays.size(), kNone) {
    for (std::uint32_t i = 0; i < valid.arrays.size(); ++i)
      column[valid.arrays[i]] = i;
    if (valid.arrays.empty())
      return;
    states.resize(view.graph.points.size() * valid.arrays.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (PointId point = static_cast<PointId>(view.graph.points.size()); point-- > 0;)
        for (ArrayId array : valid.arrays) {
          State now = wantedBefore(point, array), &known = at(point, array);
          if (known.host.covers(now.host) && known.device.covers(now.device))
            continue;
          known = std::move(now);
          changed = true;
        }
    }
  }

  const State &before(PointId point, ArrayId array) const {
    return states[point * valid.arrays.size() + column[array]];
  }

  State behind(PointId point, ArrayId array) const {
    State wanted;
    for (EdgeId id : view.shape.out(point)) {
      const Edge &edge = view.graph.edges[id];
      for (ArrayId name : valid.arrays) {
        ArrayId source = name;
        for (const Rename &rename : edge.renames)
          if (rename.destination == name)
            source = rename.source;
        if (source != array)
          continue;
        State far = before(edge.to, name);
        for (std::uint32_t index : view.copiesOn(id)) {
          const Copy &copy = view.plan.copies[index];
          if (copy.array != name)
            continue;
          bool up = copy.direction == Direction::HostToDevice;
          BoxSet moved(copy.box.value_or(*view.graph.arrays[name].extent));
          moved.keep(up ? far.device : far.host);
          (up ? far.host : far.device).add(moved);
          (up ? far.device : far.host).remove(moved);
        }
        wanted.host.add(far.host);
        wanted.device.add(far.device);
      }
    }
    return wanted;
  }

private:
  State &at(PointId point, ArrayId array) { return states[point * valid.arrays.size() + column[array]]; }

  State wantedBefore(PointId id, ArrayId array) const {
    const Point &point = view.graph.points[id];
    const Box &extent = *view.graph.arrays[array].extent;
    State wanted = behind(id, array);
    for (const Write &write : point.writes) {
      if (write.array != array)
        continue;
      bool fresh = (write.whole || write.box) && !isShared(view, parallel, id, array);
      Box box = write.box.value_or(extent);
      if (fresh || !view.updatesHost(id, write))
        wanted.host.remove(box);
      if (fresh || !view.updatesDevice(id, write))
        wanted.device.remove(box);
    }
    for (const Read &read : point.reads) {
      if (read.array != array)
        continue;
      Box box = read.box.value_or(extent);
      if (view.readsOnDevice(id, read))
        (!view.fetches(id, read) && valid.before(id, array).device.covers(box) ? wanted.device : wanted.host).add(box);
      if (view.readsOnHost(id, read))
        (view.uses(id, array, Traffic::Peek) ? wanted.device : wanted.host).add(box);
    }
    if (point.kind == PointKind::Exit && view.graph.arrays[array].result)
      (view.graph.arrays[array].home == Side::Host ? wanted.host : wanted.device).add(extent);
    return wanted;
  }

  const PlanView &view;
  const std::vector<ParallelLoop> &parallel;
  const PartsValidity &valid;
  std::vector<std::uint32_t> column;
  std::vector<State> states;
};

bool meet(BoxSet a, const BoxSet &b) {
  a.keep(b);
  return !a.empty();
}

std::int64_t bytesOf(const Graph &graph, const std::uint64_t *row, std::size_t words) {
  std::int64_t sum = 0;
  for (std::size_t word = 0; word < words; ++word)
    for (std::uint64_t bits = row[word]; bits != 0; bits &= bits - 1)
      if (__builtin_add_overflow(sum, graph.arrays[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))].bytes,
                                 &sum))
        return INT64_MAX;
  return sum;
}

} // namespace

Residency::Residency(const Graph &graph, const Plan &plan) {
  Shape shape(graph);
  PlanView view(graph, shape, plan);
  std::vector<ParallelLoop> parallel = parallelLoops(view);
  ForwardValidity valid(view, parallel);
  PartsValidity validParts(view, parallel);
  WantedBits wanted(view, parallel, valid);
  WantedParts wantedParts(view, parallel, validParts);
  words = valid.host.words;
  host.resize(graph.points.size() * 2 * words);
  device.resize(host.size());
  std::vector<std::uint64_t> hostValid(words), deviceValid(words), hostWanted(words), deviceWanted(words), held(words);
  for (PointId point = 0; point < graph.points.size(); ++point)
    for (std::size_t side : {0, 1}) {
      std::size_t row = rowOf(point, side == 1);
      if (side == 0) {
        std::copy_n(valid.host.row(point), words, hostValid.begin());
        std::copy_n(valid.device.row(point), words, deviceValid.begin());
        std::copy_n(wanted.host.row(point), words, hostWanted.begin());
        std::copy_n(wanted.device.row(point), words, deviceWanted.begin());
      } else {
        valid.behind(point, hostValid.data(), deviceValid.data());
        wanted.behind(point, hostWanted, deviceWanted);
      }
      for (std::size_t word = 0; word < words; ++word) {
        host[row * words + word] = hostValid[word] & hostWanted[word];
        device[row * words + word] = deviceValid[word] & deviceWanted[word];
      }
      for (ArrayId array : validParts.arrays) {
        PartsValidity::State have = side == 0 ? validParts.before(point, array) : validParts.behind(point, array);
        PartsValidity::State want = side == 0 ? wantedParts.before(point, array) : wantedParts.behind(point, array);
        BitTable::setBit(host.data() + row * words, array, meet(have.host, want.host));
        BitTable::setBit(device.data() + row * words, array, meet(have.device, want.device));
      }
      std::copy_n(device.data() + row * words, words, held.begin());
      if (side == 0)
        for (const Read &read : graph.points[point].reads)
          if (view.fetches(point, read))
            BitTable::setBit(held.data(), read.array, true);
      std::int64_t bytes = bytesOf(graph, held.data(), words);
      if (bytes > peakBytes) {
        peakBytes = bytes;
        peakAt = point;
      }
    }
}

Validity Residency::get(std::size_t row, ArrayId array) const {
  return {BitTable::getBit(host.data() + row * words, array), BitTable::getBit(device.data() + row * words, array)};
}

} // namespace ferry::placement
