// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/compiled.h"

namespace ferry {

using placement::Rational;

static void write(const PlanAccount &plan, runtime::ByteWriter &to) {
  to.number(plan.exact);
  for (const Rational *count : {&plan.clock, &plan.uploads, &plan.uploadBytes, &plan.downloads, &plan.downloadBytes,
                                &plan.peeks, &plan.pokes, &plan.launches})
    to.text(count->toString());
  to.number(plan.devicePeak);
  to.number(plan.leastDevicePeak);
  to.number(static_cast<int64_t>(plan.observationSites.size()));
  for (const std::string &site : plan.observationSites)
    to.text(site);
  to.text(plan.explanation);
  to.text(plan.programMark);
  to.text(plan.planMark);
}

static std::optional<PlanAccount> readPlan(runtime::ByteReader &from) {
  PlanAccount plan;
  plan.exact = from.number() != 0;
  for (Rational *count : {&plan.clock, &plan.uploads, &plan.uploadBytes, &plan.downloads, &plan.downloadBytes,
                          &plan.peeks, &plan.pokes, &plan.launches}) {
    auto number = Rational::parse(from.text());
    if (!number)
      return std::nullopt;
    *count = *number;
  }
  plan.devicePeak = from.number();
  plan.leastDevicePeak = from.number();
  plan.observationSites.resize(static_cast<size_t>(from.count()));
  for (std::string &site : plan.observationSites)
    site = from.text();
  plan.explanation = from.text();
  plan.programMark = from.text();
  plan.planMark = from.text();
  return plan;
}

std::string toBytes(const CompiledEntry &compiled) {
  runtime::ByteWriter to;
  runtime::write(compiled.entry, to);
  to.text(compiled.code);
  to.text(compiled.messages);
  to.number(compiled.plan.has_value());
  if (compiled.plan)
    write(*compiled.plan, to);
  return to.bytes();
}

std::optional<CompiledEntry> compiledFromBytes(std::string_view bytes) {
  runtime::ByteReader from(bytes);
  CompiledEntry compiled;
  compiled.entry = runtime::readEntryPoint(from);
  compiled.code = from.text();
  compiled.messages = from.text();
  if (from.number() != 0) {
    compiled.plan = readPlan(from);
    if (!compiled.plan)
      return std::nullopt;
  }
  return from.isWhole() ? std::optional(std::move(compiled)) : std::nullopt;
}

} // namespace ferry
