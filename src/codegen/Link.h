// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a module of LLVM's to a shared object that runtime/shared_object.h loads.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <optional>
#include <string>
#include <string_view>

namespace ferry::codegen {

/// Has the module call the run-time's functions through a table of imports. Nothing else is done with them.
void importRuntime(llvm::Module &module);

/// Links an object file that is for this machine. It may refer to what libc, libm and libgcc_s have, and on x86-64
/// libmvec; what it uses of them it names. Nothing, with a line in `error`, if it refers to anything else.
std::optional<std::string> linkShared(std::string_view object, std::string &error);

} // namespace ferry::codegen
