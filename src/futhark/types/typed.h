// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checked program: what lowering reads.
//
// Modules are gone: every definition of every module, and every application of a parametric module, is a `Definition`
// of its own, and names are resolved to bindings. Sections, pipes, ascriptions and parentheses are gone; operators on
// built-in types are `Binary`/`Unary`, other operators are applications.
//
// How to evaluate: an environment gives bindings values, type parameters types and size bindings i64s.
//  * `Var` of a definition or local function with a scheme: evaluate `typeArguments` and `sizeArguments` in the user's
//    environment and bind them to the scheme's parameters in the body's.
//  * A node with `existentials`: its value has sizes known only now. Matching the value's shape against `type` gives
//    each one its i64; they are then in scope for everything evaluated after it in the same function.
//  * The `existentials` of a constant's `Function` are told by its value and in scope of all later definitions.
//  * A built-in operation is a `Var` of an intrinsic binding, named as from outside the prelude: "map", "f64.sqrt",
//    "i32.>>>". Operators of number modules that are built in are `Binary` nodes.
//  * Types in nodes are without `AbstractRef`s; only schemes of definitions have them.
//  * The sizes in a node's `type` are in scope once its operands are evaluated (needed for empty arrays).
#pragma once

#include "futhark/syntax/attributes.h"
#include "futhark/types/types.h"

#include <deque>
#include <memory>

namespace ferry::futhark::typed {

using types::Binding;
using types::Prim;
using types::Size;
using types::TypeRef;

struct Expr;
struct Pattern;

// ---- Patterns ----------------------------------------------------------------------------------------------------

/// A number, bool or character constant. Integers hold the value's 64 bits, wrapped to its type.
struct Constant {
  Prim prim;
  uint64_t integer = 0; ///< Sign-extended for signed types; 0 or 1 for bool.
  double real = 0;      ///< f16 and f32 are rounded to their type.
};

struct BindPattern {
  const Binding *binding;
};
struct WildcardPattern {};
/// One sub-pattern for each field of the record type, in its order.
struct RecordPattern {
  std::vector<Pattern *> fields;
};
struct ConstructorPattern {
  unsigned constructor; ///< Index in the sum type.
  std::vector<Pattern *> payload;
};
struct ConstantPattern {
  Constant value;
};

struct Pattern {
  SourceRange range;
  Attributes attributes;
  TypeRef type = nullptr;
  std::variant<BindPattern, WildcardPattern, RecordPattern, ConstructorPattern, ConstantPattern> node;
};

// ---- Functions ---------------------------------------------------------------------------------------------------

/// A function, or with no parameters a constant. The type and size parameters are in scope in everything else; a size
/// parameter may also be a plain name in `body`.
struct Function {
  std::vector<const types::TypeParam *> typeParams;
  std::vector<const Binding *> sizeParams;
  std::vector<Pattern *> parameters;
  std::vector<bool> consumes; ///< One for each parameter.
  Expr *body = nullptr;
  TypeRef resultType = nullptr;              ///< With `Unique` where the result is alias-free.
  std::vector<const Binding *> existentials; ///< Sizes in `resultType` that only the result tells.
};

// ---- Expressions -------------------------------------------------------------------------------------------------

struct Literal {
  Constant value;
};
/// An array of u8.
struct String {
  std::string bytes;
};
/// A use of a name. The arguments match the binding's scheme, one for each parameter.
struct Var {
  const Binding *binding;
  std::vector<TypeRef> typeArguments;
  std::vector<Size> sizeArguments;
};
/// `???`: fails when evaluated.
struct Hole {};
/// One value for each field of the record type, in its order. `evaluationOrder` lists the fields as written.
struct Record {
  std::vector<Expr *> fields;
  std::vector<unsigned> evaluationOrder;
};
struct Array {
  std::vector<Expr *> elements;
};
enum class RangeEnd : uint8_t { Inclusive, UpTo, DownTo };
struct Range {
  Expr *start;
  Expr *second; ///< Null: the step is 1, or -1 for DownTo.
  RangeEnd endKind;
  Expr *end;
};
struct Project {
  Expr *record;
  unsigned field; ///< Index in the record type.
};
/// `index`, or with `isSlice` begin, end and stride, each of which may be null.
struct IndexPart {
  SourceRange range;
  bool isSlice = false;
  Expr *index = nullptr; ///< Any integer type.
  Expr *begin = nullptr; ///< The three are i64.
  Expr *end = nullptr;
  Expr *stride = nullptr;
};
struct Index {
  Expr *array;
  std::vector<IndexPart> parts; ///< The first dimensions; no more than the array's rank.
};
/// `array with [parts] = value`; consumes `array`.
struct Update {
  Expr *array;
  std::vector<IndexPart> parts;
  Expr *value;
};
/// `record with f.g = value`.
struct RecordUpdate {
  Expr *record;
  std::vector<unsigned> path; ///< Indices in the record types, from the outside in.
  Expr *value;
};
/// Arguments are evaluated before the function, from left to right.
struct Apply {
  Expr *function;
  std::vector<Expr *> arguments; ///< At least one, possibly fewer than the function has parameters.
  bool infix = false;            ///< An operator between its two arguments.
};
struct Construct {
  unsigned constructor; ///< Index in the sum type.
  std::vector<Expr *> payload;
};
enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Quot,
  Rem,
  Pow, ///< `/` and `%` floor, `//` and `%%` truncate
  Shl,
  Shr,
  And,
  Or,
  Xor,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  LogicalAnd,
  LogicalOr, ///< evaluate `right` only if needed
};
/// Both operands have the same type: a Prim, except that Equal and NotEqual compare any type without functions.
struct Binary {
  BinaryOp op;
  Expr *left;
  Expr *right;
};
enum class UnaryOp : uint8_t { Negate, Not };
struct Unary {
  UnaryOp op;
  Expr *operand;
};
/// `inner :> type`: sizes of the node's type that differ from those of `inner`'s are checked at run time.
struct Coerce {
  Expr *inner;
};
struct If {
  Expr *condition;
  Expr *thenBranch;
  Expr *elseBranch;
};
/// One binding of a `Let`: of a pattern to a value, or of a local function, which is not in scope of itself.
struct Statement {
  SourceRange range;
  Pattern *pattern = nullptr; ///< Null for a function.
  Expr *value = nullptr;
  std::vector<const Binding *> sizes; ///< `let [n] p = e`: told by the value's shape and the pattern's type.
  const Binding *name = nullptr;
  Function *function = nullptr;
};
/// Statements in order, each in scope of those after it and of `body`.
struct Let {
  std::vector<Statement> statements;
  Expr *body;
};
struct Lambda {
  Function *function;
};
/// The loop's parameter starts as `initial` and becomes the value of `body`. `sizes` are sizes of the parameter that
/// may change from iteration to iteration: told by the shape of its value at the beginning of each.
struct Loop {
  struct Counted { // `for index < bound`: any integer type
    const Binding *index;
    Expr *bound;
  };
  struct Over { // `for element in array`
    Pattern *element;
    Expr *array;
  };
  struct While { // evaluated before each iteration, with the parameter in scope
    Expr *condition;
  };
  std::vector<const Binding *> sizes;
  Pattern *parameter;
  Expr *initial;
  std::variant<Counted, Over, While> form;
  Expr *body;
};
struct Assert {
  Expr *condition; ///< Its range's text is what the message quotes.
  Expr *body;
};
/// The first case whose pattern matches; one always does.
struct Match {
  struct Case {
    SourceRange range;
    Pattern *pattern;
    Expr *body;
  };
  Expr *scrutinee;
  std::vector<Case> cases;
};

struct Expr {
  SourceRange range;
  Attributes attributes;  ///< Of the expression and of the parentheses around it.
  TypeRef type = nullptr; ///< Never `Unique` at the root.
  std::vector<const Binding *> existentials;
  std::variant<Literal, String, Var, Hole, Record, Array, Range, Project, Index, Update, RecordUpdate, Apply, Construct,
               Binary, Unary, Coerce, If, Let, Lambda, Loop, Assert, Match>
      node;
};

// ---- Programs ----------------------------------------------------------------------------------------------------

struct Definition {
  const Binding *binding = nullptr;
  Attributes attributes;
  Function function;
  bool recursive = false; ///< Uses its own binding.
};

struct EntryParameter {
  std::string name; ///< Empty if the parameter is not a name.
  TypeRef type;
  std::string typeName; ///< As written if it was written, otherwise as printed.
  bool unique;          ///< The caller gives the argument away.
};
struct EntryResult {
  TypeRef type; ///< Without `Unique`.
  std::string typeName;
  bool unique;
};
/// A tuple result is its components; any other is one result.
struct Entry {
  std::string name;
  const Definition *definition;
  std::vector<EntryParameter> parameters;
  std::vector<EntryResult> results;
};

struct Arena; ///< Owns nodes, types and bindings.

struct Program {
  Program();
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  std::unique_ptr<Arena> arena;
  std::vector<const Definition *> definitions; ///< In order: each uses only earlier ones and itself.
  std::vector<Entry> entries;                  ///< In order of the source.
};

template <typename Alternative, typename Node> bool is(const Node &node) {
  return std::holds_alternative<Alternative>(node.node);
}
/// Null if the node is of another alternative.
template <typename Alternative, typename Node> const Alternative *as(const Node &node) {
  return std::get_if<Alternative>(&node.node);
}

} // namespace ferry::futhark::typed
