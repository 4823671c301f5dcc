// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/element.h"
#include "sdfg/subset.h"

#include <optional>
#include <string>

namespace ferry::sdfg {

/// What an edge of a state moves (dace/memlet.py). `subset` is of the container `data`, `otherSubset` of the one at the
/// other end of the edge's path, if there is one. A memlet without data and subsets is empty: it only orders.
struct Memlet : Element {
  std::optional<std::string> data;
  std::optional<Subset> subset, otherSubset;
  std::optional<std::string> wcr; ///< The text of a lambda of two arguments, old value and new.
  bool dynamic = false;           ///< How much is moved is found out as it runs: at most `subset`.
  Expr volume = 0;                ///< Elements moved; of a dynamic one 0 means unbounded.
  /// Whether `data` is at the source, where both ends are the same container.
  std::optional<bool> dataIsSource;

  bool isEmpty() const { return !data && !subset && !otherSubset; }
  /// "A.indptr" is a member of container "A".
  std::string container() const { return data ? data->substr(0, data->find('.')) : std::string(); }

  /// The rest of the memlet (volume, wcr) is kept; the subsets have to be set too where they no longer fit.
  void setData(const std::string &name);
  void setSubset(std::optional<Subset> to, Dialect dialect);
  void setOtherSubset(std::optional<Subset> to, Dialect dialect);
  void setVolume(const Expr &elements, Dialect dialect);

  static Memlet empty();
  static Memlet of(const std::string &data, const Subset &subset, Dialect dialect);
  /// From a Memlet object; the message of an error says what is wrong, not where.
  static placement::Result<Memlet> fromJson(Json json);
};

} // namespace ferry::sdfg
