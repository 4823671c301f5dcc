// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/solve.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

/// \file
/// Short forms for problems written out in tests.
namespace ferry::placement::test {

/// Copies of 100 bytes cost 110 up, 120 down; a launch 5, a second exit 7.
inline Machine machine() {
  Machine machine;
  machine.h2d = {10, Rational(1)};
  machine.d2h = {20, Rational(1)};
  machine.launch = 5;
  machine.exit = 7;
  machine.argument = 1;
  return machine;
}

inline Solution solved(const Problem &problem) {
  Result<Solution> solution = solve(problem, machine());
  EXPECT_TRUE(solution) << solution.error().message;
  EXPECT_EQ(solution->plan.cost, solution->plan.bound);
  return *solution;
}

inline Read reading(ArrayId array, std::optional<Time> peek = std::nullopt, Operand operand = Operand::Operation) {
  return {array, operand, peek, std::nullopt, std::nullopt};
}
inline Write writing(ArrayId array) { return {array, true, std::nullopt, std::nullopt, std::nullopt}; }
inline Write updating(ArrayId array, std::optional<Time> poke = std::nullopt, std::optional<Time> push = std::nullopt) {
  return {array, false, poke, push, std::nullopt};
}

inline Array array(std::string name, bool argument = false, bool result = false, std::int64_t bytes = 100) {
  Array array;
  array.name = std::move(name);
  array.bytes = bytes;
  array.argument = argument;
  array.result = result;
  return array;
}

inline Operation operation(std::vector<Read> reads, std::vector<Write> writes, Time host = 0, Time device = 0) {
  Operation operation;
  operation.reads = std::move(reads);
  operation.writes = std::move(writes);
  operation.cost = {host, device, device, std::nullopt};
  return operation;
}
inline Operation pinned(Operation operation, Side side) {
  operation.pin = side;
  return operation;
}

template <typename What> Statement statement(What what, std::string name, Tag tag = 0) {
  Statement statement;
  statement.what = std::move(what);
  statement.name = std::move(name);
  statement.tag = tag;
  return statement;
}

inline Loop loop(Rational trips, Body body) {
  Loop loop;
  loop.trips = trips;
  loop.body = std::move(body);
  return loop;
}

} // namespace ferry::placement::test
