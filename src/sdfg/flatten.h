// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

namespace ferry::sdfg {

/// Whether a program has loop regions, conditional blocks, named regions or jumps, nested SDFGs included.
bool hasRegions(const Program &program);

/// Turns them into states and edges, the form in which DaCe 1.0.2 generates code for GPUs: it reads regions, but its
/// CUDA code generator fails on them. Nested SDFGs included.
void flatten(Program &program);

} // namespace ferry::sdfg
