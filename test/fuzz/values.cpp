// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes are either read as values, which then read back from both forms, or refused with a place inside the input.

#include "runtime/values.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace ferry::runtime;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

template <typename Float> static bool sameFloats(const Value &a, const Value &b) {
  auto same = [](Float x, Float y) { return std::memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y); };
  return std::ranges::equal(a.as<Float>(), b.as<Float>(), same);
}

static bool isHalfNaN(uint16_t bits) { return (bits & 0x7fff) > 0x7c00; }

// The same bits in all elements; the text form has one NaN for all.
static bool same(const Value &a, const Value &b) {
  if (a.type != b.type || a.shape != b.shape)
    return false;
  auto sameHalves = [](uint16_t x, uint16_t y) { return x == y || (isHalfNaN(x) && isHalfNaN(y)); };
  switch (a.type) {
  case ElementType::f16:
    return std::ranges::equal(a.as<uint16_t>(), b.as<uint16_t>(), sameHalves);
  case ElementType::f32:
    return sameFloats<float>(a, b);
  case ElementType::f64:
    return sameFloats<double>(a, b);
  default:
    return a.data == b.data;
  }
}

static void readsBack(const Value &value) {
  std::string text, bytes;
  writeText(value, text);
  writeBinary(value, bytes);
  ValueReader fromText(text), fromBytes(bytes);
  std::optional<Value> a = fromText.next(), b = fromBytes.next();
  require(a && b && fromText.atEnd() && fromBytes.atEnd());
  require(same(*a, value));
  require(b->type == value.type && b->shape == value.shape && b->data == value.data);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view input(reinterpret_cast<const char *>(data), size);
  ValueError error;
  if (auto values = readValues(input, error)) {
    for (const Value &value : *values)
      readsBack(value);
  } else {
    require(!error.message.empty() && error.message.find('\n') == std::string::npos);
    require(error.line >= 1 && error.column >= 1 && error.column <= static_cast<int64_t>(size) + 1);
  }
  for (ElementType type : {ElementType::i8, ElementType::f16, ElementType::f64, ElementType::boolean})
    for (int64_t rank : {0, 1, 2}) {
      ValueReader reader(input);
      if (std::optional<Value> value = reader.next(ExpectedValue{type, rank}))
        require(value->type == type && value->rank() == rank);
    }
  return 0;
}
