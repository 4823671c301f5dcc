// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/names.h"
#include "sdfg/place/insertions.h"

#include <string>
#include <vector>

/// \file
/// Writes the loops that a plan makes one kernel (persistent_loops.h).
namespace ferry::sdfg {

/// A loop that becomes a kernel, by names that last while the level's blocks are written anew.
struct KernelLoop {
  std::string control, first; ///< The labels of the state before its choice, and of a trip's first.
  std::string variable;
  Expr begin, last;    ///< What the variable is before the first trip and behind the last.
  bool isLeft = false; ///< Whether something behind the loop may read the variable.
};

/// The level's loops that are kernels of their own in a plan.
std::vector<KernelLoop> kernelLoopsOf(const Level &level, const placement::Graph &graph, const placement::Plan &plan);

/// Has the states of these loops split between all of their operations.
void splitStates(const Level &level, const placement::Graph &graph, const placement::Plan &plan, Insertions &to);

/// Puts each of the loops, whose operations are maps on the device, one a state, into a nested SDFG in a map of
/// schedule GPU_Persistent. The level's copies have been inserted: of its control flow only the texts are used.
void nestKernelLoops(Level &level, const std::vector<KernelLoop> &loops, Names &names, Dialect dialect);

} // namespace ferry::sdfg
