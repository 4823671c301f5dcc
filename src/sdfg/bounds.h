// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/symbolic.h"

#include <map>
#include <optional>
#include <string>

/// \file
/// What can be proved about the sign of an expression, given ranges of its symbols. All symbols are integers here.
namespace ferry::sdfg {

/// A symbol lies between these, both included; where one is absent, anything. Ranges may name other symbols with ranges
/// of their own, but not in a circle.
struct Interval {
  std::optional<Expr> low, high;
};

class Assumptions {
public:
  /// Replaces what was assumed about the symbol.
  void set(std::string symbol, Interval interval) { intervals[std::move(symbol)] = std::move(interval); }
  /// Replaces what was assumed about the symbols of `others`.
  void update(const Assumptions &others) {
    for (const auto &[symbol, interval] : others.intervals)
      intervals.insert_or_assign(symbol, interval);
  }
  const Interval *find(const std::string &symbol) const {
    auto found = intervals.find(symbol);
    return found == intervals.end() ? nullptr : &found->second;
  }
  bool empty() const { return intervals.empty(); }

private:
  std::map<std::string, Interval> intervals;
};

/// Whether it is proved that `of` is 0 or more. Sound, not complete: false says nothing.
bool provedNonNegative(const Expr &of, const Assumptions &assuming = {});
inline bool provedLessEqual(const Expr &a, const Expr &b, const Assumptions &assuming = {}) {
  return provedNonNegative(b - a, assuming);
}
/// Equal as mathematics, by normal form or because neither is above the other.
bool provedEqual(const Expr &a, const Expr &b, const Assumptions &assuming = {});

/// An expression without `symbol` that is no larger (smaller) than `of` for any value of `symbol` in the interval.
/// Absent if none is found. `of` may be below (above) it in its Min, Max and floor divisions.
std::optional<Expr> lowest(const Expr &of, const std::string &symbol, const Interval &interval,
                           const Assumptions &assuming = {});
std::optional<Expr> highest(const Expr &of, const std::string &symbol, const Interval &interval,
                            const Assumptions &assuming = {});

} // namespace ferry::sdfg
