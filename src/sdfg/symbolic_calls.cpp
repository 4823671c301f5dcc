// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What SymPy, DaCe and Python call the same thing.

#include "sdfg/symbolic.h"

#include <map>
#include <string_view>

namespace ferry::sdfg {

namespace {

using Operands = std::vector<Expr>;
using Function = Expr (*)(const Operands &);
using Functions = std::map<std::string_view, Function>;

/// Of one operand or more; a minimum or maximum has two.
const Functions &variadicFunctions() {
  static constexpr Function conjunction = [](const Operands &of) { return logicalAnd(of); };
  static constexpr Function disjunction = [](const Operands &of) { return logicalOr(of); };
  static const Functions functions = {
      {"And", conjunction}, {"AND", conjunction}, {"Or", disjunction}, {"OR", disjunction}};
  return functions;
}

const Functions &extrema() {
  static constexpr Function least = [](const Operands &of) { return min(of); };
  static constexpr Function most = [](const Operands &of) { return max(of); };
  static const Functions functions = {{"Min", least}, {"min", least}, {"Max", most}, {"max", most}};
  return functions;
}

const Functions &unaryFunctions() {
  static constexpr Function ceiling = [](const Operands &of) { return -floor(-of[0]); };
  static constexpr Function absolute = [](const Operands &of) { return max({of[0], -of[0]}); };
  static const Functions functions = {{"Not", [](const Operands &of) { return logicalNot(of[0]); }},
                                      {"floor", [](const Operands &of) { return floor(of[0]); }},
                                      {"ceil", ceiling},
                                      {"ceiling", ceiling},
                                      {"abs", absolute},
                                      {"Abs", absolute}};
  return functions;
}

const Functions &binaryFunctions() {
  static constexpr Function quotient = [](const Operands &of) { return floorDivide(of[0], of[1]); };
  static constexpr Function raised = [](const Operands &of) { return power(of[0], of[1]); };
  static constexpr Function differs = [](const Operands &of) { return logicalNot(equal(of[0], of[1])); };
  static constexpr Function below = [](const Operands &of) { return less(of[0], of[1]); };
  static constexpr Function atMost = [](const Operands &of) { return lessEqual(of[0], of[1]); };
  static constexpr Function above = [](const Operands &of) { return less(of[1], of[0]); };
  static constexpr Function atLeast = [](const Operands &of) { return lessEqual(of[1], of[0]); };
  static const Functions functions = {{"int_floor", quotient},
                                      {"__int_floor", quotient},
                                      {"int_ceil", [](const Operands &of) { return ceilDivide(of[0], of[1]); }},
                                      {"Mod", [](const Operands &of) { return modulo(of[0], of[1]); }},
                                      {"Pow", raised},
                                      {"pow", raised},
                                      {"Eq", [](const Operands &of) { return equal(of[0], of[1]); }},
                                      {"Ne", differs},
                                      {"NotEq", differs},
                                      {"Lt", below},
                                      {"StrictLessThan", below},
                                      {"Le", atMost},
                                      {"LtE", atMost},
                                      {"LessThan", atMost},
                                      {"Gt", above},
                                      {"StrictGreaterThan", above},
                                      {"Ge", atLeast},
                                      {"GtE", atLeast},
                                      {"GreaterThan", atLeast},
                                      {"SymExpr", [](const Operands &of) { return of[0]; }}}; // with an approximation
  return functions;
}

/// What has that name and takes so many operands, or null.
Function functionOf(std::string_view name, std::size_t count) {
  auto in = [&](const Functions &functions) {
    auto found = functions.find(name);
    return found == functions.end() ? nullptr : found->second;
  };
  Function found = count >= 1 ? in(variadicFunctions()) : nullptr;
  if (!found && count >= 2)
    found = in(extrema());
  if (!found && count == 1)
    found = in(unaryFunctions());
  if (!found && count == 2)
    found = in(binaryFunctions());
  return found;
}

} // namespace

Expr call(const std::string &name, std::vector<Expr> of) {
  if (Function function = functionOf(name, of.size()))
    return function(of);
  if (of.size() == 3 && name == "IfExpr")
    return select(of[0], of[1], of[2]);
  if (of.size() > 1 && name == "Subscript") {
    if (std::optional<std::string> array = of[0].asSymbol()) {
      of.erase(of.begin());
      return Expr::atom(Op::Subscript, *array, std::move(of));
    }
    return Expr::atom(Op::Subscript, "", std::move(of));
  }
  if (of.size() == 2 && name == "Attr") // a member of a structure: one name
    if (std::optional<std::string> structure = of[0].asSymbol(), member = of[1].asSymbol(); structure && member)
      return Expr::symbol(*structure + "." + *member);
  bool operatorName = name.starts_with("__") && (name.starts_with("__bitwise_") || name.ends_with("_shift"));
  return Expr::atom(Op::Call, operatorName ? name.substr(2) : name, std::move(of));
}

} // namespace ferry::sdfg
