// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies whose elements are side by side along one dimension where they come from and along another where they go, such
// as the one of a transposed matrix. They go by square tiles of these two dimensions: a large group reads a tile into
// its memory by rows and writes it by columns, both side by side; a group of one copies it by smaller squares, whose
// rows and columns all stay in its cache.

#include "codegen/Emitter.h"

using namespace mlir;

namespace ferry::codegen {

static constexpr int64_t side = 32;

static bool isOne(Value value) {
  auto known = value.getDefiningOp<arith::ConstantIntOp>();
  return known && known.value() == 1;
}

// The dimension along which what is copied lies side by side, if the copy's own last dimension is another one.
std::optional<int64_t> Emitter::transposedDimension(const Buffer &to, const Buffer &from) {
  if (!to.isContiguous() || from.isContiguous() || isOne(from.strides.back()))
    return std::nullopt;
  for (int64_t d = 0; d + 1 < from.rank(); ++d)
    if (isOne(from.strides[d]))
      return d;
  return std::nullopt;
}

// In a launch.
void Emitter::transpose(const Buffer &to, const Buffer &from, int64_t along) {
  int64_t last = to.rank() - 1;
  Values tiles = to.sizes;
  for (int64_t d : {along, last})
    tiles[d] = quotient(add(tiles[d], constant(side - 1)), constant(side));
  onDevice(product(tiles), Items::groups, [&](Value tile) {
    Buffer target = here(to), origin = here(from);
    Values first(tiles.size());
    Value rest = tile;
    for (int64_t d = last; d > 0; --d) {
      first[d] = arith::RemUIOp::create(b, rest, here(tiles[d]));
      rest = arith::DivUIOp::create(b, rest, here(tiles[d]));
    }
    first[0] = rest;
    for (int64_t d : {along, last})
      first[d] = mul(first[d], constant(side));
    Value height = minimum(sub(target.sizes[along], first[along]), constant(side));
    Value width = minimum(sub(target.sizes[last], first[last]), constant(side));
    auto at = [&](Value row, Value column) {
      Values indices = first;
      indices[along] = add(indices[along], row);
      indices[last] = add(indices[last], column);
      return indices;
    };
    auto copy = [&](Value row, Value column) {
      Values indices = at(row, column);
      store(target, offsetOf(target, indices), load(origin, offsetOf(origin, indices)));
    };
    auto bySquares = [&] {
      apart([&] { copySquares(height, width, copy); });
      return Values();
    };
    auto throughTile = [&] {
      Buffer kept = localMemory(to.element, side * (side + 1));
      auto place = [&](Value row, Value column) { return add(mul(row, constant(side + 1)), column); };
      // A point is in a line of the tile, and neighbours are side by side in it.
      auto inTile = [&](Value lines, Value length, llvm::function_ref<void(Value line, Value position)> body) {
        eachByTurns(constant(side * side), [&](Value point) {
          Value line = quotient(point, constant(side)), position = arith::RemUIOp::create(b, point, constant(side));
          when(arith::AndIOp::create(b, less(line, lines), less(position, length)), [&] { body(line, position); });
        });
      };
      inTile(width, height, [&](Value column, Value row) {
        store(kept, place(column, row), load(origin, offsetOf(origin, at(row, column))));
      });
      inTile(height, width, [&](Value row, Value column) {
        store(target, offsetOf(target, at(row, column)), load(kept, place(column, row)));
      });
      return Values();
    };
    eitherWay(isGroupOfOne(), {}, bySquares, throughTile);
  });
}

void Emitter::copySquares(Value height, Value width, llvm::function_ref<void(Value row, Value column)> copy) {
  Value square = constant(8);
  loopBy(square, constant(0), height, {}, [&](Value top, ValueRange) {
    loopBy(square, constant(0), width, {}, [&](Value left, ValueRange) {
      loop(top, minimum(add(top, square), height), {}, [&](Value row, ValueRange) {
        loop(left, minimum(add(left, square), width), {}, [&](Value column, ValueRange) {
          copy(row, column);
          return Values();
        });
        return Values();
      });
      return Values();
    });
    return Values();
  });
}

} // namespace ferry::codegen
