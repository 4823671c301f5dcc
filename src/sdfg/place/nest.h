// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/names.h"

namespace ferry::sdfg {

/// DaCe 1.0.2 cannot make code of a kernel whose results leave a host map directly. Where there is one, what is in the
/// map becomes a nested SDFG of one state, to which whole containers are handed by their own names. `sdfg` is one that
/// Kernels has written: schedules and storages are chosen. The map's own containers move into the nested SDFG; what has
/// an access node in it is its own, and what enters or leaves it is no view (whyNotLaunched sees to both).
void nestLaunches(Sdfg &sdfg, Names &names, Dialect dialect);

} // namespace ferry::sdfg
