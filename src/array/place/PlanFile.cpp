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

static std::optional<std::string> readPins(llvm::StringRef path, const llvm::json::Value &value,
                                           PlacementOptions &options) {
  auto wrong = [&](llvm::StringRef what) { return (path + ": " + what).str(); };
  const llvm::json::Object *file = value.getAsObject();
  if (!file)
    return wrong("is no JSON object; it needs the members \"plan\" and \"pins\"");
  if (auto plan = file->getString("plan")) {
    auto strategy = parseStrategy(*plan);
    if (!strategy)
      return wrong(("\"plan\" is \"" + *plan + "\", which is no plan's name").str());
    options.strategy = *strategy;
  }
  const llvm::json::Object *pins = file->getObject("pins");
  for (const auto &[name, side] : pins ? *pins : llvm::json::Object()) {
    auto parsed = parseSide(side.getAsString().value_or(""));
    if (!parsed)
      return wrong(("pin \"" + llvm::StringRef(name) + "\" must be \"host\" or \"device\"").str());
    options.pins.push_back({name.str(), *parsed});
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
  return readPins(plan, *value, options);
}

} // namespace ferry::array
