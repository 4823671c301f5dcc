// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is no polynomial, brought into one form each: divisions hand out their whole part, comparisons are with 0 and
// primitive, Min, Max, And and Or are flat, sorted and without repetitions.

#include "sdfg/symbolic.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::Overflow;
using placement::Wide;

// --- Numbers ---------------------------------------------------------------------------------------------------------

static Wide floorOf(const Rational &value) {
  Wide quotient = value.numerator() / value.denominator();
  return value.numerator() % value.denominator() < 0 ? quotient - 1 : quotient;
}

static Wide commonDivisor(Wide a, Wide b) {
  while (b != 0) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/// The positive number by which the coefficients have to be divided to become integers without a common divisor.
static Rational content(const Expr &of) {
  Wide numerator = 0, denominator = 1;
  for (const Term &term : of.terms()) {
    numerator = commonDivisor(numerator, term.coefficient.numerator());
    denominator = placement::leastCommonMultiple(denominator, term.coefficient.denominator());
  }
  return numerator == 0 ? Rational(1) : Rational(numerator, denominator);
}

static Expr scaled(const Expr &of, const Rational &by) { return of * Expr(by); }

static Expr ofTerm(const Term &term) {
  Expr result(term.coefficient);
  for (const Factor &factor : term.factors) {
    Expr atom = Expr::atom(factor.atom->op, factor.atom->name, factor.atom->arguments);
    result = result * power(atom, factor.power);
  }
  return result;
}

static bool anyUnknown(const std::vector<Expr> &of) {
  return std::any_of(of.begin(), of.end(), [](const Expr &each) { return each.isUnknown(); });
}

/// What `compute` gives, unknown if numbers leave their range.
template <typename Compute> static Expr guarded(Compute compute) {
  try {
    return compute();
  } catch (const Overflow &) {
    return Expr::unknown();
  }
}

// --- Min and Max -----------------------------------------------------------------------------------------------------

/// The arguments of nested atoms of the same kind, each once, in order.
static std::vector<Expr> flattened(Op op, const std::vector<Expr> &of) {
  std::vector<Expr> result;
  for (const Expr &each : of) {
    const Atom *atom = each.asAtom();
    if (atom && atom->op == op)
      result.insert(result.end(), atom->arguments.begin(), atom->arguments.end());
    else
      result.push_back(each);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Of two arguments that differ by a number only one counts.
static Expr extreme(Op op, const std::vector<Expr> &of) {
  if (anyUnknown(of) || of.empty())
    return Expr::unknown();
  return guarded([&] {
    std::vector<Expr> kept;
    for (const Expr &candidate : flattened(op, of)) {
      bool needed = true;
      for (Expr &other : kept)
        if (std::optional<Rational> difference = (candidate - other).constant()) {
          needed = false;
          if ((*difference < Rational(0)) == (op == Op::Min))
            other = candidate;
          break;
        }
      if (needed)
        kept.push_back(candidate);
    }
    return kept.size() == 1 ? kept[0] : Expr::atom(op, "", std::move(kept));
  });
}

Expr min(const std::vector<Expr> &of) { return extreme(Op::Min, of); }
Expr max(const std::vector<Expr> &of) { return extreme(Op::Max, of); }

// --- Division --------------------------------------------------------------------------------------------------------

/// Whether a product without its coefficient is an integer, where symbols and elements of arrays are.
static bool isInteger(const Term &term) {
  return std::all_of(term.factors.begin(), term.factors.end(), [](const Factor &factor) {
    Op op = factor.atom->op;
    return factor.power > 0 && op != Op::Literal && op != Op::Power && op != Op::Call && op != Op::Group;
  });
}

/// Divides the whole part of each coefficient out of `of / divisor`; the rest's coefficients are in [0, divisor).
static Expr floorByNumber(const Expr &of, const Rational &divisor) {
  Expr whole, rest;
  for (const Term &term : of.terms()) {
    Rational quotient = term.coefficient / divisor;
    Rational down(floorOf(quotient), 1);
    Expr product = scaled(ofTerm(term), Rational(1) / term.coefficient);
    Rational taken = isInteger(term) ? down : Rational(0);
    whole = whole + scaled(product, taken);
    rest = rest + scaled(product, quotient - taken);
  }
  if (std::optional<Rational> number = rest.constant())
    return whole + Expr(Rational(floorOf(*number), 1));
  if (rest.isUnknown() || whole.isUnknown())
    return Expr::unknown();
  Rational scale(1);
  for (const Term &term : rest.terms())
    scale = Rational(placement::leastCommonMultiple(scale.numerator(), term.coefficient.denominator()), 1);
  Expr dividend = scaled(rest, scale);
  // (a // b) // c is a // (b*c).
  if (const Atom *inner = dividend.asAtom(); inner && inner->op == Op::Floor)
    if (std::optional<Rational> first = inner->arguments[1].constant())
      return whole + Expr::atom(Op::Floor, "", {inner->arguments[0], Expr(*first * scale)});
  return whole + Expr::atom(Op::Floor, "", {dividend, Expr(scale)});
}

/// The term `of / by` if it is an integer for any values.
static std::optional<Expr> exactQuotient(const Term &of, const Expr &by) {
  Expr quotient = ofTerm(of) / by;
  if (quotient.isUnknown() || quotient.terms().size() != 1 || !quotient.terms()[0].coefficient.isInteger())
    return std::nullopt;
  return isInteger(quotient.terms()[0]) ? std::optional(quotient) : std::nullopt;
}

Expr floorDivide(const Expr &a, const Expr &b) {
  if (a.isUnknown() || b.isUnknown())
    return Expr::unknown();
  return guarded([&] {
    if (std::optional<Rational> divisor = b.constant())
      return *divisor == Rational(0) ? Expr::unknown() : floorByNumber(a, *divisor);
    if (a == b)
      return Expr(1);
    Expr whole, rest = a, divisor = b;
    if (b.terms().size() == 1) {
      rest = 0;
      for (const Term &term : a.terms())
        if (std::optional<Expr> quotient = exactQuotient(term, b))
          whole = whole + *quotient;
        else
          rest = rest + ofTerm(term);
    }
    if (rest.isUnknown() || rest == Expr(0))
      return whole + rest;
    // A common factor of both goes, with the divisor's sign.
    Rational ratio = content(rest) / content(divisor);
    Rational unit = Rational(1) / content(divisor);
    if (divisor.terms()[0].coefficient < Rational(0))
      unit = unit * Rational(-1);
    divisor = scaled(scaled(divisor, unit), Rational(ratio.denominator(), 1));
    rest = scaled(scaled(rest, unit), Rational(ratio.denominator(), 1));
    return whole + Expr::atom(Op::Floor, "", {rest, divisor});
  });
}

Expr ceilDivide(const Expr &a, const Expr &b) {
  if (a.isUnknown() || b.isUnknown())
    return Expr::unknown();
  return guarded([&] {
    std::optional<Rational> divisor = b.constant();
    if (!divisor) {
      if (a == Expr(0))
        return Expr(0);
      return a == b ? Expr(1) : Expr::atom(Op::Ceil, "", {a, b});
    }
    if (*divisor == Rational(0) || !divisor->isInteger())
      return Expr::unknown();
    if (*divisor < Rational(0))
      return floorByNumber(-a + Expr(Rational(-1) * *divisor - Rational(1)), Rational(-1) * *divisor);
    return floorByNumber(a + Expr(*divisor - Rational(1)), *divisor);
  });
}

Expr modulo(const Expr &a, const Expr &b) { return a - b * floorDivide(a, b); }

Expr floor(const Expr &of) {
  if (of.isUnknown())
    return of;
  // The product of all that is in a denominator.
  Expr divisor = 1;
  for (const Term &term : of.terms())
    for (const Factor &factor : term.factors)
      if (factor.power < 0 && divisor == Expr(1))
        divisor = power(Expr::atom(factor.atom->op, factor.atom->name, factor.atom->arguments), -factor.power);
  if (divisor == Expr(1))
    return floorDivide(of, 1);
  const Atom *group = divisor.asAtom();
  Expr by = group && group->op == Op::Group ? group->arguments[0] : divisor;
  Expr product = of * divisor;
  for (const Term &term : product.terms())
    for (const Factor &factor : term.factors)
      if (factor.power < 0)
        return Expr::atom(Op::Call, "floor", {of});
  return floorDivide(product, by);
}

// --- Comparisons and logic -------------------------------------------------------------------------------------------

/// `difference OP 0`, divided by what is common to its coefficients.
static Expr comparison(Op op, const Expr &difference) {
  if (difference.isUnknown())
    return difference;
  return guarded([&] {
    if (std::optional<Rational> number = difference.constant()) {
      bool below = *number < Rational(0), zero = *number == Rational(0);
      bool holds = op == Op::Less ? below : op == Op::LessEqual ? below || zero : op == Op::Equal ? zero : !zero;
      return Expr(holds ? 1 : 0);
    }
    Rational scale = Rational(1) / content(difference);
    if ((op == Op::Equal || op == Op::NotEqual) && difference.terms()[0].coefficient < Rational(0))
      scale = scale * Rational(-1);
    return Expr::atom(op, "", {scaled(difference, scale)});
  });
}

Expr less(const Expr &a, const Expr &b) { return comparison(Op::Less, a - b); }
Expr lessEqual(const Expr &a, const Expr &b) { return comparison(Op::LessEqual, a - b); }
Expr equal(const Expr &a, const Expr &b) { return comparison(Op::Equal, a - b); }

/// And, where `neutral` is 1; Or, where it is 0.
static Expr junction(Op op, const std::vector<Expr> &of, int neutral) {
  if (anyUnknown(of))
    return Expr::unknown();
  std::vector<Expr> kept;
  for (const Expr &each : flattened(op, of)) {
    std::optional<Rational> number = each.constant();
    if (!number)
      kept.push_back(each);
    else if ((*number != Rational(0)) != (neutral != 0))
      return 1 - neutral;
  }
  if (kept.empty())
    return neutral;
  return kept.size() == 1 ? kept[0] : Expr::atom(op, "", std::move(kept));
}

Expr logicalAnd(const std::vector<Expr> &of) { return junction(Op::And, of, 1); }
Expr logicalOr(const std::vector<Expr> &of) { return junction(Op::Or, of, 0); }

Expr logicalNot(const Expr &of) {
  if (std::optional<Rational> number = of.constant())
    return *number == Rational(0) ? 1 : 0;
  const Atom *atom = of.asAtom();
  if (!atom)
    return of.isUnknown() ? of : Expr::atom(Op::Not, "", {of});
  auto negated = [&] {
    std::vector<Expr> result;
    for (const Expr &each : atom->arguments)
      result.push_back(logicalNot(each));
    return result;
  };
  switch (atom->op) {
  case Op::Less:
    return comparison(Op::LessEqual, -atom->arguments[0]);
  case Op::LessEqual:
    return comparison(Op::Less, -atom->arguments[0]);
  case Op::Equal:
    return comparison(Op::NotEqual, atom->arguments[0]);
  case Op::NotEqual:
    return comparison(Op::Equal, atom->arguments[0]);
  case Op::And:
    return logicalOr(negated());
  case Op::Or:
    return logicalAnd(negated());
  case Op::Not:
    return atom->arguments[0];
  default:
    return Expr::atom(Op::Not, "", {of});
  }
}

Expr select(const Expr &condition, const Expr &then, const Expr &otherwise) {
  if (std::optional<Rational> number = condition.constant())
    return *number == Rational(0) ? otherwise : then;
  return then == otherwise ? then : Expr::atom(Op::If, "", {condition, then, otherwise});
}

Expr rebuild(const Atom &atom, std::vector<Expr> arguments) {
  switch (atom.op) {
  case Op::Min:
    return min(std::move(arguments));
  case Op::Max:
    return max(std::move(arguments));
  case Op::Floor:
    return floorDivide(arguments[0], arguments[1]);
  case Op::Ceil:
    return ceilDivide(arguments[0], arguments[1]);
  case Op::Group:
    return arguments[0];
  case Op::Power:
    return power(arguments[0], arguments[1]);
  case Op::Less:
  case Op::LessEqual:
  case Op::Equal:
  case Op::NotEqual:
    return comparison(atom.op, arguments[0]);
  case Op::And:
    return logicalAnd(std::move(arguments));
  case Op::Or:
    return logicalOr(std::move(arguments));
  case Op::Not:
    return logicalNot(arguments[0]);
  case Op::If:
    return select(arguments[0], arguments[1], arguments[2]);
  case Op::Call:
    if (atom.name == "floor" && arguments.size() == 1)
      return floor(arguments[0]);
    [[fallthrough]];
  default:
    return Expr::atom(atom.op, atom.name, std::move(arguments));
  }
}

} // namespace ferry::sdfg
