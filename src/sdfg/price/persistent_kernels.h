// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"
#include "sdfg/place/sizes.h"

#include "placement/machine.h"

namespace ferry::sdfg {

/// What one launch of a kernel of schedule GPU_Persistent does, whoever wrote it.
struct PersistentPrice {
  double work = 0;  ///< Time of what its maps and tasklets do, in picoseconds.
  double waits = 0; ///< Time in which all threads wait for each other: behind every state.
};

/// Of the nested SDFG in such a map. Errors as priceOf.
placement::Result<PersistentPrice> persistentPrice(const Sdfg &nested, const Sizes &sizes,
                                                   const placement::Machine &machine);

} // namespace ferry::sdfg
