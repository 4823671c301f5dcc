// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes are either read as values, which then read back from both forms, or refused with a place inside the input.

#include "runtime/values.h"

#include <cstdlib>

using namespace ferry::runtime;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

static void readsBack(const Value &value) {
  std::string text, bytes;
  writeText(value, text);
  writeBinary(value, bytes);
  ValueReader fromText(text), fromBytes(bytes);
  std::optional<Value> a = fromText.next(), b = fromBytes.next();
  require(a && b && fromText.atEnd() && fromBytes.atEnd());
  require(!difference(*a, value) && !difference(*b, value));
  require(b->data == value.data);
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
