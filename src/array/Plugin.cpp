// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `mlir-opt --load-dialect-plugin` and `--load-pass-plugin` look for in a shared library.

#include "array/Passes.h"
#include "array/place/PlacePasses.h"
#include "array/place/PlacementInterface.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ferry", LLVM_VERSION_STRING, [](mlir::DialectRegistry *registry) {
            registry->insert<ferry::array::ArrayDialect>();
            ferry::array::registerPlacementModels(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ferry", LLVM_VERSION_STRING, [] {
            ferry::array::registerPasses();
            ferry::array::registerPlacePasses();
          }};
}
