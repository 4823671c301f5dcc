// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What SymPy, DaCe and Python call the same thing.

#include "sdfg/symbolic.h"

#include <algorithm>

namespace ferry::sdfg {

Expr call(const std::string &name, std::vector<Expr> of) {
  auto is = [&](std::initializer_list<const char *> names) {
    return std::any_of(names.begin(), names.end(), [&](const char *each) { return name == each; });
  };
  if (!of.empty()) {
    if (is({"Min", "min"}) && of.size() > 1)
      return min(std::move(of));
    if (is({"Max", "max"}) && of.size() > 1)
      return max(std::move(of));
    if (is({"And", "AND"}))
      return logicalAnd(std::move(of));
    if (is({"Or", "OR"}))
      return logicalOr(std::move(of));
  }
  if (of.size() == 1) {
    if (is({"Not"}))
      return logicalNot(of[0]);
    if (is({"floor"}))
      return floor(of[0]);
    if (is({"ceil", "ceiling"}))
      return -floor(-of[0]);
    if (is({"abs", "Abs"}))
      return max({of[0], -of[0]});
  }
  if (of.size() == 2) {
    if (is({"int_floor", "__int_floor"}))
      return floorDivide(of[0], of[1]);
    if (is({"int_ceil"}))
      return ceilDivide(of[0], of[1]);
    if (is({"Mod"}))
      return modulo(of[0], of[1]);
    if (is({"Pow", "pow"}))
      return power(of[0], of[1]);
    if (is({"Eq"}))
      return equal(of[0], of[1]);
    if (is({"Ne", "NotEq"}))
      return logicalNot(equal(of[0], of[1]));
    if (is({"Lt", "StrictLessThan"}))
      return less(of[0], of[1]);
    if (is({"Le", "LtE", "LessThan"}))
      return lessEqual(of[0], of[1]);
    if (is({"Gt", "StrictGreaterThan"}))
      return less(of[1], of[0]);
    if (is({"Ge", "GtE", "GreaterThan"}))
      return lessEqual(of[1], of[0]);
    if (is({"SymExpr"})) // with an approximation
      return of[0];
  }
  if (of.size() == 3 && is({"IfExpr"}))
    return select(of[0], of[1], of[2]);
  if (of.size() > 1 && is({"Subscript"})) {
    if (std::optional<std::string> array = of[0].asSymbol()) {
      of.erase(of.begin());
      return Expr::atom(Op::Subscript, *array, std::move(of));
    }
    return Expr::atom(Op::Subscript, "", std::move(of));
  }
  if (of.size() == 2 && is({"Attr"})) // a member of a structure: one name
    if (std::optional<std::string> structure = of[0].asSymbol(), member = of[1].asSymbol(); structure && member)
      return Expr::symbol(*structure + "." + *member);
  bool operatorName = name.starts_with("__") && (name.starts_with("__bitwise_") || name.ends_with("_shift"));
  return Expr::atom(Op::Call, operatorName ? name.substr(2) : name, std::move(of));
}

} // namespace ferry::sdfg
