// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a match covers all values, after L. Maranget, "Warnings for pattern matching" (2007): rows of patterns are
// specialised by the head of the first column until a row of wildcards is found, or none is left.
#include "futhark/types/checker.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

using Row = std::vector<const typed::Pattern *>; // Null stands for a wildcard.

// A bound on the work for matches that blow up; beyond it they are taken to be complete.
constexpr unsigned maximumSteps = 20000;

bool isWildcard(const typed::Pattern *pattern) {
  return !pattern || typed::is<typed::WildcardPattern>(*pattern) || typed::is<typed::BindPattern>(*pattern);
}

class Coverage {
public:
  // Text of one unmatched value for each column, or nothing if every value is matched.
  std::optional<std::vector<std::string>> missing(const std::vector<Row> &rows, const std::vector<TypeRef> &types);

private:
  using Result = std::optional<std::vector<std::string>>;
  Result missingRecord(const std::vector<Row> &rows, const std::vector<TypeRef> &types, const RecordType &record);
  Result missingSum(const std::vector<Row> &rows, const std::vector<TypeRef> &types, const SumType &sum);
  Result missingConstant(const std::vector<Row> &rows, const std::vector<TypeRef> &types, Prim prim);
  Result missingRest(const std::vector<Row> &rows, const std::vector<TypeRef> &types, std::string head);

  unsigned steps = 0;
};

std::vector<TypeRef> rest(const std::vector<TypeRef> &types) { return {types.begin() + 1, types.end()}; }

Coverage::Result Coverage::missing(const std::vector<Row> &rows, const std::vector<TypeRef> &types) {
  if (++steps > maximumSteps)
    return std::nullopt;
  if (types.empty())
    return rows.empty() ? Result(std::vector<std::string>{}) : std::nullopt;
  if (rows.empty())
    return std::vector<std::string>(types.size(), "_");
  TypeRef type = withoutUnique(types.front());
  bool allWild = std::all_of(rows.begin(), rows.end(), [](const Row &row) { return isWildcard(row.front()); });
  if (!allWild) {
    if (const auto *record = as<RecordType>(type))
      return missingRecord(rows, types, *record);
    if (const auto *sum = as<SumType>(type))
      return missingSum(rows, types, *sum);
    if (const Prim *prim = as<Prim>(type))
      return missingConstant(rows, types, *prim);
  }
  return missingRest(rows, types, "_");
}

// The first column matches `head`, which only rows with a wildcard there do.
Coverage::Result Coverage::missingRest(const std::vector<Row> &rows, const std::vector<TypeRef> &types,
                                       std::string head) {
  std::vector<Row> remaining;
  for (const Row &row : rows)
    if (isWildcard(row.front()))
      remaining.emplace_back(row.begin() + 1, row.end());
  Result result = missing(remaining, rest(types));
  if (result)
    result->insert(result->begin(), std::move(head));
  return result;
}

Coverage::Result Coverage::missingRecord(const std::vector<Row> &rows, const std::vector<TypeRef> &types,
                                         const RecordType &record) {
  size_t count = record.fields.size();
  std::vector<TypeRef> columns;
  for (const Field &field : record.fields)
    columns.push_back(field.type);
  columns.insert(columns.end(), types.begin() + 1, types.end());
  std::vector<Row> expanded;
  for (const Row &row : rows) {
    Row wider(count, nullptr);
    if (!isWildcard(row.front()))
      for (size_t i = 0; i < count; ++i)
        wider[i] = std::get<typed::RecordPattern>(row.front()->node).fields[i];
    wider.insert(wider.end(), row.begin() + 1, row.end());
    expanded.push_back(std::move(wider));
  }
  Result inner = missing(expanded, columns);
  if (!inner)
    return inner;
  bool tuple = isTuple(record);
  std::string head = tuple ? "(" : "{";
  for (size_t i = 0; i < count; ++i)
    head += (i ? ", " : "") + (tuple ? std::string() : record.fields[i].name + " = ") + (*inner)[i];
  inner->erase(inner->begin(), inner->begin() + static_cast<ptrdiff_t>(count));
  inner->insert(inner->begin(), head + (tuple ? ")" : "}"));
  return inner;
}

Coverage::Result Coverage::missingSum(const std::vector<Row> &rows, const std::vector<TypeRef> &types,
                                      const SumType &sum) {
  for (size_t c = 0; c < sum.constructors.size(); ++c) {
    const Constructor &constructor = sum.constructors[c];
    size_t count = constructor.payload.size();
    std::vector<TypeRef> columns = constructor.payload;
    columns.insert(columns.end(), types.begin() + 1, types.end());
    std::vector<Row> specialised;
    for (const Row &row : rows) {
      Row wider(count, nullptr);
      if (!isWildcard(row.front())) {
        const auto &node = std::get<typed::ConstructorPattern>(row.front()->node);
        if (node.constructor != c)
          continue;
        std::copy(node.payload.begin(), node.payload.end(), wider.begin());
      }
      wider.insert(wider.end(), row.begin() + 1, row.end());
      specialised.push_back(std::move(wider));
    }
    Result inner = missing(specialised, columns);
    if (!inner)
      continue;
    std::string head = "#" + constructor.name;
    for (size_t i = 0; i < count; ++i)
      head += " " + (*inner)[i];
    inner->erase(inner->begin(), inner->begin() + static_cast<ptrdiff_t>(count));
    inner->insert(inner->begin(), count ? "(" + head + ")" : head);
    return inner;
  }
  return std::nullopt;
}

Coverage::Result Coverage::missingConstant(const std::vector<Row> &rows, const std::vector<TypeRef> &types, Prim prim) {
  auto valueOf = [](const Row &row) -> const typed::Constant & {
    return std::get<typed::ConstantPattern>(row.front()->node).value;
  };
  std::vector<typed::Constant> seen;
  for (const Row &row : rows) {
    if (isWildcard(row.front()))
      continue;
    const typed::Constant &value = valueOf(row);
    auto same = [&](const typed::Constant &other) {
      return other.integer == value.integer && other.real == value.real;
    };
    if (std::none_of(seen.begin(), seen.end(), same))
      seen.push_back(value);
  }
  for (const typed::Constant &value : seen) {
    std::vector<Row> specialised;
    for (const Row &row : rows)
      if (isWildcard(row.front()) || (valueOf(row).integer == value.integer && valueOf(row).real == value.real))
        specialised.emplace_back(row.begin() + 1, row.end());
    Result inner = missing(specialised, rest(types));
    if (!inner)
      continue;
    std::string head = prim == Prim::Bool ? (value.integer ? "true" : "false")
                       : isFloat(prim)    ? std::to_string(value.real)
                                          : std::to_string(static_cast<int64_t>(value.integer));
    inner->insert(inner->begin(), head);
    return inner;
  }
  if (prim == Prim::Bool && seen.size() == 2)
    return std::nullopt;
  std::string head = prim == Prim::Bool ? (seen[0].integer ? "false" : "true") : "_";
  return missingRest(rows, types, head);
}

} // namespace

std::optional<std::string> Checker::missingCase(const typed::Match &match) const {
  std::vector<Row> rows;
  for (const typed::Match::Case &branch : match.cases)
    rows.push_back({branch.pattern});
  auto result = Coverage().missing(rows, {match.scrutinee->type});
  if (!result)
    return std::nullopt;
  return result->front() == "_" ? "values other than these" : "'" + result->front() + "'";
}

} // namespace ferry::futhark::types
