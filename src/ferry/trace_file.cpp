// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/trace_file.h"

#include "ferry/files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <map>

namespace ferry {

using runtime::Measured;

namespace {

constexpr std::pair<Measured::Kind, llvm::StringLiteral> kinds[] = {
    {Measured::host, "host"},         {Measured::launch, "launch"}, {Measured::upload, "upload"},
    {Measured::download, "download"}, {Measured::peek, "peek"},     {Measured::poke, "poke"},
    {Measured::argument, "argument"}};

llvm::StringRef nameOf(Measured::Kind kind) {
  return llvm::find_if(kinds, [&](const auto &known) { return known.first == kind; })->second;
}

std::optional<Measured::Kind> kindOf(llvm::StringRef name) {
  const auto *found = llvm::find_if(kinds, [&](const auto &known) { return known.second == name; });
  return found == std::end(kinds) ? std::nullopt : std::optional(found->first);
}

std::string markOf(const std::string &text) { return llvm::utohexstr(llvm::xxh3_64bits(text), true, 16); }

std::optional<TracedPart> partOf(const llvm::json::Object &object) {
  auto kind = kindOf(object.getString("kind").value_or(""));
  auto name = object.getString("name"), at = object.getString("at");
  auto count = object.getInteger("count"), time = object.getInteger("picoseconds"), least = object.getInteger("least"),
       most = object.getInteger("most");
  if (!kind || !name || !at || !count || *count <= 0 || !time || !least || !most || *least < 0 || *time < *least ||
      *most < *time)
    return std::nullopt;
  return TracedPart{{*kind, name->str(), at->str()}, *count, *time, *least, *most};
}

} // namespace

std::string withoutFolder(const std::string &location) {
  size_t slash = location.rfind('/');
  return slash == std::string::npos ? location : location.substr(slash + 1);
}

std::string programMark(const array::PlacementReport &plan) {
  std::string text = plan.function + "\n";
  for (const auto *names : {&plan.statements, &plan.arrays})
    for (const array::SourceName &each : *names)
      text += each.name + " " + withoutFolder(each.location) + "\n";
  return markOf(text);
}

std::string planMark(const array::PlacementReport &plan) {
  const placement::Graph &graph = plan.solution.graph();
  std::string text;
  for (const placement::Array &array : graph.arrays)
    text += std::to_string(array.bytes) + " ";
  for (placement::PointId id = 0; id < graph.points.size(); ++id)
    if (graph.points[id].kind == placement::PointKind::Operation)
      text += placement::toString(plan.solution.plan.sides[id]);
  for (bool isKernel : plan.solution.plan.kernels)
    text += isKernel ? '1' : '0';
  for (const placement::Copy &copy : plan.solution.plan.copies)
    text += " " + std::to_string(copy.edge) + "," + std::to_string(copy.array) + "," +
            placement::toString(copy.direction) + (copy.box ? placement::toString(*copy.box) : "");
  for (const placement::Access &access : plan.solution.plan.accesses)
    text += " " + std::to_string(access.point) + "," + std::to_string(access.array) + "," +
            placement::toString(access.traffic);
  return markOf(text);
}

std::vector<TracedPart> quarterOf(const std::vector<std::vector<Measured>> &runs) {
  std::vector<Part> order;
  std::map<Part, std::vector<std::pair<int64_t, int64_t>>> found; // picoseconds and counts, run by run
  for (const std::vector<Measured> &run : runs) {
    std::map<Part, std::pair<int64_t, int64_t>> sums;
    for (const Measured &each : run) {
      Part part{each.kind, each.name, withoutFolder(each.location)};
      auto &[time, count] = sums[part];
      time += each.nanoseconds * 1000;
      count += each.count;
      if (found.try_emplace(part).second)
        order.push_back(part);
    }
    for (const auto &[part, sum] : sums)
      found[part].push_back(sum);
  }
  std::vector<TracedPart> parts;
  for (const Part &part : order) {
    std::vector<std::pair<int64_t, int64_t>> &times = found[part];
    llvm::sort(times);
    const auto &[time, count] = times[times.size() / 4];
    parts.push_back({part, count, time, times.front().first, times.back().first});
  }
  return parts;
}

std::string traceText(const TraceFile &trace) {
  llvm::json::Array parts;
  for (const TracedPart &each : trace.parts)
    parts.push_back(llvm::json::Object{{"kind", nameOf(each.part.kind)},
                                       {"name", each.part.name},
                                       {"at", each.part.location},
                                       {"count", each.count},
                                       {"picoseconds", each.picoseconds},
                                       {"least", each.least},
                                       {"most", each.most}});
  llvm::json::Object content{{"program", trace.program},
                             {"plan", trace.plan},
                             {"device", trace.device},
                             {"runs", trace.runs},
                             {"parts", std::move(parts)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(content)));
}

std::optional<TraceFile> readTrace(const std::string &path, std::string &error) {
  auto text = readFile(path, error);
  if (!text)
    return std::nullopt;
  error = path + ": --against takes a trace that `ferry run --trace` wrote";
  auto content = llvm::json::parse(*text);
  if (!content) {
    llvm::consumeError(content.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *trace = content->getAsObject();
  const llvm::json::Array *parts = trace ? trace->getArray("parts") : nullptr;
  if (!parts)
    return std::nullopt;
  auto program = trace->getString("program"), plan = trace->getString("plan"), device = trace->getString("device");
  auto runs = trace->getInteger("runs");
  if (!program || !plan || !device || !runs || *runs <= 0)
    return std::nullopt;
  TraceFile result{program->str(), plan->str(), device->str(), static_cast<int>(*runs), {}};
  for (const llvm::json::Value &each : *parts) {
    auto part = each.getAsObject() ? partOf(*each.getAsObject()) : std::nullopt;
    if (!part)
      return std::nullopt;
    result.parts.push_back(std::move(*part));
  }
  error.clear();
  return result;
}

} // namespace ferry
