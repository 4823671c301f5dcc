// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and texts as bytes, for files that the same build reads and writes.

#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ferry::runtime {

class ByteWriter {
public:
  void number(int64_t value) { written.append(reinterpret_cast<const char *>(&value), sizeof value); }
  void text(std::string_view value) {
    number(static_cast<int64_t>(value.size()));
    written += value;
  }
  const std::string &bytes() const { return written; }

private:
  std::string written;
};

/// Reads them in the order in which they were written. What is not there is 0 or empty, and `isWhole` false from then
/// on.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest(bytes) {}

  int64_t number() {
    int64_t value = 0;
    std::string_view bytes = take(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  /// A view of the bytes that are read.
  std::string_view text() { return take(static_cast<uint64_t>(number())); }
  /// A number of things of at least a byte each: 0 if there are fewer bytes.
  int64_t count() {
    int64_t value = number();
    if (value >= 0 && static_cast<uint64_t>(value) <= rest.size())
      return value;
    whole = false;
    return 0;
  }
  bool isWhole() const { return whole; }

private:
  std::string_view take(uint64_t bytes) {
    if (bytes > rest.size()) {
      whole = false;
      return rest.substr(0, 0);
    }
    std::string_view taken = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return taken;
  }

  std::string_view rest;
  bool whole = true;
};

} // namespace ferry::runtime
