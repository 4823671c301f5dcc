// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The normal form: sums of terms in a fixed order, terms as products of powers of atoms. Numbers throw Overflow, which
// every operation here turns into unknown().

#include "sdfg/symbolic.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::Overflow;

static int sign(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

int Atom::compare(const Atom &a, const Atom &b) {
  if (&a == &b)
    return 0;
  if (a.op != b.op)
    return a.op < b.op ? -1 : 1;
  if (int names = a.name.compare(b.name))
    return names;
  for (std::size_t i = 0; i < std::min(a.arguments.size(), b.arguments.size()); ++i)
    if (int arguments = Expr::compare(a.arguments[i], b.arguments[i]))
      return arguments;
  return sign(a.arguments.size() <=> b.arguments.size());
}

/// Terms of more factors come first, a number last.
static int compareFactors(const Term &a, const Term &b) {
  for (std::size_t i = 0; i < std::min(a.factors.size(), b.factors.size()); ++i) {
    if (int atoms = Atom::compare(*a.factors[i].atom, *b.factors[i].atom))
      return atoms;
    if (a.factors[i].power != b.factors[i].power)
      return a.factors[i].power > b.factors[i].power ? -1 : 1;
  }
  return -sign(a.factors.size() <=> b.factors.size());
}

int Expr::compare(const Expr &a, const Expr &b) {
  if (a.known != b.known)
    return a.known ? -1 : 1;
  for (std::size_t i = 0; i < std::min(a.sum.size(), b.sum.size()); ++i) {
    if (int factors = compareFactors(a.sum[i], b.sum[i]))
      return factors;
    if (a.sum[i].coefficient != b.sum[i].coefficient)
      return a.sum[i].coefficient < b.sum[i].coefficient ? -1 : 1;
  }
  return sign(a.sum.size() <=> b.sum.size());
}

bool operator==(const Expr &a, const Expr &b) { return a.known && b.known && Expr::compare(a, b) == 0; }

// --- Building sums ---------------------------------------------------------------------------------------------------

/// Collects terms and puts them in order. Throws Overflow.
class SumBuilder {
public:
  void add(Term term) { terms.push_back(std::move(term)); }
  void add(const Expr &expr, const Rational &times = 1) {
    for (const Term &term : expr.terms())
      terms.push_back({term.coefficient * times, term.factors});
  }

  Expr finish() {
    std::sort(terms.begin(), terms.end(), [](const Term &a, const Term &b) { return compareFactors(a, b) < 0; });
    Expr result;
    for (Term &term : terms) {
      if (!result.sum.empty() && compareFactors(result.sum.back(), term) == 0)
        result.sum.back().coefficient += term.coefficient;
      else
        result.sum.push_back(std::move(term));
      if (result.sum.back().coefficient == Rational(0))
        result.sum.pop_back();
    }
    return Expr::limited(std::move(result));
  }

private:
  std::vector<Term> terms;
};

Expr Expr::limited(Expr expr) {
  if (expr.sum.size() > kMostTerms || expr.atoms() > kMostAtoms || expr.depth() > kMostExprDepth)
    return unknown();
  return expr;
}

static Term product(const Term &a, const Term &b) {
  Term result{a.coefficient * b.coefficient, {}};
  auto i = a.factors.begin(), j = b.factors.begin();
  while (i != a.factors.end() || j != b.factors.end()) {
    int order = i == a.factors.end() ? 1 : j == b.factors.end() ? -1 : Atom::compare(*i->atom, *j->atom);
    if (order < 0)
      result.factors.push_back(*i++);
    else if (order > 0)
      result.factors.push_back(*j++);
    else {
      if (int power = i->power + j->power)
        result.factors.push_back({i->atom, power});
      ++i, ++j;
    }
  }
  for (const Factor &factor : result.factors)
    if (factor.power > 1000 || factor.power < -1000)
      throw Overflow();
  return result;
}

Expr::Expr(const Rational &value) {
  if (value != Rational(0))
    sum.push_back({value, {}});
}

Expr Expr::unknown() {
  Expr result;
  result.known = false;
  return result;
}

Expr Expr::atom(Op op, std::string name, std::vector<Expr> arguments) {
  Atom atom{op, std::move(name), std::move(arguments)};
  for (const Expr &argument : atom.arguments) {
    if (!argument.known)
      return unknown();
    atom.atoms += argument.atoms();
    atom.depth = std::max(atom.depth, 1 + argument.depth());
  }
  Expr result;
  result.sum.push_back({1, {{std::make_shared<const Atom>(std::move(atom)), 1}}});
  return limited(std::move(result));
}

Expr Expr::symbol(std::string name) { return atom(Op::Symbol, std::move(name), {}); }

std::size_t Expr::atoms() const {
  std::size_t count = 0;
  for (const Term &term : sum)
    for (const Factor &factor : term.factors)
      count += factor.atom->atoms;
  return count;
}

unsigned Expr::depth() const {
  unsigned deepest = 0;
  for (const Term &term : sum)
    for (const Factor &factor : term.factors)
      deepest = std::max(deepest, factor.atom->depth);
  return deepest;
}

std::optional<Rational> Expr::constant() const {
  if (!known || sum.size() > 1)
    return std::nullopt;
  if (sum.empty())
    return Rational(0);
  return sum[0].factors.empty() ? std::optional(sum[0].coefficient) : std::nullopt;
}

std::optional<std::int64_t> Expr::integer() const {
  std::optional<Rational> value = constant();
  if (!value || !value->isInteger() || value->numerator() != static_cast<std::int64_t>(value->numerator()))
    return std::nullopt;
  return static_cast<std::int64_t>(value->numerator());
}

const Atom *Expr::asAtom() const {
  if (!known || sum.size() != 1 || sum[0].factors.size() != 1 || sum[0].factors[0].power != 1 ||
      sum[0].coefficient != Rational(1))
    return nullptr;
  return sum[0].factors[0].atom.get();
}

std::optional<std::string> Expr::asSymbol() const {
  const Atom *atom = asAtom();
  return atom && atom->op == Op::Symbol ? std::optional(atom->name) : std::nullopt;
}

// --- Arithmetic ------------------------------------------------------------------------------------------------------

/// What `compute` gives, unknown if numbers leave their range.
template <typename Compute> static Expr guarded(Compute compute) {
  try {
    return compute();
  } catch (const Overflow &) {
    return Expr::unknown();
  }
}

static Expr combine(const Expr &a, const Expr &b, int times) {
  if (a.isUnknown() || b.isUnknown())
    return Expr::unknown();
  return guarded([&] {
    SumBuilder builder;
    builder.add(a);
    builder.add(b, times);
    return builder.finish();
  });
}

Expr operator+(const Expr &a, const Expr &b) { return combine(a, b, 1); }
Expr operator-(const Expr &a, const Expr &b) { return combine(a, b, -1); }
Expr Expr::operator-() const { return combine({}, *this, -1); }

Expr operator*(const Expr &a, const Expr &b) {
  if (a.isUnknown() || b.isUnknown() || a.terms().size() * b.terms().size() > 8 * kMostTerms)
    return Expr::unknown();
  return guarded([&] {
    SumBuilder builder;
    for (const Term &i : a.terms())
      for (const Term &j : b.terms())
        builder.add(product(i, j));
    return builder.finish();
  });
}

/// 1 / of.
static Expr reciprocal(const Expr &of) {
  if (of.isUnknown() || of.terms().empty())
    return Expr::unknown();
  return guarded([&] {
    const Term &first = of.terms()[0];
    SumBuilder builder;
    if (of.terms().size() == 1) {
      Term inverse{Rational(1) / first.coefficient, first.factors};
      for (Factor &factor : inverse.factors)
        factor.power = -factor.power;
      builder.add(std::move(inverse));
      return builder.finish();
    }
    // The sum is divided by its first coefficient, so that proportional sums share one atom.
    Rational scale = Rational(1) / first.coefficient;
    SumBuilder scaled;
    scaled.add(of, scale);
    Expr group = Expr::atom(Op::Group, "", {scaled.finish()});
    if (group.isUnknown())
      return group;
    builder.add({scale, {{group.terms()[0].factors[0].atom, -1}}});
    return builder.finish();
  });
}

static Expr ofFirst(const Expr &sum) {
  SumBuilder builder;
  builder.add(sum.terms()[0]);
  return builder.finish();
}

Expr operator/(const Expr &a, const Expr &b) {
  if (b.terms().size() > 1 && a.terms().size() == b.terms().size())
    if (Expr ratio = (ofFirst(a) / ofFirst(b)); ratio.constant() && ratio * b == a)
      return ratio;
  return a * reciprocal(b);
}

Expr power(const Expr &base, const Expr &exponent) {
  std::optional<std::int64_t> n = exponent.integer();
  if (!n || *n > 64 || *n < -64)
    return base.isUnknown() || exponent.isUnknown() ? Expr::unknown() : Expr::atom(Op::Power, "", {base, exponent});
  if (*n < 0)
    return reciprocal(power(base, -exponent));
  if (base.terms().size() > 1 && *n > 8)
    return Expr::atom(Op::Power, "", {base, exponent});
  Expr result = 1;
  for (std::int64_t i = 0; i < *n; ++i)
    result = result * base;
  return result;
}

// --- Symbols ---------------------------------------------------------------------------------------------------------

static void collectNames(const Expr &expr, Op op, std::set<std::string> &into) {
  for (const Term &term : expr.terms())
    for (const Factor &factor : term.factors) {
      if (factor.atom->op == op && !factor.atom->name.empty())
        into.insert(factor.atom->name);
      for (const Expr &argument : factor.atom->arguments)
        collectNames(argument, op, into);
    }
}

std::set<std::string> Expr::freeSymbols() const {
  std::set<std::string> result;
  collectNames(*this, Op::Symbol, result);
  return result;
}

std::set<std::string> Expr::subscripted() const {
  std::set<std::string> result;
  collectNames(*this, Op::Subscript, result);
  return result;
}

static bool mentions(const Expr &expr, const Substitution &by) {
  for (const Term &term : expr.terms())
    for (const Factor &factor : term.factors) {
      if (factor.atom->op == Op::Symbol && by.contains(factor.atom->name))
        return true;
      for (const Expr &argument : factor.atom->arguments)
        if (mentions(argument, by))
          return true;
    }
  return false;
}

static Expr substituted(const Atom &atom, const Substitution &by) {
  if (atom.op == Op::Symbol)
    return by.find(atom.name)->second;
  std::vector<Expr> arguments;
  arguments.reserve(atom.arguments.size());
  for (const Expr &argument : atom.arguments)
    arguments.push_back(argument.substitute(by));
  return rebuild(atom, std::move(arguments));
}

Expr Expr::substitute(const Substitution &by) const {
  if (!known || !mentions(*this, by))
    return *this;
  Expr result;
  for (const Term &term : sum) {
    Term kept{term.coefficient, {}};
    Expr changed = 1;
    for (const Factor &factor : term.factors) {
      Expr alone;
      alone.sum.push_back({1, {{factor.atom, 1}}});
      if (mentions(alone, by))
        changed = changed * power(substituted(*factor.atom, by), factor.power);
      else
        kept.factors.push_back(factor);
    }
    Expr rest;
    rest.sum.push_back(std::move(kept));
    result = result + rest * changed;
  }
  return result;
}

} // namespace ferry::sdfg
