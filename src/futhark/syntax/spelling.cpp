// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "futhark/syntax/spelling.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ferry::futhark {

unsigned editDistance(std::string_view left, std::string_view right) {
  std::vector<unsigned> row(right.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (size_t i = 1; i <= left.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(i);
    for (size_t j = 1; j <= right.size(); ++j) {
      unsigned substituted = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

} // namespace ferry::futhark
