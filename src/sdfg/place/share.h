// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/dataflow.h"
#include "sdfg/names.h"
#include "sdfg/place/sizes.h"

/// \file
/// Maps in a persistent kernel. DaCe 1.0.2 steps each dimension of one from its thread's index in that dimension, by
/// the number of threads in the first: only of a map over one dimension, one by one, does that reach every iteration.
/// Any other becomes one over so many threads as its sizes ask for, with itself inside in order, each dimension from
/// where the thread's number puts it, in strides.
namespace ferry::sdfg {

/// Makes the map at the top of a state one that is right there.
void shareOut(State &state, NodeId entry, const Sizes &sizes, Names &names, Dialect dialect);

/// What a map runs over, as far as its iterations are counted. A map that was shared out counts nothing, and the one
/// around it what that ran over before.
Scope countedScope(const State &state, const Dataflow &dataflow, NodeId entry);

} // namespace ferry::sdfg
