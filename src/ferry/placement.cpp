// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/placement.h"

#include "ferry/machine.h"
#include "ferry/profiles.h"
#include "ferry/report.h"
#include "runtime/cuda/driver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <limits>

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

/// Of the device that `--device` names, if there is such.
static std::optional<placement::Machine> ownProfile(const std::string &name, std::string &error) {
  PlacementOptions alone;
  alone.device = name;
  std::string unknown; // said where the device is chosen
  auto device = chooseDevice(alone, nullptr, unknown);
  return device ? profileOf(device->kind, device->which, error) : placement::machineByName("sim");
}

std::optional<array::PlacementOptions> readPlacement(const PlacementOptions &options, std::string &error) {
  array::PlacementOptions result;
  auto machine = options.machine.empty() ? ownProfile(options.device, error) : readMachine(options.machine, error);
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

std::optional<int64_t> parseBytes(const std::string &text) {
  llvm::StringRef rest = text;
  int64_t unit = 1;
  if (rest.consume_back("K"))
    unit = int64_t{1} << 10;
  else if (rest.consume_back("M"))
    unit = int64_t{1} << 20;
  else if (rest.consume_back("G"))
    unit = int64_t{1} << 30;
  int64_t number = 0;
  if (rest.getAsInteger(10, number) || number <= 0 || number > std::numeric_limits<int64_t>::max() / unit)
    return std::nullopt;
  return number * unit;
}

std::optional<ChosenDevice> chooseDevice(const PlacementOptions &options, const char *askedBy, std::string &error) {
  const std::pair<bool, const char *> asked[] = {
      {!options.machine.empty(), "--machine"},
      {options.plan != "auto", "--plan"},
      {!options.pins.empty(), "--pin"},
      {!options.assume.empty(), "--assume"},
      {!options.observed.empty(), "--observed"},
      {!options.deviceMemory.empty(), "--device-memory"},
      {askedBy != nullptr, askedBy ? askedBy : ""},
  };
  const auto *first = llvm::find_if(asked, [](const auto &option) { return option.first; });
  bool isAsked = first != std::end(asked);
  using runtime::DeviceKind;
  if (options.device == "sim" || options.device.empty())
    return ChosenDevice{!options.device.empty() || isAsked ? DeviceKind::sim : DeviceKind::none, ""};
  if (llvm::StringRef name = options.device; name.consume_front("opencl") && (name.empty() || name.consume_front(":")))
    return ChosenDevice{DeviceKind::opencl, name.str()};
  if (llvm::StringRef name = options.device; name.consume_front("cuda") && (name.empty() || name.consume_front(":")))
    return ChosenDevice{DeviceKind::cuda, name.str()};
  if (options.device != "host")
    error = "--device: there is no device '" + options.device + "'; `ferry devices` lists them";
  else if (isAsked)
    error = std::string(first->second) + " is about placement, and with --device host there is nothing to place";
  else
    return ChosenDevice{DeviceKind::none, ""};
  return std::nullopt;
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
