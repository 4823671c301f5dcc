// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/names.h"

namespace ferry::sdfg {

/// Makes DaCe wait for copies to the host. Its code leaves a copy at the end of a state under way if all states behind
/// it begin with work for the same stream (CUDACodeGen.generate_state), although the host may read the copy on an edge
/// in between or beside that work. A state that does nothing, for the host, behind the copy ends this. It stands behind
/// every such copy: what follows now may be taken out, or read on an edge instead, when DaCe simplifies the graph.
/// Nested SDFGs at host levels are looked at when they are given, not through their nodes.
void awaitCopies(Sdfg &sdfg, Names &names);

} // namespace ferry::sdfg
