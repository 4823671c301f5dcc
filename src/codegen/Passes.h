// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes from the array dialect to the llvm dialect.

#pragma once

#include "codegen/KernelForm.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ferry::codegen {

/// Replaces the public functions of the array dialect by entries on pointers (Emitter.h). What the array dialect does
/// not leave to code generation (calls, pins, jvp) must be gone. Chunks of parallel loops have at least `grain` points;
/// 0: as many as are worth a thread. `kernels`: what launches are for; their kernels are then in the module as
/// text (FerryKernel).
std::unique_ptr<mlir::Pass> createBufferizePass(int64_t grain = 0, KernelTarget kernels = {});

/// What vectors there are: numbers that one has at most, a power of two, and which operations take them.
struct VectorForms {
  int64_t mostLanes;
  bool (*has)(mlir::Operation &op);
};

/// Has vectors of consecutive points go through a sequential loop together, where it reads side by side for them and
/// with a stride for each; several rows of points at a time where they read the same.
void vectorizeOuterLoops(mlir::Operation *root, const VectorForms &forms);

/// The same in all functions, with whatever vectors LLVM takes.
std::unique_ptr<mlir::Pass> createVectorizeOuterPass();

/// Lowers what bufferization leaves (scf, arith, math) to the llvm dialect; an operation that remains is an error.
std::unique_ptr<mlir::Pass> createLowerToLLVMPass();

} // namespace ferry::codegen
