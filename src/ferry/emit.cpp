// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry emit: the program as it is after a stage of its compilation.

#include "ferry/arguments.h"
#include "ferry/files.h"
#include "ferry/placement.h"

#include "codegen/Program.h"

#include "llvm/Support/raw_ostream.h"

namespace ferry {

namespace {

enum class EmitStage { array, fused, placed, opencl, buffers, llvm, llvmIr, assembly };

/// In the order in which a program goes through them.
constexpr std::pair<llvm::StringLiteral, EmitStage> stages[] = {
    {"array", EmitStage::array},    {"fused", EmitStage::fused},     {"placed", EmitStage::placed},
    {"opencl", EmitStage::opencl},  {"buffers", EmitStage::buffers}, {"llvm", EmitStage::llvm},
    {"llvm-ir", EmitStage::llvmIr}, {"asm", EmitStage::assembly}};

std::optional<EmitStage> parseStage(llvm::StringRef name, std::string &error) {
  std::string names;
  for (const auto &[known, stage] : stages) {
    if (known == name)
      return stage;
    names += (names.empty() ? "" : ", ") + known.str();
  }
  error = "--stage: there is no stage '" + name.str() + "'; there are " + names;
  return std::nullopt;
}

codegen::Stage codegenStage(EmitStage stage) {
  switch (stage) {
  case EmitStage::opencl:
    return codegen::Stage::opencl;
  case EmitStage::buffers:
    return codegen::Stage::buffers;
  case EmitStage::llvm:
    return codegen::Stage::llvm;
  case EmitStage::llvmIr:
    return codegen::Stage::llvmIr;
  default:
    return codegen::Stage::assembly;
  }
}

int print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return writeOutput(text);
}

} // namespace

int emit(const EmitOptions &options) {
  std::string error;
  auto stage = parseStage(options.stage, error);
  auto placement = stage ? readPlacement(options.placement, error) : std::nullopt;
  bool isPlaced = stage == EmitStage::placed && options.placement.device.empty();
  if (placement && stage == EmitStage::opencl && !llvm::StringRef(options.placement.device).starts_with("opencl")) {
    error = "--stage opencl is of a device with kernels in OpenCL C: say --device opencl";
    placement.reset();
  }
  auto device =
      placement ? chooseDevice(options.placement, isPlaced ? "--stage placed" : nullptr, error) : std::nullopt;
  if (!device) {
    llvm::errs() << "ferry: error: " << error << '\n';
    return exitUsage;
  }
  Compilation compilation;
  if (int status = compilation.load(options.file, options.entry))
    return status;
  if (*stage == EmitStage::array)
    return print(compilation.module());
  if (options.input) {
    auto arguments = readArguments(compilation.entry(), error);
    if (!arguments) {
      llvm::errs() << error << '\n';
      return exitFailure;
    }
    placement->inputs.arguments = placementInputs(*arguments);
  }
  if (int status = compilation.optimize(device->hasMemory()))
    return status;
  if (*stage == EmitStage::fused)
    return print(compilation.module());
  std::optional<array::PlacementReport> plan;
  if (device->hasMemory())
    if (int status = compilation.place(*placement, plan))
      return status;
  if (*stage == EmitStage::placed)
    return print(compilation.module());
  if (int status = compilation.finish())
    return status;
  auto text =
      codegen::emitStage(compilation.module(), codegenStage(*stage), device->kind == runtime::DeviceKind::opencl);
  if (!text)
    return exitFailure;
  return writeOutput(*text);
}

} // namespace ferry
