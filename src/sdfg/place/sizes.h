// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/subset.h"

#include <cstdint>
#include <map>
#include <string>

namespace ferry::sdfg {

/// What is assumed of a symbol of which nothing is known, and of a loop's trips.
inline constexpr std::int64_t kAssumedSize = 1000;
inline constexpr std::int64_t kAssumedTrips = 100;

/// Values of symbols that a plan is made for. Prices depend on them, whether the plan is right never does.
class Sizes {
public:
  explicit Sizes(const std::map<std::string, std::int64_t, std::less<>> &assumed = {});

  /// Of a symbol that nothing was said about before.
  void suppose(const std::string &symbol, const Expr &value);
  /// Rounded down; what cannot be computed, for want of a value or because it does not fit, is kAssumedSize.
  std::int64_t value(const Expr &of) const;
  /// At least 0.
  std::int64_t count(const Expr &of) const;
  std::int64_t elements(const Subset &subset) const { return count(sdfg::elements(subset)); }

private:
  mutable Values values; ///< Symbols without a value get the assumed one when they are first asked for.
};

/// Of non-negative numbers; the largest number if it does not fit.
std::int64_t saturatingSum(std::int64_t a, std::int64_t b);
std::int64_t saturatingProduct(std::int64_t a, std::int64_t b);

} // namespace ferry::sdfg
