// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts meet by name and place. What happens under one name at one place is one part, in the plan as in the trace.
// Executions are compared, not sums, so that a trip count that the plan had to assume does not count as a wrong price.

#include "ferry/against.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <array>
#include <map>

namespace ferry {

using placement::Rational;
using runtime::Measured;

namespace {

/// What takes less than this is over before two readings of the clock are.
constexpr double shortest = 1e6;

class Pricer {
public:
  explicit Pricer(const array::PlacementReport &report)
      : report(report), graph(report.solution.graph()), plan(report.solution.plan) {}

  std::vector<PricedPart> run() {
    for (placement::PointId id = 0; id < graph.points.size(); ++id)
      if (graph.points[id].kind == placement::PointKind::Operation)
        operation(id);
    launchKernels();
    for (const placement::Copy &copy : plan.copies)
      this->copy(copy);
    for (const placement::Access &access : plan.accesses)
      this->access(access);
    return std::move(parts);
  }

private:
  /// Of a statement; `described` is its name with its place, if it has none of its own.
  Part partOf(Measured::Kind kind, placement::Tag tag, const std::string &described) const {
    std::string location = tag < report.statements.size() ? withoutFolder(report.statements[tag].location) : "";
    llvm::StringRef name = described;
    size_t column = location.rfind(':'), line = column == std::string::npos ? column : location.rfind(':', column - 1);
    if (line != std::string::npos)
      name.consume_back(" at " + location.substr(line + 1));
    return {kind, name.str(), location};
  }

  void add(const Part &part, const Rational &count, const Rational &price) {
    if (count == Rational(0))
      return;
    auto [place, isNew] = places.try_emplace(part, parts.size());
    if (isNew)
      parts.push_back({part, 0, 0});
    parts[place->second].count += count;
    parts[place->second].price += price;
  }

  Rational launchPrice(const std::optional<placement::Time> &own) const {
    return Rational(own.value_or(report.machine.launch)) + Rational(report.machine.synchronize);
  }

  Part kernelPart(placement::RegionId region) const {
    return partOf(Measured::launch, graph.regions[region].tag, graph.regions[region].name);
  }

  void operation(placement::PointId id) {
    const placement::Point &point = graph.points[id];
    placement::RegionId kernel = placement::kernelOf(graph, plan, id);
    if (kernel != placement::kNone) {
      inKernels[kernel] += point.frequency * Rational(point.cost.inner);
      return;
    }
    placement::Sides sides = plan.sides[id];
    if (sides != placement::Sides::Device && point.cost.host > 0)
      add(partOf(Measured::host, point.tag, point.name), point.frequency, point.frequency * Rational(point.cost.host));
    bool isLaunched = point.cost.launch.value_or(report.machine.launch) != 0;
    if (sides != placement::Sides::Host && isLaunched)
      add(partOf(Measured::launch, point.tag, point.name), plan.shares[id] ? Rational(0) : point.frequency,
          point.frequency * (Rational(point.cost.device) + launchPrice(point.cost.launch)));
  }

  void launchKernels() {
    for (const placement::Edge &edge : graph.edges) {
      placement::RegionId kernel = placement::kernelOf(graph, plan, edge.to);
      if (kernel != placement::kNone && kernel != placement::kernelOf(graph, plan, edge.from))
        add(kernelPart(kernel), edge.frequency, edge.frequency * launchPrice(graph.regions[kernel].launch));
    }
    for (const auto &[kernel, price] : inKernels)
      if (auto place = places.find(kernelPart(kernel)); place != places.end())
        parts[place->second].price += price;
  }

  void copy(const placement::Copy &copy) {
    const placement::Array &array = graph.arrays[copy.array];
    Rational price = copy.frequency * Rational(copy.price);
    bool isUpload = copy.direction == placement::Direction::HostToDevice;
    if (isUpload && array.byValue)
      add({Measured::argument, "", ""}, copy.frequency, price);
    else if (array.bytes > 0)
      add({isUpload ? Measured::upload : Measured::download, array.name, ""}, copy.frequency, price);
  }

  void access(const placement::Access &access) {
    const placement::Point &point = graph.points[access.point];
    bool isPeek = access.traffic == placement::Traffic::Peek;
    std::optional<placement::Time> price;
    for (const placement::Read &read : point.reads)
      if (isPeek && read.array == access.array && read.peek)
        price = read.peek;
    for (const placement::Write &write : point.writes)
      if (!isPeek && write.array == access.array && write.poke)
        price = write.poke;
    if (price)
      add(partOf(isPeek ? Measured::peek : Measured::poke, point.tag, point.name), point.frequency,
          point.frequency * Rational(*price));
  }

  const array::PlacementReport &report;
  const placement::Graph &graph;
  const placement::Plan &plan;
  std::map<Part, size_t> places;
  std::map<placement::RegionId, Rational> inKernels; ///< What is done in each, launches left out.
  std::vector<PricedPart> parts;
};

std::string described(const Part &part) {
  switch (part.kind) {
  case Measured::host:
    return part.name + ", host";
  case Measured::launch:
    return part.name + ", device";
  case Measured::upload:
    return "to the device: " + part.name;
  case Measured::download:
    return "to the host: " + part.name;
  case Measured::peek:
    return part.name + ", reads across the bus";
  case Measured::poke:
    return part.name + ", writes across the bus";
  case Measured::argument:
    return "scalars for kernels";
  }
  return part.name;
}

std::string time(const std::optional<double> &picoseconds) {
  if (!picoseconds)
    return "-";
  if (*picoseconds < 1e9)
    return llvm::formatv("{0:f2} us", *picoseconds * 1e-6);
  return llvm::formatv("{0:f2} ms", *picoseconds * 1e-9);
}

/// Lines of equal columns: two of words, to the left, then numbers.
std::string tableOf(const std::vector<std::array<std::string, 6>> &rows) {
  std::array<size_t, 6> widths{};
  for (const auto &row : rows)
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column) {
      std::string padding(widths[column] - row[column].size(), ' ');
      line += (column ? "  " : "") + (column < 2 ? row[column] + padding : padding + row[column]);
    }
    text += line + "\n";
  }
  return text;
}

std::optional<double> medianOf(const std::vector<ComparedPart> &parts) {
  std::vector<double> ratios;
  for (const ComparedPart &each : parts)
    if (each.ratio)
      ratios.push_back(*each.ratio);
  if (ratios.empty())
    return std::nullopt;
  llvm::sort(ratios);
  size_t half = ratios.size() / 2;
  return ratios.size() % 2 ? ratios[half] : (ratios[half - 1] + ratios[half]) / 2;
}

} // namespace

std::vector<PricedPart> pricedParts(const array::PlacementReport &plan) { return Pricer(plan).run(); }

std::optional<Comparison> compare(const array::PlacementReport &plan, const TraceFile &trace, std::string &error) {
  if (trace.program != programMark(plan)) {
    error = "the trace is of another program";
    return std::nullopt;
  }
  if (trace.plan != planMark(plan)) {
    error = "the trace is of another plan of this program: give the arguments (--input), the device, the machine and "
            "the plan that it was run with";
    return std::nullopt;
  }
  Comparison result;
  std::map<Part, size_t> places;
  for (const PricedPart &priced : pricedParts(plan)) {
    places.emplace(priced.part, result.parts.size());
    result.parts.push_back({priced.part, 0, (priced.price / priced.count).toDouble(), std::nullopt, std::nullopt});
  }
  for (const TracedPart &traced : trace.parts) {
    auto [place, isNew] = places.try_emplace(traced.part, result.parts.size());
    if (isNew)
      result.parts.push_back({traced.part, 0, std::nullopt, std::nullopt, std::nullopt});
    ComparedPart &part = result.parts[place->second];
    part.count = static_cast<double>(traced.count);
    part.measured = static_cast<double>(traced.picoseconds) / part.count;
    if (part.predicted && *part.measured > 0 && std::max(*part.predicted, *part.measured) >= shortest)
      part.ratio = *part.predicted / *part.measured;
  }
  result.median = medianOf(result.parts);
  return result;
}

std::string againstText(const Comparison &comparison, const TraceFile &trace) {
  std::vector<std::array<std::string, 6>> rows = {{"", "each time", "times", "predicted", "measured", "ratio"}};
  size_t count = 0;
  for (const ComparedPart &part : comparison.parts) {
    count += part.ratio.has_value();
    rows.push_back({part.part.location, described(part.part), llvm::formatv("{0:f0}", part.count), time(part.predicted),
                    time(part.measured), part.ratio ? llvm::formatv("{0:f2}", *part.ratio).str() : "-"});
  }
  std::string text = tableOf(rows);
  text += "on " + trace.device + ", the quick quarter of " + std::to_string(trace.runs) +
          " runs; each kernel is waited for, and its price has that wait\n";
  if (!comparison.median)
    return text + "nothing was long enough to be measured\n";
  text +=
      llvm::formatv("predicted / measured: {0:f2} in the middle of {1}; - is too short to be measured, or on one side "
                    "only\n",
                    *comparison.median, count);
  return text;
}

std::string againstJson(const Comparison &comparison, const TraceFile &trace) {
  llvm::json::Array parts;
  auto number = [](const std::optional<double> &value) {
    return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
  };
  for (const ComparedPart &part : comparison.parts)
    parts.push_back(llvm::json::Object{{"at", part.part.location},
                                       {"what", described(part.part)},
                                       {"count", part.count},
                                       {"predicted", number(part.predicted)},
                                       {"measured", number(part.measured)},
                                       {"ratio", number(part.ratio)}});
  llvm::json::Object content{{"device", trace.device},
                             {"runs", trace.runs},
                             {"parts", std::move(parts)},
                             {"median", number(comparison.median)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(content)));
}

} // namespace ferry
