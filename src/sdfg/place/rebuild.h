// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/insertions.h"
#include "sdfg/place/twins.h"

namespace ferry::sdfg {

/// Puts copies into the blocks of an SDFG: states of their own on edges, in front of blocks and behind them, and
/// between the parts of a state that is split. States whose operations have been rewritten (rewrite.h). The error names
/// a state whose edges are no dataflow; the SDFG is then not to be used.
placement::Result<void> insertTransfers(Level &level, const Insertions &insertions, Twins &twins, Dialect dialect);

} // namespace ferry::sdfg
