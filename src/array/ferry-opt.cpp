// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry-opt: mlir-opt with the array dialect and its passes.

#include "array/Passes.h"
#include "array/place/PlacePasses.h"
#include "array/place/PlacementInterface.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<ferry::array::ArrayDialect>();
  mlir::registerAllPasses();
  ferry::array::registerPlacementModels(registry);
  ferry::array::registerPasses();
  ferry::array::registerPlacePasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Ferry's optimizer driver\n", registry));
}
