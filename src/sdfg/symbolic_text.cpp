// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions as text that DaCe and Expr::parse read back, and their values.

#include "sdfg/symbolic.h"

#include <algorithm>
#include <cstdlib>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Overflow;
using placement::Result;
using placement::Wide;

namespace {

class Printer {
public:
  explicit Printer(Dialect dialect) : dialect(dialect) {}

  /// The terms, a positive one first.
  std::string sum(const std::vector<Term> &terms) const {
    if (terms.empty())
      return "0";
    auto lead = std::find_if(terms.begin(), terms.end(), [](const Term &t) { return t.coefficient > Rational(0); });
    if (lead == terms.end())
      lead = terms.begin();
    std::string out = signedProduct(*lead);
    for (auto term = terms.begin(); term != terms.end(); ++term)
      if (term != lead) {
        bool negative = term->coefficient < Rational(0);
        out += negative ? " - " : " + ";
        out += product(*term, negative ? term->coefficient * Rational(-1) : term->coefficient);
      }
    return out;
  }

private:
  std::string signedProduct(const Term &term) const {
    if (term.coefficient < Rational(0))
      return "-" + product(term, term.coefficient * Rational(-1));
    return product(term, term.coefficient);
  }

  /// Sums in the denominator are divided by one after the other, since a product of them would be multiplied out.
  std::string product(const Term &term, const Rational &coefficient) const {
    std::string above, below, sums;
    auto append = [](std::string &to, const std::string &factor) { to += to.empty() ? factor : "*" + factor; };
    if (coefficient.numerator() != 1)
      append(above, placement::toString(coefficient.numerator()));
    if (coefficient.denominator() != 1)
      append(below, placement::toString(coefficient.denominator()));
    std::size_t divisors = below.empty() ? 0 : 1;
    for (const Factor &factor : term.factors) {
      std::string text = atom(*factor.atom);
      if (factor.atom->op == Op::Group) {
        for (int i = factor.power; i < 0; ++i)
          sums += "/" + text;
        continue;
      }
      if (int power = std::abs(factor.power); power != 1)
        text += "**" + std::to_string(power);
      append(factor.power < 0 ? below : above, text);
      divisors += factor.power < 0;
    }
    if (above.empty())
      above = "1";
    if (!below.empty())
      above += "/" + (divisors > 1 ? "(" + below + ")" : below);
    return above + sums;
  }

  std::string expr(const Expr &of) const { return of.isUnknown() ? unknown() : sum(of.terms()); }

  std::string unknown() const { return dialect == Dialect::Dollar ? "$?" : "?"; }

  std::string list(const std::vector<Expr> &of) const {
    std::string out;
    for (const Expr &each : of)
      out += (out.empty() ? "" : ", ") + expr(each);
    return out;
  }

  std::string symbol(const std::string &name) const {
    if (dialect == Dialect::Plain)
      return name;
    std::size_t dot = name.rfind('.');
    if (dot == std::string::npos)
      return "$" + name;
    return "Attr(" + symbol(name.substr(0, dot)) + ", $" + name.substr(dot + 1) + ")";
  }

  /// `difference OP 0` with the negative terms on the other side.
  std::string comparison(const Expr &difference, const char *sign) const {
    std::vector<Term> left, right;
    for (Term term : difference.terms())
      if (term.coefficient < Rational(0)) {
        term.coefficient = term.coefficient * Rational(-1);
        right.push_back(std::move(term));
      } else {
        left.push_back(std::move(term));
      }
    return "(" + sum(left) + " " + sign + " " + sum(right) + ")";
  }

  std::string infix(const std::vector<Expr> &of, const char *sign) const {
    std::string out;
    for (const Expr &each : of)
      out += (out.empty() ? "((" : std::string(" ") + sign + " (") + expr(each) + ")";
    return out + ")";
  }

  std::string atom(const Atom &of) const {
    const std::vector<Expr> &arguments = of.arguments;
    switch (of.op) {
    case Op::Symbol:
      return symbol(of.name);
    case Op::Literal:
      return of.name;
    case Op::Min:
      return "Min(" + list(arguments) + ")";
    case Op::Max:
      return "Max(" + list(arguments) + ")";
    case Op::Floor:
      return "int_floor(" + list(arguments) + ")";
    case Op::Ceil:
      return "int_ceil(" + list(arguments) + ")";
    case Op::Group:
      return "(" + expr(arguments[0]) + ")";
    case Op::Power:
      return "((" + expr(arguments[0]) + ")**(" + expr(arguments[1]) + "))";
    case Op::Less:
      return comparison(arguments[0], "<");
    case Op::LessEqual:
      return comparison(arguments[0], "<=");
    case Op::Equal:
      return comparison(arguments[0], "==");
    case Op::NotEqual:
      return comparison(arguments[0], "!=");
    case Op::And:
      return infix(arguments, "and");
    case Op::Or:
      return infix(arguments, "or");
    case Op::Not:
      return "(not (" + expr(arguments[0]) + "))";
    case Op::If:
      return "IfExpr(" + list(arguments) + ")";
    case Op::Subscript:
      return subscript(of);
    case Op::Call:
      break;
    }
    return call(of);
  }

  std::string subscript(const Atom &of) const {
    if (dialect == Dialect::Dollar)
      return "Subscript(" + (of.name.empty() ? "" : symbol(of.name) + ", ") + list(of.arguments) + ")";
    if (!of.name.empty())
      return of.name + "[" + list(of.arguments) + "]";
    return "(" + expr(of.arguments[0]) + ")[" + list({of.arguments.begin() + 1, of.arguments.end()}) + "]";
  }

  std::string call(const Atom &of) const {
    static constexpr std::pair<const char *, const char *> operators[] = {
        {"bitwise_and", "&"},  {"bitwise_or", "|"}, {"bitwise_xor", "^"}, {"left_shift", "<<"},
        {"right_shift", ">>"}, {"Is", "is"},        {"IsNot", "is not"},  {"In", "in"}};
    if (of.arguments.size() == 2) {
      for (auto [name, sign] : operators)
        if (of.name == name)
          return infix(of.arguments, sign);
      if (of.name == "Attr")
        return "(" + expr(of.arguments[0]) + ")." + expr(of.arguments[1]);
    }
    if (of.name == "bitwise_invert" && of.arguments.size() == 1)
      return "(~(" + expr(of.arguments[0]) + "))";
    if (of.name == "tuple")
      return "(" + list(of.arguments) + (of.arguments.size() == 1 ? ",)" : ")");
    return of.name + "(" + list(of.arguments) + ")";
  }

  Dialect dialect;
};

// --- Values ----------------------------------------------------------------------------------------------------------

struct Stop {
  std::string what;
};

class Evaluator {
public:
  explicit Evaluator(const Values &values) : values(values) {}

  Rational expr(const Expr &of) const {
    if (of.isUnknown())
      throw Stop{"its value is not known"};
    Rational result;
    for (const Term &term : of.terms()) {
      Rational product = term.coefficient;
      for (const Factor &factor : term.factors) {
        Rational value = atom(*factor.atom);
        for (int i = 0; i < factor.power; ++i)
          product *= value;
        for (int i = 0; i > factor.power; --i)
          product = divided(product, value);
      }
      result += product;
    }
    return result;
  }

private:
  static Rational divided(const Rational &a, const Rational &b) {
    if (b == Rational(0))
      throw Stop{"division by zero"};
    return a / b;
  }

  static Rational floored(const Rational &value) {
    Wide quotient = value.numerator() / value.denominator();
    return Rational(value.numerator() % value.denominator() < 0 ? quotient - 1 : quotient, 1);
  }

  static Rational truth(bool holds) { return holds ? 1 : 0; }

  Rational atom(const Atom &of) const {
    const std::vector<Expr> &arguments = of.arguments;
    auto argument = [&](std::size_t i) { return expr(arguments[i]); };
    switch (of.op) {
    case Op::Symbol:
      if (auto found = values.find(of.name); found != values.end())
        return found->second;
      throw Stop{"'" + of.name + "' has no value"};
    case Op::Min:
    case Op::Max: {
      Rational best = argument(0);
      for (std::size_t i = 1; i < arguments.size(); ++i)
        if (Rational other = argument(i); (other < best) == (of.op == Op::Min))
          best = other;
      return best;
    }
    case Op::Floor:
      return floored(divided(argument(0), argument(1)));
    case Op::Ceil:
      return Rational(0) - floored(Rational(0) - divided(argument(0), argument(1)));
    case Op::Group:
      return argument(0);
    case Op::Less:
      return truth(argument(0) < Rational(0));
    case Op::LessEqual:
      return truth(argument(0) <= Rational(0));
    case Op::Equal:
      return truth(argument(0) == Rational(0));
    case Op::NotEqual:
      return truth(argument(0) != Rational(0));
    case Op::And:
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (argument(i) == Rational(0))
          return 0;
      return 1;
    case Op::Or:
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (argument(i) != Rational(0))
          return 1;
      return 0;
    case Op::Not:
      return truth(argument(0) == Rational(0));
    case Op::If:
      return argument(0) != Rational(0) ? argument(1) : argument(2);
    case Op::Power:
      return raised(argument(0), argument(1));
    case Op::Call:
      if (of.name == "floor" && arguments.size() == 1)
        return floored(argument(0));
      break;
    case Op::Literal:
      if (std::optional<Rational> number = Rational::parse(of.name))
        return *number;
      break;
    case Op::Subscript:
      break;
    }
    throw Stop{"'" + Expr::atom(of.op, of.name, of.arguments).toString() + "' cannot be computed"};
  }

  static Rational raised(const Rational &base, const Rational &exponent) {
    if (!exponent.isInteger() || exponent > Rational(1000) || exponent < Rational(-1000))
      throw Stop{"a power cannot be computed"};
    Rational result = 1;
    for (Wide i = 0; i < exponent.numerator(); ++i)
      result *= base;
    for (Wide i = 0; i > exponent.numerator(); --i)
      result = divided(result, base);
    return result;
  }

  const Values &values;
};

} // namespace

std::string Expr::toString(Dialect dialect) const {
  if (!known)
    return dialect == Dialect::Dollar ? "$?" : "?";
  return Printer(dialect).sum(sum);
}

Result<Rational> Expr::evaluate(const Values &values) const {
  try {
    return Evaluator(values).expr(*this);
  } catch (const Stop &stop) {
    return Error{ErrorKind::Malformed, stop.what};
  } catch (const Overflow &) {
    return Error{ErrorKind::Overflow, "number out of range"};
  }
}

} // namespace ferry::sdfg
