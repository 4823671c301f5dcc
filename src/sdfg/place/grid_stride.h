// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/dataflow.h"
#include "sdfg/names.h"
#include "sdfg/place/sizes.h"

/// \file
/// Grid-stride loops: maps in a persistent kernel, whose number of threads is fixed. DaCe 1.0.2 steps each dimension of
/// such a map from its thread's index in that dimension, by the number of threads in the first: only of a map over one
/// dimension, one by one, does that reach every iteration. Any other becomes one over as many threads as its sizes ask
/// for, with itself inside, sequential: each dimension from where the thread's number puts it, in strides.
namespace ferry::sdfg {

/// Makes a grid-stride loop of the map at the top of a state, unless DaCe's own stepping is right for it. `sizes`:
/// those of the SDFG, which decide about the number of threads and not about what is computed.
void makeGridStride(State &state, NodeId entry, const Sizes &sizes, Names &names, Dialect dialect);

/// What a map runs over, as far as its iterations are counted: of a grid-stride loop, the map over threads counts what
/// the map in it ran over before, and that one nothing.
Scope countedScope(const State &state, const Dataflow &dataflow, NodeId entry);

} // namespace ferry::sdfg
