// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that go into and come out of a program, and their two file formats.
//
// Text follows Futhark's literals: `1i8`, `-2`, `0xFF`, `1_000`, `1.5f32`, `0x1.8p1f64`, `f32.nan`, `-f64.inf`, `true`,
// `[[1, 2], [3, 4]]`, `empty([0][2]i32)`, `"utf8"` (a [n]u8), with `--` comments and trailing commas.
// Binary is the byte `b`, a version byte (2), a rank byte, the type in four characters (`" i32"`, `"bool"`), the
// dimensions as u64, then the elements in row-major order, all little-endian. One stream may mix the two.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::runtime {

enum class ElementType : uint8_t { i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, boolean };

/// `i32`, `bool`, ...
std::string_view spelling(ElementType type);
std::optional<ElementType> elementTypeNamed(std::string_view spelling);
int64_t byteSize(ElementType type); ///< a bool is one byte, 0 or 1

/// Leaves new elements undefined (values are always filled by whoever makes them) and aligns to 64 bytes.
template <typename T> struct ValueAllocator {
  using value_type = T;
  ValueAllocator() = default;
  template <typename U> ValueAllocator(const ValueAllocator<U> &) {}
  T *allocate(size_t n) { return static_cast<T *>(::operator new(n * sizeof(T), std::align_val_t(64))); }
  void deallocate(T *p, size_t) { ::operator delete(p, std::align_val_t(64)); }
  template <typename U> void construct(U *p) { ::new (static_cast<void *>(p)) U; }
  template <typename U, typename... Args> void construct(U *p, Args &&...args) {
    ::new (static_cast<void *>(p)) U(std::forward<Args>(args)...);
  }
  bool operator==(const ValueAllocator &) const = default;
};

/// A scalar (rank 0) or a row-major array. `data` holds exactly elements() * byteSize(type) bytes.
struct Value {
  ElementType type = ElementType::i32;
  std::vector<int64_t> shape;
  std::vector<std::byte, ValueAllocator<std::byte>> data;

  /// Undefined contents. The product of the dimensions must be representable (see checkedElements).
  static Value withShape(ElementType type, std::vector<int64_t> shape);
  template <typename T> static Value scalar(ElementType type, T x);

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t elements() const;
  template <typename T> std::span<const T> as() const {
    return {reinterpret_cast<const T *>(data.data()), data.size() / sizeof(T)};
  }
  template <typename T> std::span<T> as() { return {reinterpret_cast<T *>(data.data()), data.size() / sizeof(T)}; }
};

template <typename T> Value Value::scalar(ElementType type, T x) {
  Value v = withShape(type, {});
  v.as<T>()[0] = x;
  return v;
}

/// `i32`, `[2][3]f64`.
std::string typeSpelling(ElementType type, std::span<const int64_t> shape);

/// The number of elements, or nothing if a dimension is negative or the bytes do not fit 63 bits.
std::optional<int64_t> checkedElements(ElementType type, std::span<const int64_t> shape);

/// IEEE 754 binary16, rounded to nearest even; overflow gives infinity.
uint16_t halfFromDouble(double x);
double doubleFromHalf(uint16_t bits);

// ---- Reading --------------------------------------------------------------------------------------------------------

struct ValueError {
  std::string message; ///< one line, without a place
  int64_t line = 0;    ///< both count from 1, columns in bytes
  int64_t column = 0;
  /// `<source>:<line>:<column>: error: <message>`
  std::string text(std::string_view source) const;
};

/// What a parameter wants: literals without a suffix take its type, and any other type or rank is an error.
struct ExpectedValue {
  ElementType type;
  int64_t rank;
};

/// Reads values one after another from bytes that outlive it. After an error it is of no further use.
class ValueReader {
public:
  explicit ValueReader(std::string_view input) : input(input) {}

  /// Skips white space and comments; true if nothing follows.
  bool atEnd();

  /// The next value. Without an expectation, literals without a suffix are i32 or f64, and an array takes its first
  /// element's type. Arrays must be regular. Nothing on an error, or at the end of the input, and then error() says
  /// which.
  std::optional<Value> next(std::optional<ExpectedValue> expected = std::nullopt);

  const ValueError &error() const { return failure; }

  /// The message at the place that was read up to.
  ValueError here(std::string message) const;

private:
  std::string_view input;
  size_t position = 0;
  ValueError failure;
};

/// All of `input`, or nothing and the error.
std::optional<std::vector<Value>> readValues(std::string_view input, ValueError &error);

/// All bytes of a file descriptor (a mapping where it can be one). Fails with the system's reason in `error`.
class InputBytes {
public:
  static std::optional<InputBytes> fromDescriptor(int fd, std::string &error);
  std::string_view view() const { return {static_cast<const char *>(mapped ? mapped.get() : bytes.data()), size}; }

private:
  struct Unmap {
    size_t size;
    void operator()(void *p) const;
  };
  std::unique_ptr<void, Unmap> mapped;
  std::vector<char, ValueAllocator<char>> bytes;
  size_t size = 0;
};

// ---- Writing --------------------------------------------------------------------------------------------------------

/// Appends the text form, every number with its suffix and as many digits as it takes to read the same number back; no
/// new line at the end.
void writeText(const Value &value, std::string &out);
void writeBinary(const Value &value, std::string &out);

} // namespace ferry::runtime
