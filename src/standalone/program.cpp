// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "standalone/program.h"

namespace ferry::standalone {

std::string toBytes(const Program &program) {
  runtime::ByteWriter to;
  to.number(static_cast<int64_t>(program.features.size()));
  for (const std::string &feature : program.features)
    to.text(feature);
  to.text(program.machine);
  to.number(static_cast<int64_t>(program.variants.size()));
  for (const Variant &variant : program.variants) {
    to.number(static_cast<int64_t>(variant.device));
    runtime::write(variant.entry, to);
  }
  return to.bytes();
}

std::optional<Program> programFromBytes(std::string_view bytes) {
  runtime::ByteReader from(bytes);
  Program program;
  program.features.resize(static_cast<size_t>(from.count()));
  for (std::string &feature : program.features)
    feature = from.text();
  program.machine = from.text();
  program.variants.resize(static_cast<size_t>(from.count()));
  for (Variant &variant : program.variants) {
    variant.device = static_cast<runtime::DeviceKind>(from.number());
    variant.entry = runtime::readEntryPoint(from);
  }
  return from.isWhole() ? std::optional(std::move(program)) : std::nullopt;
}

} // namespace ferry::standalone
