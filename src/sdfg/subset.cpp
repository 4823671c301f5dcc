// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/subset.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

// --- As JSON and text ------------------------------------------------------------------------------------------------

/// A string, a number, or DaCe 1.0.2's {"main": exact, "approx": estimate}.
static Result<Expr> exprFromJson(const Json &json) {
  if (const std::string *text = json.string())
    return Expr::parse(*text);
  if (const Json::Number *number = json.number())
    return Expr::parse(number->spelling);
  if (const Json *exact = json.find("main"); exact && exact->string())
    return Expr::parse(*exact->string());
  return Error{ErrorKind::Malformed, std::string("not an expression but ") + json.kind()};
}

static Result<void> readInto(Expr &to, const Json &from, const char *member) {
  const Json *json = from.find(member);
  if (!json)
    return Error{ErrorKind::Malformed, std::string("a range without '") + member + "'"};
  Result<Expr> expr = exprFromJson(*json);
  if (!expr)
    return Error{ErrorKind::Malformed, std::string(member) + ": " + expr.error().message};
  to = *expr;
  return {};
}

static Result<Subset> rangeFromJson(const Json &json) {
  const Json *ranges = json.find("ranges");
  if (!ranges || !ranges->array())
    return Error{ErrorKind::Malformed, "a range without a list of 'ranges'"};
  Subset subset;
  for (const Json &each : *ranges->array()) {
    SymbolicRange dim;
    for (auto [to, member] :
         {std::pair(&dim.begin, "start"), {&dim.end, "end"}, {&dim.step, "step"}, {&dim.tile, "tile"}})
      if (Result<void> read = readInto(*to, each, member); !read)
        return read.error();
    subset.dims.push_back(std::move(dim));
  }
  return subset;
}

static Result<Subset> indicesFromJson(const Json &json) {
  const Json *indices = json.find("indices");
  if (!indices || !indices->array())
    return Error{ErrorKind::Malformed, "indices without a list of 'indices'"};
  Subset subset;
  subset.indices = true;
  for (const Json &each : *indices->array()) {
    Result<Expr> index = exprFromJson(each);
    if (!index)
      return index.error();
    subset.dims.push_back({*index, *index});
  }
  return subset;
}

Result<Subset> subsetFromJson(const Json &json) {
  const Json *type = json.find("type");
  if (type && type->string() && *type->string() == "Range")
    return rangeFromJson(json);
  if (type && type->string() && *type->string() == "Indices")
    return indicesFromJson(json);
  return Error{ErrorKind::Malformed, "a subset that is neither a Range nor Indices"};
}

Json toJson(const Subset &subset, Dialect dialect) {
  Array elements;
  for (const SymbolicRange &dim : subset.dims)
    if (subset.indices)
      elements.push_back(dim.begin.toString(dialect));
    else
      elements.push_back(Object{{"start", dim.begin.toString(dialect)},
                                {"end", dim.end.toString(dialect)},
                                {"step", dim.step.toString(dialect)},
                                {"tile", dim.tile.toString(dialect)}});
  return Object{{"type", subset.indices ? "Indices" : "Range"},
                {subset.indices ? "indices" : "ranges", std::move(elements)}};
}

/// The end that is not included; of a minimum or maximum that of its arguments.
static Expr behind(const Expr &end) {
  const Atom *atom = end.asAtom();
  if (!atom || (atom->op != Op::Min && atom->op != Op::Max))
    return end + 1;
  std::vector<Expr> arguments;
  for (const Expr &argument : atom->arguments)
    arguments.push_back(behind(argument));
  return rebuild(*atom, std::move(arguments));
}

std::string toString(const Subset &subset) {
  std::string out;
  for (const SymbolicRange &dim : subset.dims) {
    out += out.empty() ? "" : ", ";
    out += dim.begin.toString();
    if (dim.begin == dim.end && dim.tile == Expr(1))
      continue;
    out += ":" + behind(dim.end).toString();
    if (!(dim.step == Expr(1)) || !(dim.tile == Expr(1)))
      out += ":" + dim.step.toString();
    if (!(dim.tile == Expr(1)))
      out += ":" + dim.tile.toString();
  }
  return "[" + out + "]";
}

// --- Elements --------------------------------------------------------------------------------------------------------

Subset wholeOf(const std::vector<Expr> &shape) {
  Subset subset;
  for (const Expr &size : shape)
    subset.dims.push_back({0, size - 1});
  return subset;
}

Expr elements(const SymbolicRange &range) {
  return floorDivide(range.end - range.begin + range.step, range.step) * range.tile;
}

Expr elements(const Subset &subset) {
  Expr product = 1;
  for (const SymbolicRange &dim : subset.dims)
    product = product * elements(dim);
  return product;
}

/// The box around a range, whatever its step and tile.
static std::optional<SymbolicRange> boxOf(const SymbolicRange &range, const Assumptions &assuming) {
  if (provedNonNegative(range.step - 1, assuming))
    return SymbolicRange{range.begin, range.end + range.tile - 1};
  if (provedNonNegative(-range.step - 1, assuming))
    return SymbolicRange{range.end, range.begin + range.tile - 1};
  return std::nullopt;
}

/// Each element of its box is in the range.
static bool dense(const SymbolicRange &range) {
  return range.begin == range.end || (range.tile == Expr(1) && (range.step == Expr(1) || range.step == Expr(-1)));
}

static bool covers(const SymbolicRange &outer, const SymbolicRange &inner, const Assumptions &assuming) {
  if (outer == inner)
    return true;
  std::optional<SymbolicRange> a = boxOf(outer, assuming), b = boxOf(inner, assuming);
  return a && b && dense(outer) && provedLessEqual(a->begin, b->begin, assuming) &&
         provedLessEqual(b->end, a->end, assuming);
}

bool covers(const Subset &outer, const Subset &inner, const Assumptions &assuming) {
  return outer.dims.size() == inner.dims.size() &&
         std::equal(outer.dims.begin(), outer.dims.end(), inner.dims.begin(),
                    [&](const SymbolicRange &a, const SymbolicRange &b) { return covers(a, b, assuming); });
}

bool disjoint(const Subset &a, const Subset &b, const Assumptions &assuming) {
  for (std::size_t i = 0; i < std::min(a.dims.size(), b.dims.size()); ++i) {
    std::optional<SymbolicRange> x = boxOf(a.dims[i], assuming), y = boxOf(b.dims[i], assuming);
    if (x && y && (provedLessEqual(x->end + 1, y->begin, assuming) || provedLessEqual(y->end + 1, x->begin, assuming)))
      return true;
  }
  return false;
}

Subset hull(const Subset &a, const Subset &b, const Assumptions &assuming) {
  Subset result;
  for (std::size_t i = 0; i < std::min(a.dims.size(), b.dims.size()); ++i) {
    if (a.dims[i] == b.dims[i]) {
      result.dims.push_back(a.dims[i]);
      continue;
    }
    SymbolicRange x = boxOf(a.dims[i], assuming).value_or(a.dims[i]),
                  y = boxOf(b.dims[i], assuming).value_or(b.dims[i]);
    auto lower = [&](const Expr &p, const Expr &q) {
      return provedLessEqual(p, q, assuming) ? p : provedLessEqual(q, p, assuming) ? q : min({p, q});
    };
    auto upper = [&](const Expr &p, const Expr &q) {
      return provedLessEqual(p, q, assuming) ? q : provedLessEqual(q, p, assuming) ? p : max({p, q});
    };
    result.dims.push_back({lower(x.begin, y.begin), upper(x.end, y.end)});
  }
  return result;
}

Subset substitute(const Subset &subset, const Substitution &by) {
  Subset result = subset;
  for (SymbolicRange &dim : result.dims)
    dim = {dim.begin.substitute(by), dim.end.substitute(by), dim.step.substitute(by), dim.tile.substitute(by)};
  return result;
}

std::set<std::string> freeSymbols(const Subset &subset) {
  std::set<std::string> result;
  for (const SymbolicRange &dim : subset.dims)
    for (const Expr *each : {&dim.begin, &dim.end, &dim.step, &dim.tile})
      result.merge(each->freeSymbols());
  return result;
}

// --- Over the values of parameters -----------------------------------------------------------------------------------

static bool varies(const SymbolicRange &range, const std::string &name) {
  Subset alone;
  alone.dims = {range};
  return freeSymbols(alone).contains(name);
}

/// The parameter's interval; with neither end where its step's sign is not known.
static Interval intervalOf(const SymbolicRange &range, const Assumptions &assuming) {
  std::optional<SymbolicRange> box = boxOf(range, assuming);
  return box ? Interval{box->begin, box->end} : Interval{};
}

Subset boundingBox(const Subset &subset, const std::vector<Parameter> &parameters, const Subset &whole,
                   const Assumptions &assuming) {
  Assumptions known = assuming;
  for (const Parameter &parameter : parameters)
    known.set(parameter.name, intervalOf(parameter.range, assuming));
  Subset result;
  for (std::size_t i = 0; i < subset.dims.size(); ++i) {
    SymbolicRange dim = subset.dims[i];
    bool bounded = true;
    for (const Parameter &parameter : parameters) {
      if (!varies(dim, parameter.name))
        continue;
      std::optional<SymbolicRange> box = boxOf(dim, known);
      Interval interval = intervalOf(parameter.range, known);
      std::optional<Expr> low = box ? lowest(box->begin, parameter.name, interval, known) : std::nullopt;
      std::optional<Expr> high = box ? highest(box->end, parameter.name, interval, known) : std::nullopt;
      bounded = low && high;
      if (!bounded)
        break;
      dim = {*low, *high};
    }
    if (bounded)
      result.dims.push_back(dim);
    else
      result.dims.push_back(i < whole.dims.size() ? whole.dims[i] : dim);
  }
  return result;
}

bool fillsBox(const Subset &subset, const std::vector<Parameter> &parameters) {
  std::set<std::string> used;
  for (const SymbolicRange &dim : subset.dims) {
    std::vector<const Parameter *> varying;
    for (const Parameter &parameter : parameters)
      if (varies(dim, parameter.name))
        varying.push_back(&parameter);
    if (varying.empty()) {
      if (!dense(dim))
        return false;
      continue;
    }
    const Parameter &parameter = *varying[0];
    Expr symbol = Expr::symbol(parameter.name);
    auto fixed = [&](const Expr &expr) { return !expr.freeSymbols().contains(parameter.name); };
    bool single = varying.size() == 1 && used.insert(parameter.name).second;
    // A window of fixed width that moves by one element a step.
    bool moves = (fixed(dim.begin - symbol) || fixed(dim.begin + symbol)) && fixed(dim.end - dim.begin) &&
                 provedNonNegative(dim.end - dim.begin);
    if (!single || !moves || !dense(dim) || !dense(parameter.range))
      return false;
    // Other parameters must not shape this one's range.
    for (const Parameter &other : parameters)
      if (varies(parameter.range, other.name))
        return false;
  }
  return true;
}

} // namespace ferry::sdfg
