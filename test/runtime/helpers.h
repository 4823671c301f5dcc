// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of the run-time share: contexts, and calling "generated code" that is a lambda.

#pragma once

#include "runtime/context.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace ferry::runtime {

/// All prices are round and different, so that a sum tells what it is made of.
inline placement::Machine roundMachine() {
  placement::Machine m;
  m.name = "round";
  m.h2d = {1'000, 1};
  m.d2h = {2'000, 2};
  m.peek = 30'000;
  m.poke = 40'000;
  m.launch = 500'000;
  m.exit = 6'000'000;
  m.synchronize = 70'000'000;
  m.argument = 800'000'000;
  m.host = {10, 3, 100, 50};
  m.device = {placement::Rational(1, 3), placement::Rational(1, 7), 1'000, 500};
  return m;
}

inline ContextOptions onHost() {
  ContextOptions options;
  options.machine = roundMachine();
  return options;
}

inline ContextOptions onSim(bool isProtected = true) {
  ContextOptions options = onHost();
  options.device = DeviceKind::sim;
  options.protect = isProtected;
  options.deviceMemory = 1 << 20;
  options.events = true;
  return options;
}

inline Context make(const ContextOptions &options) {
  std::string error;
  Context context = makeContext(options, error);
  EXPECT_TRUE(context) << error;
  return context;
}

/// Runs `code(context)`; what it failed with, or nothing.
template <typename Code> std::optional<ProgramError> failureOf(const Context &context, Code code) {
  ProgramError error;
  auto entry = [](FerryContext *c, void *argument) { (*static_cast<Code *>(argument))(c); };
  if (run(*context, entry, &code, error))
    return std::nullopt;
  return error;
}

template <typename Code> void runs(const Context &context, Code code) {
  auto error = failureOf(context, code);
  EXPECT_FALSE(error) << error->text();
}

template <typename Code> std::string messageOf(const Context &context, Code code) {
  auto error = failureOf(context, code);
  return error ? error->text() : "(no failure)";
}

/// As generated code passes a function and its captures.
template <typename Code> void launch(FerryContext *c, const FerryLaunch &desc, Code code) {
  ferry_rt_launch(c, &desc, [](void *env) { (*static_cast<Code *>(env))(); }, &code);
}

template <typename Code> void parallelFor(FerryContext *c, int64_t n, int64_t chunks, Code code) {
  ferry_rt_parallel_for(
      c, [](void *env, int64_t chunk, int64_t lo, int64_t hi) { (*static_cast<Code *>(env))(chunk, lo, hi); }, &code, n,
      chunks);
}

inline constexpr FerryOperation mapOp = {"map", "f.fut", 3, 5};
inline constexpr FerryOperation loopOp = {"loop", "f.fut", 9, 1};
inline constexpr FerryLaunch mapLaunch = {&mapOp, 100, 100, 0, 0, {0, 0, 0, 0}};

} // namespace ferry::runtime
