// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are made once, by name, of what either graph has; text and JSON are two ways to print them.

#include "ferry/compare.h"

#include "report/json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

namespace ferry {

namespace {

using sdfg::PriceItem;
using Pair = std::array<PricedGraph, 2>;

constexpr std::size_t kDifferences = 10; ///< At most so many lines make the difference.
constexpr double kMicrosecond = 1e6;     ///< In picoseconds.

struct Row {
  std::string name;
  std::array<std::vector<PriceItem>, 2> items; ///< Of work there may be two, one a side.
  double time(std::size_t graph) const {
    double total = 0;
    for (const PriceItem &item : items[graph])
      total += item.time;
    return total / kMicrosecond;
  }
  double difference() const { return time(1) - time(0); }
};

bool isCopy(const PriceItem &item) {
  return item.kind == PriceItem::Kind::ToDevice || item.kind == PriceItem::Kind::ToHost;
}

std::string nameOf(const PriceItem &item) {
  const char *direction = item.kind == PriceItem::Kind::ToDevice ? " to the device"
                          : item.kind == PriceItem::Kind::ToHost ? " to the host"
                                                                 : "";
  return item.name + direction;
}

std::vector<Row> rowsOf(const Pair &graphs, bool copies) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> at;
  for (std::size_t graph = 0; graph < graphs.size(); ++graph)
    for (const PriceItem &item : graphs[graph].price.items) {
      if (isCopy(item) != copies)
        continue;
      auto [found, isNew] = at.try_emplace(nameOf(item), rows.size());
      if (isNew)
        rows.push_back({nameOf(item), {}});
      rows[found->second].items[graph].push_back(item);
    }
  return rows;
}

/// Where each container of either graph is; nothing where it has none of that name.
std::vector<std::pair<std::string, std::array<std::optional<std::string>, 2>>> placesOf(const Pair &graphs) {
  std::vector<std::pair<std::string, std::array<std::optional<std::string>, 2>>> result;
  std::map<std::string, std::size_t> at;
  for (std::size_t graph = 0; graph < graphs.size(); ++graph)
    for (const sdfg::ContainerPlace &each : graphs[graph].containers) {
      auto [found, isNew] = at.try_emplace(each.name, result.size());
      if (isNew)
        result.push_back({each.name, {}});
      result[found->second].second[graph] = each.place;
    }
  return result;
}

struct Part {
  const char *name;
  double time;
};

std::vector<Part> partsOf(const sdfg::GraphPrice &price) {
  return {{"host", price.host / kMicrosecond},          {"kernels", price.kernels / kMicrosecond},
          {"launches", price.launches / kMicrosecond},  {"to the device", price.toDevice / kMicrosecond},
          {"to the host", price.toHost / kMicrosecond}, {"all", price.total() / kMicrosecond}};
}

// ---- Text

std::string number(double value, const char *format = "%.6g") {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string describe(const PriceItem &item) {
  std::string time = number(item.time / kMicrosecond) + " us";
  std::string runs = number(item.runs);
  switch (item.kind) {
  case PriceItem::Kind::Host:
    return "host, " + runs + " x, " + time;
  case PriceItem::Kind::Kernel:
    return "device, " + runs + " x, " + time;
  case PriceItem::Kind::ToDevice:
  case PriceItem::Kind::ToHost:
    break;
  }
  return runs + " x, " + number(item.bytes) + " bytes, " + time;
}

/// Three columns: what it is, and what either graph has.
class Table {
public:
  void line(const std::string &name, const std::string &here, const std::string &there) {
    lines.push_back({name, here, there});
  }

  std::string text() const {
    std::size_t widths[2] = {0, 0};
    for (const auto &line : lines)
      for (std::size_t i = 0; i < 2; ++i)
        widths[i] = std::max(widths[i], line[i].size());
    std::string result;
    for (const auto &line : lines) {
      std::string row;
      for (std::size_t i = 0; i < 2; ++i)
        row += line[i] + std::string(widths[i] + 2 - line[i].size(), ' ');
      row += line[2];
      row.erase(row.find_last_not_of(' ') + 1);
      result += row + '\n';
    }
    return result;
  }

private:
  std::vector<std::array<std::string, 3>> lines;
};

void addRows(Table &table, const char *title, const std::vector<Row> &rows) {
  if (rows.empty())
    return;
  table.line(title, "", "");
  for (const Row &row : rows) {
    std::string cells[2];
    for (std::size_t graph = 0; graph < 2; ++graph)
      for (const PriceItem &item : row.items[graph])
        cells[graph] += (cells[graph].empty() ? "" : "; ") + describe(item);
    for (std::string &cell : cells)
      if (cell.empty())
        cell = "-";
    table.line("  " + row.name, cells[0], cells[1]);
  }
}

/// The rows whose times differ most, by how much the second graph takes longer.
std::string differences(std::vector<Row> rows) {
  std::erase_if(rows, [](const Row &row) { return row.difference() == 0; });
  if (rows.empty())
    return "no difference in time\n";
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    return std::pair(-std::fabs(a.difference()), a.name) < std::pair(-std::fabs(b.difference()), b.name);
  });
  std::string text = "what makes the difference\n";
  for (std::size_t i = 0; i < std::min(rows.size(), kDifferences); ++i)
    text += "  " + number(rows[i].difference(), "%+.6g") + " us: " + rows[i].name + '\n';
  if (rows.size() > kDifferences)
    text += "  and " + std::to_string(rows.size() - kDifferences) + " more\n";
  return text;
}

// ---- JSON

report::Json toJson(const PriceItem &item) {
  report::Json json;
  if (isCopy(item)) {
    json["copies"] = item.runs;
    json["bytes"] = item.bytes;
  } else {
    json["side"] = item.kind == PriceItem::Kind::Kernel ? "device" : "host";
    json["runs"] = item.runs;
  }
  json["time"] = item.time / kMicrosecond;
  return json;
}

report::Json toJson(const std::vector<Row> &rows) {
  report::Json result = report::Json::array();
  for (const Row &row : rows) {
    report::Json both = report::Json::array();
    for (const std::vector<PriceItem> &items : row.items) {
      report::Json list = report::Json::array();
      for (const PriceItem &item : items)
        list.push_back(toJson(item));
      both.push_back(items.empty() ? report::Json() : std::move(list));
    }
    result.push_back({{"name", row.name}, {"graphs", std::move(both)}, {"difference", row.difference()}});
  }
  return result;
}

} // namespace

std::string comparisonText(const Pair &graphs) {
  Table table;
  table.line("", graphs[0].file, graphs[1].file);
  auto places = placesOf(graphs);
  if (!places.empty())
    table.line("containers", "", "");
  for (const auto &[name, both] : places)
    table.line("  " + name, both[0].value_or("-"), both[1].value_or("-"));
  std::vector<Row> work = rowsOf(graphs, false), copies = rowsOf(graphs, true);
  addRows(table, "work", work);
  addRows(table, "copies", copies);
  table.line("price", "", "");
  std::vector<Part> here = partsOf(graphs[0].price), there = partsOf(graphs[1].price);
  for (std::size_t i = 0; i < here.size(); ++i)
    table.line(std::string("  ") + here[i].name, number(here[i].time) + " us", number(there[i].time) + " us");
  work.insert(work.end(), copies.begin(), copies.end());
  return table.text() + differences(std::move(work));
}

std::string comparisonJson(const Pair &graphs) {
  report::Json json;
  json["files"] = {graphs[0].file, graphs[1].file};
  json["containers"] = report::Json::array();
  for (const auto &[name, both] : placesOf(graphs)) {
    report::Json list = report::Json::array();
    for (const std::optional<std::string> &place : both)
      list.push_back(place ? report::Json(*place) : report::Json());
    json["containers"].push_back({{"name", name}, {"graphs", std::move(list)}});
  }
  json["work"] = toJson(rowsOf(graphs, false));
  json["copies"] = toJson(rowsOf(graphs, true));
  for (const PricedGraph &graph : graphs) {
    report::Json price;
    for (const Part &part : partsOf(graph.price))
      price[part.name] = part.time;
    price["kernel launches"] = graph.price.launchCount;
    price["of one thread"] = graph.price.singleThreaded;
    json["price"].push_back(std::move(price));
  }
  return json.dump(2) + '\n';
}

} // namespace ferry
