// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/placement.h"

#include "ferry/machine.h"
#include "ferry/plan_text.h"
#include "runtime/cuda/driver.h"

namespace ferry {

namespace {

/// An integer or a bool, as a number that sizes and conditions may depend on.
std::optional<int64_t> integerOf(const runtime::Value &value) {
  using runtime::ElementType;
  switch (value.type) {
  case ElementType::i8:
    return value.as<int8_t>()[0];
  case ElementType::u8:
  case ElementType::boolean:
    return value.as<uint8_t>()[0];
  case ElementType::i16:
    return value.as<int16_t>()[0];
  case ElementType::u16:
    return value.as<uint16_t>()[0];
  case ElementType::i32:
    return value.as<int32_t>()[0];
  case ElementType::u32:
    return value.as<uint32_t>()[0];
  case ElementType::i64:
  case ElementType::u64:
    return value.as<int64_t>()[0];
  case ElementType::f16:
  case ElementType::f32:
  case ElementType::f64:
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace

std::optional<array::PlacementOptions> readPlacement(const PlacementOptions &options, std::string &error) {
  array::PlacementOptions result;
  auto machine = machineOf(options, error);
  if (!machine)
    return std::nullopt;
  result.machine = *machine;
  if (auto problem = array::readPlan(options.plan, result)) {
    error = "--plan: " + *problem;
    return std::nullopt;
  }
  auto pins = readPins(options.pins, error);
  if (!pins)
    return std::nullopt;
  for (const auto &[name, side] : *pins)
    result.pins.push_back({name, side == placement::Side::Host ? array::Side::host : array::Side::device});
  auto assumptions = readAssumptions(options.assume, error);
  if (!assumptions)
    return std::nullopt;
  for (const auto &[name, number] : *assumptions)
    result.inputs.assumptions[name] = number;
  if (!options.observed.empty()) {
    auto observed = readObservations(options.observed, error);
    if (!observed)
      return std::nullopt;
    result.inputs.observed = std::move(*observed);
  }
  return result;
}

std::vector<array::ArgumentInput> placementInputs(const std::vector<runtime::Value> &arguments) {
  std::vector<array::ArgumentInput> inputs;
  for (const runtime::Value &value : arguments) {
    array::ArgumentInput input;
    if (value.rank() > 0)
      input.shape = value.shape;
    else
      input.scalar = integerOf(value);
    inputs.push_back(input);
  }
  return inputs;
}

codegen::KernelTarget kernelTarget(const ChosenDevice &device) {
  if (device.kind == runtime::DeviceKind::opencl)
    return {codegen::KernelLanguage::openCl};
  codegen::KernelTarget target;
  if (device.kind != runtime::DeviceKind::cuda)
    return target;
  target.language = codegen::KernelLanguage::ptx;
  std::string ignored; // whoever opens the device says it
  if (auto choice = runtime::cuda::choose(device.which, ignored))
    target.capability = choice->capability;
  return target;
}

} // namespace ferry
