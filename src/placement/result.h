// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace ferry::placement {

enum class ErrorKind : unsigned char {
  Malformed,  ///< The problem breaks a rule of its form.
  Infeasible, ///< Its requirements contradict each other.
  Overflow,   ///< A price or frequency leaves the range of numbers.
  Illegal,    ///< A plan breaks a rule (verify), or has another price than it says.
  Internal,   ///< The engine contradicts itself: a defect of Ferry.
};

struct Error {
  ErrorKind kind = ErrorKind::Malformed;
  std::string message; ///< One line that starts with the object: "operation 'f': reads an array that does not exist".
};

/// A value or an error.
template <typename T> class Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}
  explicit operator bool() const { return state.index() == 0; }
  /// Only if there is a value.
  T &operator*() { return std::get<0>(state); }
  const T &operator*() const { return std::get<0>(state); }
  T *operator->() { return &std::get<0>(state); }
  const T *operator->() const { return &std::get<0>(state); }
  /// Only if there is none.
  const Error &error() const { return std::get<1>(state); }

private:
  std::variant<T, Error> state;
};

template <> class Result<void> {
public:
  Result() = default;
  Result(Error error) : failure(std::move(error)), failed(true) {}
  explicit operator bool() const { return !failed; }
  const Error &error() const { return failure; }

private:
  Error failure;
  bool failed = false;
};

} // namespace ferry::placement
