// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/extract.h"

#include <string>
#include <vector>

/// \file
/// Loops that are one kernel: DaCe's schedule GPU_Persistent. Its generated code launches a fixed number of threads,
/// has each of them evaluate the control flow, shares the iterations of a map among them, and has all of them wait for
/// each other behind each state. docs/sdfg.md says for which loops that code is right.
namespace ferry::sdfg {

/// By loop of a level's control flow: why it cannot be one kernel; empty if it can. The level's states are known.
std::vector<std::string> whyNotPersistent(const Level &level);

/// Makes regions of the loops of a level that can be kernels. `entries` are the problem's points by point of the flow;
/// a state's are that one and those of its operations. Throws placement::Overflow.
void addKernelRegions(Extracted &extracted, Level &level, const std::vector<placement::PointId> &entries,
                      const placement::Machine &machine);

/// What a launch of such a kernel costs: its own states before and behind the loop, and the control's included. Throws
/// placement::Overflow.
placement::Time persistentLaunch(const placement::Machine &machine);

} // namespace ferry::sdfg
