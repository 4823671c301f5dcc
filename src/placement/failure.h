// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"
#include "placement/result.h"

#include <string>
#include <type_traits>

/// \file
/// Internal: how errors travel inside the engine. Entry points catch Failure and Overflow and return an Error.
namespace ferry::placement {

struct Failure {
  Error error;
};

/// How messages call an object; worked out only when one is wanted. Refers to what it is made from, so it is for
/// parameters only.
class Name {
public:
  Name(const std::string &text)
      : object(&text), call([](const void *object) { return std::string(*static_cast<const std::string *>(object)); }) {
  }
  template <typename Text>
    requires std::is_invocable_r_v<std::string, const Text &>
  Name(const Text &text)
      : object(&text), call([](const void *object) -> std::string { return (*static_cast<const Text *>(object))(); }) {}
  Name(const Name &) = delete;
  std::string operator()() const { return call(object); }

private:
  const void *object;
  std::string (*call)(const void *);
};

[[noreturn]] inline void fail(ErrorKind kind, std::string message) { throw Failure{{kind, std::move(message)}}; }
[[noreturn]] inline void failMalformed(std::string message) { fail(ErrorKind::Malformed, std::move(message)); }

/// What `compute` gives; an Overflow in it becomes an error that names the object by calling `describe`.
template <typename Compute, typename Describe> auto named(Compute compute, Describe describe) -> decltype(compute()) {
  try {
    return compute();
  } catch (const Overflow &) {
    fail(ErrorKind::Overflow, describe() + ": price or frequency out of range");
  }
}

/// Runs an entry point's body and turns failures into errors.
template <typename T, typename Body> Result<T> guarded(Body body) {
  try {
    return body();
  } catch (const Failure &failure) {
    return failure.error;
  } catch (const Overflow &) {
    return Error{ErrorKind::Overflow, "problem: a price or frequency is out of range"};
  }
}

/// "operation 'f'", "loop control 3": how messages name things.
std::string describe(const Graph &graph, PointId point);
std::string describeEdge(const Graph &graph, EdgeId edge);
std::string describeRegion(const Graph &graph, RegionId region);
std::string describe(const Array &array);

/// Throws a Failure if the graph breaks a rule of its form (check.cpp).
void requireWellFormed(const Graph &graph);
/// Rules of one use of an array; `what` names the user.
void requireWellFormed(const Array &array);
void requireWellFormed(const std::vector<Array> &arrays, const Read &read, const Name &what);
void requireWellFormed(const std::vector<Array> &arrays, const Write &write, const Name &what);
void requireRename(const std::vector<Array> &arrays, const std::vector<Rename> &renames, const Name &what);

} // namespace ferry::placement
