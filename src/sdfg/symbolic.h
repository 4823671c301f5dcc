// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/number.h"
#include "placement/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Symbolic expressions of DaCe graphs (sizes, subsets, trip counts, conditions), compared as mathematics. What DaCe
/// writes is SymPy's or Python's syntax; DaCe 2.0 marks symbols with `$` and may give their type and assumptions
/// (`symbol($k, dtype=dace.int64, positive=True)`). A symbol is its name and nothing else.
///
/// An expression is a polynomial with rational coefficients over atoms. Atoms are symbols and what is no polynomial:
/// Min, Max, floor division, comparisons, logic, calls, each over normalised arguments. So `k - k` is 0 and
/// `i + (M - i - 1)` is `M - 1`. `//`, `%`, `int_floor` and `int_ceil` are of integers, and round towards minus and
/// plus infinity; `a % b` is `a - b*(a // b)`. True is 1 and False is 0. A divisor is not zero.
///
/// Nothing here throws. An expression whose numbers leave 128 bits, or which grows beyond the limits below, becomes
/// unknown(), about which nothing can be proved.
namespace ferry::sdfg {

using placement::Rational;

inline constexpr std::size_t kMostTerms = 400;   ///< Of one sum.
inline constexpr std::size_t kMostAtoms = 20000; ///< In an expression, those inside of atoms included.
inline constexpr unsigned kMostExprDepth = 60;   ///< Atoms inside of atoms.
inline constexpr unsigned kMostParseDepth = 500; ///< Brackets and operators inside of each other in a text.

enum class Op : std::uint8_t {
  Symbol,  ///< A structure's member is a symbol too: `A.indptr`.
  Literal, ///< A floating-point number, a string, None: only equal to the same text.
  Min,
  Max,
  Floor, ///< arguments[0] // arguments[1]
  Ceil,  ///< int_ceil with a divisor that is no number.
  Group, ///< A sum in a denominator.
  Power, ///< With an exponent that is no integer.
  Less,  ///< arguments[0] < 0
  LessEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Not,
  If,        ///< arguments[1] if arguments[0] else arguments[2]
  Subscript, ///< name[arguments...], or arguments[0][...] with an empty name.
  Call,
};

class Expr;
struct Atom;

struct Factor {
  std::shared_ptr<const Atom> atom;
  int power = 1; ///< Not 0.
};

struct Term {
  Rational coefficient = 1;
  std::vector<Factor> factors; ///< In the order of atoms, each once.
};

/// How a symbol is spelled: `N`, as in DaCe 1.0.2 and in code, or `$N`, as in DaCe 2.0's symbolic attributes.
enum class Dialect : std::uint8_t { Plain, Dollar };

using Values = std::map<std::string, Rational, std::less<>>;
using Substitution = std::map<std::string, Expr, std::less<>>;

class Expr {
public:
  Expr() = default; ///< 0.
  Expr(std::int64_t value) : Expr(Rational(value)) {}
  Expr(int value) : Expr(Rational(value)) {}
  explicit Expr(const Rational &value);
  static Expr symbol(std::string name);
  static Expr unknown();
  static Expr atom(Op op, std::string name, std::vector<Expr> arguments);

  /// The message of an error is "column 3: what is wrong".
  static placement::Result<Expr> parse(std::string_view text);

  bool isUnknown() const { return !known; }
  std::optional<Rational> constant() const;
  std::optional<std::int64_t> integer() const;
  /// The one atom that this is; null if it is anything else.
  const Atom *asAtom() const;
  /// The symbol's name if this is a symbol.
  std::optional<std::string> asSymbol() const;

  /// In decreasing order; empty for 0.
  const std::vector<Term> &terms() const { return sum; }

  /// Whether both are proved to be the same. False does not say that they differ: see provedEqual (bounds.h).
  friend bool operator==(const Expr &a, const Expr &b);
  /// A total order without a mathematical meaning; the same in every run.
  static int compare(const Expr &a, const Expr &b);
  friend bool operator<(const Expr &a, const Expr &b) { return compare(a, b) < 0; }

  friend Expr operator+(const Expr &a, const Expr &b);
  friend Expr operator-(const Expr &a, const Expr &b);
  friend Expr operator*(const Expr &a, const Expr &b);
  /// Exact, not rounded.
  friend Expr operator/(const Expr &a, const Expr &b);
  Expr operator-() const;

  /// Replaces symbols, all at once.
  Expr substitute(const Substitution &by) const;
  std::set<std::string> freeSymbols() const;
  /// Names of arrays that are subscripted: `A` of `A[i]`.
  std::set<std::string> subscripted() const;
  /// Errors name what has no value or cannot be computed.
  placement::Result<Rational> evaluate(const Values &values) const;
  std::string toString(Dialect dialect = Dialect::Plain) const;

  std::size_t atoms() const; ///< Number of atoms, those inside of atoms included.
  unsigned depth() const;    ///< 0 for a number, 1 for a symbol.

private:
  friend class SumBuilder;
  static Expr limited(Expr expr);
  std::vector<Term> sum;
  bool known = true;
};

struct Atom {
  Op op = Op::Symbol;
  std::string name; ///< Of a symbol, subscript or call; the text of a literal.
  std::vector<Expr> arguments;
  std::size_t atoms = 1;
  unsigned depth = 1;

  static int compare(const Atom &a, const Atom &b);
};

Expr min(const std::vector<Expr> &of);
Expr max(const std::vector<Expr> &of);
Expr floorDivide(const Expr &a, const Expr &b);
Expr ceilDivide(const Expr &a, const Expr &b);
Expr modulo(const Expr &a, const Expr &b);
Expr power(const Expr &base, const Expr &exponent);
/// The largest integer that is not above `of`, which need not be an integer.
Expr floor(const Expr &of);

Expr less(const Expr &a, const Expr &b);
Expr lessEqual(const Expr &a, const Expr &b);
Expr equal(const Expr &a, const Expr &b);
Expr logicalAnd(const std::vector<Expr> &of);
Expr logicalOr(const std::vector<Expr> &of);
/// Pushed through comparisons and logic; of `a < b` it is `b <= a`, as if there were no NaN.
Expr logicalNot(const Expr &of);
Expr select(const Expr &condition, const Expr &then, const Expr &otherwise);

/// A call by its name in SymPy's, DaCe's or Python's spelling (`Min`, `int_floor`, `Lt`, `IfExpr`); one of a function
/// that has no meaning here is an atom.
Expr call(const std::string &name, std::vector<Expr> arguments);

/// Rebuilds an atom's expression from other arguments, by the functions above.
Expr rebuild(const Atom &atom, std::vector<Expr> arguments);

} // namespace ferry::sdfg
