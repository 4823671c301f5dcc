// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/price/locations.h"

#include <cctype>
#include <set>

namespace ferry::sdfg {

static bool isTwinOf(const Container &twin, const Container *origin) {
  return origin && !origin->isOnDevice() && twin.shape == origin->shape && twin.elementBytes == origin->elementBytes;
}

/// Without a number at the end: "A" of "A_0".
static std::string withoutNumber(const std::string &name) {
  std::size_t end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])))
    --end;
  return end > 1 && end < name.size() && name[end - 1] == '_' ? name.substr(0, end - 1) : name;
}

std::string originOf(const Sdfg &sdfg, const std::string &container) {
  constexpr std::string_view prefix = "gpu_";
  const Container *twin = sdfg.find(container);
  if (!twin || !twin->transient || !twin->isOnDevice() || !container.starts_with(prefix))
    return container;
  std::string rest = container.substr(prefix.size());
  for (const std::string &name : {rest, "__" + rest, withoutNumber(rest), "__" + withoutNumber(rest)})
    if (isTwinOf(*twin, sdfg.find(name)))
      return name;
  return container;
}

static std::string placeOf(const Container &container, bool hasTwin) {
  switch (container.storage ? container.storage->location : Location::Open) {
  case Location::Device:
    return "device";
  case Location::InKernel:
  case Location::Local:
    return "kernel";
  default:
    return hasTwin ? "host and device" : "host";
  }
}

std::vector<ContainerPlace> placesOf(const Sdfg &sdfg) {
  std::set<std::string> twins, origins;
  for (const Container &each : sdfg.containers)
    if (std::string origin = originOf(sdfg, each.name); origin != each.name) {
      twins.insert(each.name);
      origins.insert(origin);
    }
  std::vector<ContainerPlace> result;
  for (const Container &each : sdfg.containers)
    if (!twins.contains(each.name))
      result.push_back({each.name, placeOf(each, origins.contains(each.name))});
  return result;
}

} // namespace ferry::sdfg
