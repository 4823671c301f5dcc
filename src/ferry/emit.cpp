// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry emit: the program as it is after a stage of its compilation.

#include "ferry/compile.h"
#include "ferry/compiler_commands.h"
#include "ferry/device_choice.h"
#include "ferry/errors.h"
#include "ferry/files.h"
#include "ferry/placement.h"

#include "codegen/Program.h"
#include "runtime/cuda/driver.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {

namespace {

enum class EmitStage { array, fused, placed, opencl, ptx, buffers, llvm, llvmIr, assembly };

/// In the order in which a program goes through them.
constexpr std::pair<llvm::StringLiteral, EmitStage> stages[] = {
    {"array", EmitStage::array},   {"fused", EmitStage::fused},    {"placed", EmitStage::placed},
    {"opencl", EmitStage::opencl}, {"ptx", EmitStage::ptx},        {"buffers", EmitStage::buffers},
    {"llvm", EmitStage::llvm},     {"llvm-ir", EmitStage::llvmIr}, {"asm", EmitStage::assembly}};

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
  case EmitStage::ptx:
    return codegen::Stage::ptx;
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

/// Whether the device has the kernels that a stage prints; else the error says which device has.
bool hasKernelsOf(EmitStage stage, llvm::StringRef device, std::string &error) {
  if (stage == EmitStage::opencl && !device.starts_with("opencl"))
    error = "--stage opencl is of a device with kernels in OpenCL C: say --device opencl";
  if (stage == EmitStage::ptx && !device.starts_with("cuda"))
    error = "--stage ptx is of a device with kernels in PTX: say --device cuda";
  return error.empty();
}

/// "sm_90" as 90; the device's if it is not said.
std::optional<codegen::KernelTarget> targetOf(const EmitOptions &options, const ChosenDevice &device,
                                              std::string &error) {
  codegen::KernelTarget target = kernelTarget(device);
  llvm::StringRef rest = options.arch;
  if (rest.empty())
    return target;
  if (target.language != codegen::KernelLanguage::ptx)
    error = "--arch is of a device with kernels in PTX: say --device cuda";
  else if (!rest.consume_front("sm_") || rest.getAsInteger(10, target.capability) ||
           target.capability < runtime::cuda::leastCapability)
    error =
        "--arch: '" + options.arch + "' is no GPU that Ferry makes PTX for; sm_80 and sm_90 are some, sm_70 the least";
  return error.empty() ? std::optional(target) : std::nullopt;
}

int print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return writeOutput(text);
}

} // namespace

int compiler_commands::emit(const EmitOptions &options) {
  std::string error;
  auto stage = parseStage(options.stage, error);
  auto placement = stage ? readPlacement(options.placement, error) : std::nullopt;
  bool isPlaced = stage == EmitStage::placed && options.placement.device.empty();
  if (placement && !hasKernelsOf(*stage, options.placement.device, error))
    placement.reset();
  auto device =
      placement ? chooseDevice(options.placement, isPlaced ? "--stage placed" : nullptr, error) : std::nullopt;
  auto target = device ? targetOf(options, *device, error) : std::nullopt;
  if (!target)
    return fail(error, exitUsage);
  Compilation compilation;
  if (int status = compilation.load(options.file, options.entry))
    return status;
  if (*stage == EmitStage::array)
    return print(compilation.module());
  if (options.input) {
    auto arguments = runtime::readArguments(compilation.entry(), error);
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
  auto text = codegen::emitStage(compilation.module(), codegenStage(*stage), *target);
  if (!text)
    return exitFailure;
  return writeOutput(*text);
}

} // namespace ferry
