// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans by the items of a group. Elements are evaluated by turns, so that items side by side read what
// is side by side. An operator that commutes is applied in that order. Any other one needs each item to have a run of
// elements: these go through a tile in the group's memory. What the items have is then put together in as many steps as
// doubling takes (Hillis and Steele, Data parallel algorithms, 1986); a tile has several elements for each item, so the
// work is linear.

#include "codegen/Emitter.h"
#include "codegen/KernelForm.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

// Repeats for each width below the size of the largest group, doubling it. A loop of known length, since its barriers
// are in it.
Values Emitter::byDoubling(ValueRange carried, LoopBody body) {
  constexpr int64_t steps = llvm::ConstantLog2<mostGroupItems>();
  Value count = arith::SelectOp::create(b, isGroupOfOne(), constant(0), constant(steps));
  return loop(constant(0), count, carried, [&](Value step, ValueRange carried) {
    return body(arith::ShLIOp::create(b, constant(1), step), carried);
  });
}

//===- Tiles ------------------------------------------------------------------------------------------------------===//

// Elements in the group's memory: run after run, one for each item, with a gap behind each, so that items that go
// through their runs in step use different banks.
struct Emitter::Tile {
  SmallVector<Buffer> arrays;
  Value elements, run;
};

// How many elements the run of an item of a large group has; none if the group's memory is too small. Beside the tile
// there are two values for each item.
int64_t Emitter::elementsOfRun(ArrayRef<Type> types) {
  constexpr int64_t most = 16;
  int64_t bytes = 0;
  for (Type type : types)
    bytes += byteSize(type);
  int64_t fit = mostGroupBytes / mostGroupItems / bytes - 3;
  return fit < 1 ? 0 : std::min(static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(fit))), most);
}

// Whether a group reduces or scans what a SOAC's points give: it has memory enough, and no arrays to make.
bool Emitter::isForGroups(Operation *soac, ArrayRef<Type> types) {
  bool isToPart = frame->isParallel && (frame->isGroup || frame->isLaunch);
  return isToPart && elementsOfRun(types) > 0 && runsApart(soac);
}

Emitter::Tile Emitter::makeTile(ArrayRef<Type> types) {
  int64_t elements = elementsOfRun(types) * mostGroupItems;
  Tile tile{localArrays(types, elements + mostGroupItems), constant(elements), {}};
  tile.run = quotient(tile.elements, frame->groupSize);
  return tile;
}

// Where an element of a tile is.
static Value placeIn(ImplicitLocOpBuilder &b, Value run, Value element) {
  return arith::AddIOp::create(b, element, arith::DivUIOp::create(b, element, run));
}

// Evaluates the elements [from, from + count) into the tile.
void Emitter::fillTile(const Tile &tile, const Operands &operands, Value from, Value count) {
  eachByTurns(count, [&](Value element) {
    storeAll(tile.arrays, placeIn(b, tile.run, element), operands.at(add(from, element)));
  });
}

// What each item does with its run of a tile that has `count` elements: from where to where it goes.
void Emitter::inRuns(const Tile &tile, Value count, llvm::function_ref<void(Value from, Value to)> body) {
  apart([&] {
    Value from = minimum(mul(frame->localId, tile.run), count);
    body(from, minimum(add(from, tile.run), count));
  });
}

//===- Reduction --------------------------------------------------------------------------------------------------===//

// Combines what the items have, in order, into what the first one has. They have met.
void Emitter::reduceItems(const Operands &operands, ArrayRef<Buffer> own) {
  byDoubling({}, [&](Value width, ValueRange) {
    apartAtOnce([&] {
      Value other = add(frame->localId, width);
      Value isOfStep = arith::CmpIOp::create(
          b, arith::CmpIPredicate::eq,
          arith::AndIOp::create(b, frame->localId, sub(mul(width, constant(2)), constant(1))), constant(0));
      when(arith::AndIOp::create(b, isOfStep, less(other, frame->groupSize)),
           [&] { storeAll(own, frame->localId, operands.combine(loadAll(own, frame->localId), loadAll(own, other))); });
    });
    return Values();
  });
}

// The elements [from, to) combined in order; all items have the result.
Values Emitter::reduceTogether(const Operands &operands, Value from, Value to) {
  int64_t outside = frame->localBytes;
  SmallVector<Buffer> own = localArrays(operands.types, mostGroupItems);
  auto turns = [&] {
    apart([&] {
      Values sum = byTurns(from, to, operands.neutral(),
                           [&](Value point, ValueRange sum) { return operands.combine(sum, operands.at(point)); });
      storeAll(own, frame->localId, sum);
    });
    reduceItems(operands, own);
    return loadAll(own, constant(0));
  };
  Values result = operands.isCommutative ? turns() : eitherWay(isGroupOfOne(), operands.types, turns, [&] {
    return reduceTiles(operands, from, to, own);
  });
  frame->localBytes = outside;
  return result;
}

Values Emitter::reduceTiles(const Operands &operands, Value from, Value to, ArrayRef<Buffer> own) {
  Tile tile = makeTile(operands.types);
  return loopBy(tile.elements, from, to, operands.neutral(), [&](Value first, ValueRange before) {
    Value count = minimum(tile.elements, sub(to, first));
    fillTile(tile, operands, first, count);
    inRuns(tile, count, [&](Value begin, Value end) {
      storeAll(own, frame->localId, loop(begin, end, operands.neutral(), [&](Value element, ValueRange sum) {
                 return operands.combine(sum, loadAll(tile.arrays, placeIn(b, tile.run, element)));
               }));
    });
    reduceItems(operands, own);
    return operands.combine(before, loadAll(own, constant(0)));
  });
}

//===- Scan -------------------------------------------------------------------------------------------------------===//

// Inclusive, over what the items have, which have met. The steps go from one half of the arrays to the other; returns
// where the half begins that has the answer.
Value Emitter::scanItems(const Operands &operands, ArrayRef<Buffer> own) {
  Value half = constant(mostGroupItems);
  return byDoubling(constant(0), [&](Value width, ValueRange carried) {
    Value here = carried[0], there = sub(half, here), mine = add(here, frame->localId);
    apartAtOnce([&] {
      Values sum = eitherWay(
          less(frame->localId, width), operands.types, [&] { return loadAll(own, mine); },
          [&] { return operands.combine(loadAll(own, sub(mine, width)), loadAll(own, mine)); });
      storeAll(own, add(there, frame->localId), sum);
    });
    return Values{there};
  })[0];
}

// Inclusive, over the elements [from, to), behind what all items have as `before`; `use` takes each value, by turns.
void Emitter::scanTogether(const Operands &operands, Value from, Value to, ValueRange before, UsePoint use) {
  auto inOrder = [&] {
    apart([&] {
      loop(from, to, before, [&](Value point, ValueRange sum) {
        Values next = operands.combine(sum, operands.at(point));
        use(point, next);
        return next;
      });
    });
    return Values();
  };
  auto byTiles = [&] {
    scanTiles(operands, from, to, before, use);
    return Values();
  };
  eitherWay(isGroupOfOne(), {}, inOrder, byTiles);
}

void Emitter::scanTiles(const Operands &operands, Value from, Value to, ValueRange before, UsePoint use) {
  int64_t outside = frame->localBytes;
  SmallVector<Buffer> own = localArrays(operands.types, 2 * mostGroupItems);
  Tile tile = makeTile(operands.types);
  loopBy(tile.elements, from, to, before, [&](Value first, ValueRange before) {
    Value count = minimum(tile.elements, sub(to, first));
    fillTile(tile, operands, first, count);
    inRuns(tile, count, [&](Value begin, Value end) {
      storeAll(own, frame->localId, loop(begin, end, operands.neutral(), [&](Value element, ValueRange sum) {
                 Value place = placeIn(b, tile.run, element);
                 Values next = operands.combine(sum, loadAll(tile.arrays, place));
                 storeAll(tile.arrays, place, next);
                 return next;
               }));
    });
    Value half = scanItems(operands, own);
    inRuns(tile, count, [&](Value begin, Value end) {
      Values offset = eitherWay(
          less(constant(0), frame->localId), operands.types,
          [&] {
            Value neighbour = sub(add(half, frame->localId), constant(1));
            return operands.combine(before, loadAll(own, neighbour));
          },
          [&] { return Values(before); });
      loop(begin, end, {}, [&](Value element, ValueRange) {
        Value place = placeIn(b, tile.run, element);
        storeAll(tile.arrays, place, operands.combine(offset, loadAll(tile.arrays, place)));
        return Values();
      });
    });
    eachByTurns(count,
                [&](Value element) { use(add(first, element), loadAll(tile.arrays, placeIn(b, tile.run, element))); });
    Value last = sub(add(half, frame->groupSize), constant(1));
    return operands.combine(before, loadAll(own, last));
  });
  frame->localBytes = outside;
}

//===- By several groups ------------------------------------------------------------------------------------------===//

// In a launch: leaves what each group makes of its part of the points.
SmallVector<Buffer> Emitter::reduceParts(const Operands &operands, Value points, Value groups) {
  SmallVector<Buffer> partials;
  for (Type type : operands.types)
    partials.push_back(workspace(type, groups));
  onDevice(groups, Items::groups, [&](Value group) {
    auto [from, to] = partOf(here(points), here(groups), group);
    Values sums = reduceTogether(operands, from, to);
    byFirst([&] { storeAll(hereAll(partials), group, sums); });
  });
  return partials;
}

// The same operator on arrays of a launch.
Emitter::Operands Emitter::on(const Operands &operands, ArrayRef<Buffer> arrays) {
  Operands others = operands;
  others.at = [this, arrays](Value point) { return loadAll(hereAll(arrays), point); };
  return others;
}

// In a launch: leaves what all points come to in the results' cells.
Values Emitter::reduceByGroups(const Operands &operands, Value points, ValueRange results) {
  Value groups = groupCount(points);
  SmallVector<Buffer> partials = reduceParts(operands, points, groups);
  for (Value result : results)
    makeCell(result);
  onDevice(constant(1), Items::groups, [&](Value) {
    Values sums = reduceTogether(on(operands, partials), constant(0), here(groups));
    byFirst([&] {
      for (auto [result, sum] : llvm::zip(results, sums))
        store(here(frame->parent->cells[result]), constant(0), sum);
    });
  });
  return {};
}

// For what is before each group's part of the points, and last what they all come to.
SmallVector<Buffer> Emitter::sumsOfParts(ArrayRef<Type> types, Value groups) {
  SmallVector<Buffer> sums;
  for (Type type : types)
    sums.push_back(workspace(type, add(groups, constant(1))));
  return sums;
}

void Emitter::scanParts(const Operands &operands, Value points, Value groups, ArrayRef<Buffer> before) {
  SmallVector<Buffer> partials = reduceParts(operands, points, groups);
  onDevice(constant(1), Items::groups, [&](Value) {
    byFirst([&] { storeAll(hereAll(before), constant(0), operands.neutral()); });
    scanTogether(on(operands, partials), constant(0), here(groups), operands.neutral(),
                 [&](Value group, ValueRange sums) { storeAll(hereAll(before), add(group, constant(1)), sums); });
  });
}

} // namespace ferry::codegen
