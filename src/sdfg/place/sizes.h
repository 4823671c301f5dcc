// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace ferry::sdfg {

/// What is assumed of a symbol of which nothing is known, and of a loop's trips.
inline constexpr std::int64_t kAssumedSize = 1000;
inline constexpr std::int64_t kAssumedTrips = 100;

/// Values of symbols that a plan is made for, at one place of a program: a nested SDFG has symbols of its own, a scope
/// parameters, whatever the same names are outside. Prices depend on them, whether the plan is right never does.
class Sizes {
public:
  explicit Sizes(const std::map<std::string, std::int64_t, std::less<>> &assumed = {});

  /// Of a symbol that nothing was said about before.
  void suppose(const std::string &symbol, const Expr &value);
  /// Of a loop's variable, in the loop. What was assumed of it stays.
  void supposeInside(const std::string &variable, const Expr &value);
  /// In a nested SDFG: its symbols as they are handed in, and what was assumed of names; nothing else from outside.
  Sizes inside(const Node &nested) const;
  /// In a scope: its parameters are in the middle of their ranges.
  Sizes inside(const Scope &scope) const;
  /// Rounded down; the least or the largest number if it does not fit, kAssumedSize if it cannot be computed.
  std::int64_t value(const Expr &of) const;
  /// At least 0.
  std::int64_t count(const Expr &of) const;
  std::int64_t elements(const Subset &subset) const { return count(sdfg::elements(subset)); }
  /// Of a scope; a dimension may depend on the parameters before it.
  std::int64_t iterations(const Scope &scope) const { return inside(scope).elements(scope.range); }
  /// Symbols that a value depended on and nothing was known of, here and in all that was made of these sizes.
  const std::set<std::string> &guessed() const { return *unknown; }

private:
  /// What is said at one place; the rest is said around it. Shared by the sizes of all that is in it.
  struct Frame {
    Values own;
    std::shared_ptr<const Frame> around;
  };

  bool isKnown(const Expr &expr) const;
  const Rational *find(const std::string &symbol) const;
  void set(const std::string &symbol, const Expr &value);

  std::shared_ptr<const Values> assumed; ///< By who asks for the plan.
  std::shared_ptr<Frame> top;            ///< What was assumed included.
  std::shared_ptr<std::set<std::string>> unknown = std::make_shared<std::set<std::string>>();
};

/// Of non-negative numbers; the largest number if it does not fit.
std::int64_t saturatingSum(std::int64_t a, std::int64_t b);
std::int64_t saturatingProduct(std::int64_t a, std::int64_t b);

} // namespace ferry::sdfg
