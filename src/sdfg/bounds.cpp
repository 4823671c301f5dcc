// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An expression is shown not to be negative by replacing its atoms, one after the other, by bounds on the safe side,
// until a number is left. A step may have several ways to go on; the number of steps is bounded.

#include "sdfg/bounds.h"

#include <algorithm>

namespace ferry::sdfg {

namespace {

Expr ofFactors(const Rational &coefficient, const std::vector<Factor> &factors) {
  Expr result(coefficient);
  for (const Factor &factor : factors)
    result = result * power(Expr::atom(factor.atom->op, factor.atom->name, factor.atom->arguments), factor.power);
  return result;
}

Expr ofTerm(const Term &term) { return ofFactors(term.coefficient, term.factors); }

bool mentions(const Atom &atom, const std::string &symbol) {
  if (atom.op == Op::Symbol)
    return atom.name == symbol;
  for (const Expr &argument : atom.arguments)
    for (const Term &term : argument.terms())
      for (const Factor &factor : term.factors)
        if (mentions(*factor.atom, symbol))
          return true;
  return false;
}

/// An expression as `slope * symbol + rest`, where the rest may still mention the symbol otherwise.
struct Linear {
  Expr slope, rest;
  bool alone = true; ///< The rest does not mention it.
};

Linear linearIn(const Expr &of, const std::string &symbol) {
  Linear result;
  for (const Term &term : of.terms()) {
    std::vector<Factor> others;
    int power = 0;
    bool hidden = false;
    for (const Factor &factor : term.factors)
      if (factor.atom->op == Op::Symbol && factor.atom->name == symbol) {
        power = factor.power;
      } else {
        hidden |= mentions(*factor.atom, symbol);
        others.push_back(factor);
      }
    if (power == 1 && !hidden) {
      result.slope = result.slope + ofFactors(term.coefficient, others);
    } else {
      result.rest = result.rest + ofTerm(term);
      result.alone &= power == 0 && !hidden;
    }
  }
  return result;
}

class Prover {
public:
  explicit Prover(const Assumptions &assuming) : assuming(assuming) {}

  bool nonNegative(const Expr &of) {
    if (of.isUnknown() || steps == 0)
      return false;
    --steps;
    if (std::optional<Rational> number = of.constant())
      return *number >= Rational(0);
    if (positiveTerms(of))
      return true;
    for (const Term &term : of.terms())
      for (const Factor &factor : term.factors)
        if (factor.power == 1 && !factor.atom->arguments.empty())
          if (withoutAtom(of, term, *factor.atom))
            return true;
    for (const std::string &symbol : of.freeSymbols())
      if (const Interval *interval = assuming.find(symbol))
        if (withoutSymbol(of, symbol, *interval))
          return true;
    return false;
  }

private:
  /// Whether the terms are products of what is not negative, once each symbol is written as its lowest value and the
  /// rest.
  bool positiveTerms(const Expr &of) const {
    Substitution shifted;
    for (const Term &term : of.terms())
      for (const Factor &factor : term.factors) {
        const Interval *interval = factor.atom->op == Op::Symbol ? assuming.find(factor.atom->name) : nullptr;
        bool small = factor.power > 0 && factor.power <= 3 && term.factors.size() <= 4; // or it grows too much
        if (!interval || !interval->low || !interval->low->constant() || !small)
          return false;
        shifted[factor.atom->name] = Expr::symbol(factor.atom->name) + *interval->low;
      }
    Expr moved = of.substitute(shifted);
    return !moved.isUnknown() && std::all_of(moved.terms().begin(), moved.terms().end(),
                                             [](const Term &term) { return term.coefficient > Rational(0); });
  }

  /// Whether `of` is shown not to be negative by replacing an atom that has arguments in one of its terms.
  bool withoutAtom(const Expr &of, const Term &term, const Atom &atom) {
    std::vector<Factor> others;
    for (const Factor &factor : term.factors)
      if (factor.atom.get() != &atom)
        others.push_back(factor);
    Expr rest = of - ofTerm(term), coefficient = ofFactors(term.coefficient, others);
    bool above = term.coefficient > Rational(0);
    if (!others.empty() && !nonNegative(ofFactors(1, others)))
      return false;
    auto holdsFor = [&](const Expr &argument) { return nonNegative(rest + coefficient * argument); };
    switch (atom.op) {
    case Op::Min:
    case Op::Max:
      // The atom is one of its arguments; on its safe side it is bounded by any of them.
      if ((atom.op == Op::Min) == above)
        return std::all_of(atom.arguments.begin(), atom.arguments.end(), holdsFor);
      return std::any_of(atom.arguments.begin(), atom.arguments.end(), holdsFor);
    case Op::If:
      return holdsFor(atom.arguments[1]) && holdsFor(atom.arguments[2]);
    case Op::Floor:
      return withoutFloor(rest, coefficient, atom.arguments[0], atom.arguments[1], above);
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::NotEqual:
    case Op::And:
    case Op::Or:
    case Op::Not:
      return holdsFor(above ? 0 : 1);
    default:
      return false;
    }
  }

  /// a // d lies between (a - d + 1) / d and a / d, where d is positive.
  bool withoutFloor(const Expr &rest, const Expr &coefficient, const Expr &a, const Expr &d, bool above) {
    if (!nonNegative(d - 1))
      return false;
    return nonNegative(rest * d + coefficient * (above ? a - d + 1 : a));
  }

  bool withoutSymbol(const Expr &of, const std::string &symbol, const Interval &interval) {
    Linear linear = linearIn(of, symbol);
    if (!linear.alone || linear.slope == Expr(0))
      return false;
    if (interval.low && nonNegative(linear.slope))
      return nonNegative(linear.slope * *interval.low + linear.rest);
    if (interval.high && nonNegative(-linear.slope))
      return nonNegative(linear.slope * *interval.high + linear.rest);
    return false;
  }

  const Assumptions &assuming;
  unsigned steps = 300;
};

/// Bounds an expression over a symbol's interval.
class Bounder {
public:
  Bounder(const std::string &symbol, const Interval &interval, const Assumptions &assuming)
      : symbol(symbol), interval(interval), assuming(assuming) {}

  std::optional<Expr> bound(const Expr &of, bool low) {
    if (of.isUnknown())
      return std::nullopt;
    Linear linear = linearIn(of, symbol);
    Expr result;
    if (!(linear.slope == Expr(0))) {
      std::optional<bool> rising = signOf(linear.slope);
      const std::optional<Expr> &end = rising == low ? interval.low : interval.high;
      if (!rising || !end)
        return std::nullopt;
      result = linear.slope * *end;
    }
    for (const Term &term : linear.rest.terms()) {
      std::optional<Expr> each = boundTerm(term, low);
      if (!each)
        return std::nullopt;
      result = result + *each;
    }
    return result.isUnknown() ? std::nullopt : std::optional(result);
  }

private:
  /// True: not negative; false: not positive.
  std::optional<bool> signOf(const Expr &of) {
    if (provedNonNegative(of, assuming))
      return true;
    if (provedNonNegative(-of, assuming))
      return false;
    return std::nullopt;
  }

  std::optional<Expr> boundTerm(const Term &term, bool low) {
    std::vector<Factor> others;
    const Atom *moving = nullptr;
    for (const Factor &factor : term.factors)
      if (!mentions(*factor.atom, symbol))
        others.push_back(factor);
      else if (moving || factor.power != 1)
        return std::nullopt;
      else
        moving = factor.atom.get();
    if (!moving)
      return ofTerm(term);
    Expr rest = ofFactors(term.coefficient, others);
    std::optional<bool> rising = signOf(rest);
    if (!rising)
      return std::nullopt;
    std::optional<Expr> atom = boundAtom(*moving, *rising == low);
    return atom ? std::optional(rest * *atom) : std::nullopt;
  }

  /// Atoms that do not fall when their arguments rise.
  std::optional<Expr> boundAtom(const Atom &of, bool low) {
    bool rises = of.op == Op::Min || of.op == Op::Max;
    if (of.op == Op::Floor || of.op == Op::Ceil) {
      Expr divisor = of.arguments[1];
      rises = !divisor.freeSymbols().contains(symbol) && provedNonNegative(divisor - 1, assuming);
    }
    if (!rises)
      return std::nullopt;
    std::vector<Expr> arguments;
    for (const Expr &argument : of.arguments) {
      std::optional<Expr> each = bound(argument, low);
      if (!each)
        return std::nullopt;
      arguments.push_back(*each);
    }
    return rebuild(of, std::move(arguments));
  }

  const std::string &symbol;
  const Interval &interval;
  const Assumptions &assuming;
};

} // namespace

bool provedNonNegative(const Expr &of, const Assumptions &assuming) { return Prover(assuming).nonNegative(of); }

bool provedEqual(const Expr &a, const Expr &b, const Assumptions &assuming) {
  return a == b || (provedLessEqual(a, b, assuming) && provedLessEqual(b, a, assuming));
}

std::optional<Expr> lowest(const Expr &of, const std::string &symbol, const Interval &interval,
                           const Assumptions &assuming) {
  return Bounder(symbol, interval, assuming).bound(of, true);
}

std::optional<Expr> highest(const Expr &of, const std::string &symbol, const Interval &interval,
                            const Assumptions &assuming) {
  return Bounder(symbol, interval, assuming).bound(of, false);
}

} // namespace ferry::sdfg
