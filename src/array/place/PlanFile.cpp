// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/Place.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ferry::array {

static std::optional<Side> parseSide(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<Side>>(text)
      .Case("host", Side::host)
      .Case("device", Side::device)
      .Default(std::nullopt);
}

static std::optional<Strategy> parseStrategy(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<Strategy>>(text)
      .Case("auto", Strategy::automatic)
      .Case("all-host", Strategy::allHost)
      .Case("all-device", Strategy::allDevice)
      .Case("arrays-on-device", Strategy::arraysOnDevice)
      .Case("soacs-on-device", Strategy::soacsOnDevice)
      .Default(std::nullopt);
}

std::optional<NamedPin> parsePin(llvm::StringRef text) {
  auto [name, sideText] = text.rsplit('=');
  auto side = parseSide(sideText);
  return side && !name.empty() ? std::optional(NamedPin{name.str(), *side}) : std::nullopt;
}

// What is wrong with it, or nothing.
static std::optional<std::string> readPins(const llvm::json::Value &value, PlacementOptions &options) {
  const llvm::json::Object *pins = value.getAsObject();
  if (!pins)
    return "\"pins\" must be an object of names and sides";
  for (const auto &[name, side] : *pins) {
    auto parsed = parseSide(side.getAsString().value_or(""));
    if (!parsed)
      return ("pin \"" + llvm::StringRef(name) + "\" must be \"host\" or \"device\"").str();
    options.pins.push_back({name.str(), *parsed});
  }
  return std::nullopt;
}

static std::optional<std::string> readStrategy(const llvm::json::Value &value, PlacementOptions &options) {
  auto name = value.getAsString();
  auto strategy = name ? parseStrategy(*name) : std::nullopt;
  if (!name)
    return "\"plan\" must be a plan's name";
  if (!strategy)
    return ("\"plan\" is \"" + *name + "\", which is no plan's name").str();
  options.strategy = *strategy;
  return std::nullopt;
}

static std::optional<std::string> readMembers(const llvm::json::Value &value, PlacementOptions &options) {
  const llvm::json::Object *file = value.getAsObject();
  if (!file)
    return "is no JSON object; it needs the members \"plan\" and \"pins\"";
  for (const auto &[name, member] : *file) {
    std::optional<std::string> wrong;
    if (name == "plan")
      wrong = readStrategy(member, options);
    else if (name == "pins")
      wrong = readPins(member, options);
    else
      wrong = ("has no member \"" + llvm::StringRef(name) + "\", only \"plan\" and \"pins\"").str();
    if (wrong)
      return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> readPlan(llvm::StringRef plan, PlacementOptions &options) {
  if (auto strategy = parseStrategy(plan)) {
    options.strategy = *strategy;
    return std::nullopt;
  }
  auto buffer = llvm::MemoryBuffer::getFile(plan, /*IsText=*/true);
  if (!buffer)
    return (plan + ": neither a plan (auto, all-host, all-device, arrays-on-device, soacs-on-device) nor a file: " +
            buffer.getError().message())
        .str();
  auto value = llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return (plan + ": " + llvm::toString(value.takeError())).str();
  auto wrong = readMembers(*value, options);
  return wrong ? std::optional((plan + ": " + *wrong).str()) : std::nullopt;
}

} // namespace ferry::array
