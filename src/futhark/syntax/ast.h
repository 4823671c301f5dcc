// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree of a Futhark source file, the whole language. Nodes are values in an arena (`Tree`) and refer to
// each other by pointers that live as long as it. A node's alternative is in `node`; `is`/`as` look at it. Trees are
// no deeper than `maximumDepth`; chains of `let` are one flat node.
#pragma once

#include "futhark/syntax/attributes.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ferry::futhark::syntax {

/// No expression, type, pattern or module nests deeper; the parser reports an error instead.
inline constexpr unsigned maximumDepth = 400;

struct Expr;
struct TypeExpr;
struct Pattern;
struct Declaration;
struct ModuleExpr;
struct ModuleTypeExpr;
struct Spec;

/// A name as written at a definition. Operators are named by their symbol.
struct Name {
  SourceRange range;
  std::string text;
};

/// A use of a name, `m.n.x`: qualifiers from the outside in. What a dotted path means (module member or record field)
/// is not known before names are resolved, so paths of names are kept whole here, the last being `name`.
struct QualifiedName {
  SourceRange range;
  std::vector<std::string> qualifiers;
  std::string name;
};

// ---- Types -------------------------------------------------------------------------------------------------------

enum class Lifting : uint8_t { Unlifted, SizeLifted, FullyLifted };

/// `[n]`, `'t`, `'~t`, `'^t`.
struct TypeParameter {
  SourceRange range;
  std::string name;
  bool isSize = false;
  Lifting lifting = Lifting::Unlifted;
};

struct NamedType {
  QualifiedName name;
};
/// `[e]t`; `size` is null for `[]t`.
struct ArrayTypeExpr {
  Expr *size;
  TypeExpr *element;
};
struct TupleTypeExpr {
  std::vector<TypeExpr *> elements;
};
struct RecordTypeExpr {
  struct Field {
    Name name;
    TypeExpr *type;
  };
  std::vector<Field> fields;
};
struct SumTypeExpr {
  struct Constructor {
    Name name; ///< Without `#`.
    std::vector<TypeExpr *> payload;
  };
  std::vector<Constructor> constructors;
};
/// `t -> u`, `(x: t) -> u`.
struct FunctionTypeExpr {
  std::optional<Name> parameterName;
  TypeExpr *parameter;
  TypeExpr *result;
};
/// `t [n] u`: every argument is a size or a type; a size argument `[]` has neither.
struct TypeApplication {
  struct Argument {
    SourceRange range;
    bool isSize = false;
    Expr *size = nullptr;
    TypeExpr *type = nullptr;
  };
  QualifiedName name;
  std::vector<Argument> arguments;
};
/// `*t`.
struct UniqueTypeExpr {
  TypeExpr *inner;
};
/// `?[n][m].t`.
struct ExistentialTypeExpr {
  std::vector<Name> sizes;
  TypeExpr *inner;
};

struct TypeExpr {
  SourceRange range;
  unsigned depth = 1;
  std::variant<NamedType, ArrayTypeExpr, TupleTypeExpr, RecordTypeExpr, SumTypeExpr, FunctionTypeExpr, TypeApplication,
               UniqueTypeExpr, ExistentialTypeExpr>
      node;
};

// ---- Literals ----------------------------------------------------------------------------------------------------

/// A number as written; `digits` has no underscores, prefix or suffix. `suffix` is empty or a type's name.
struct NumberLiteral {
  bool isFloat = false;
  bool negative = false; ///< Only in patterns.
  unsigned base = 10;    ///< 2, 10 or 16.
  std::string digits;    ///< For floats also `.`, `e`/`p` and the exponent.
  std::string suffix;
};
struct BoolLiteral {
  bool value;
};
/// `'c'`: a Unicode code point.
struct CharLiteral {
  uint32_t codePoint;
};

// ---- Patterns ----------------------------------------------------------------------------------------------------

/// Also operators, in `def (+) ...` and `let (+) ...`.
struct NamePattern {
  std::string name;
};
struct WildcardPattern {};
struct TuplePattern {
  std::vector<Pattern *> elements;
};
/// `{x, y = p}`; `pattern` is null for the short form.
struct RecordPattern {
  struct Field {
    Name name;
    Pattern *pattern;
  };
  std::vector<Field> fields;
};
struct ConstructorPattern {
  Name name;
  std::vector<Pattern *> payload;
};
struct AscribedPattern {
  Pattern *inner;
  TypeExpr *type;
};
struct LiteralPattern {
  std::variant<NumberLiteral, BoolLiteral, CharLiteral> value;
};

struct Pattern {
  SourceRange range;
  unsigned depth = 1;
  Attributes attributes;
  std::variant<NamePattern, WildcardPattern, TuplePattern, RecordPattern, ConstructorPattern, AscribedPattern,
               LiteralPattern>
      node;
};

// ---- Expressions -------------------------------------------------------------------------------------------------

/// `x`, `m.x`, `r.f.g`, `(+)`, `(m.+)`.
struct NameExpr {
  QualifiedName name;
};
/// UTF-8, escapes resolved.
struct StringLiteral {
  std::string bytes;
};
struct HoleExpr {};
struct ParenExpr {
  Expr *inner;
};
/// `m.(e)`.
struct LocalOpenExpr {
  QualifiedName module;
  Expr *inner;
};
struct TupleExpr {
  std::vector<Expr *> elements;
};
struct RecordExpr {
  struct Field {
    Name name;
    Expr *value; ///< Null for the short form `{x}`.
  };
  std::vector<Field> fields;
};
struct ArrayExpr {
  std::vector<Expr *> elements;
};
/// `e.f` where `e` is not a path of names.
struct ProjectExpr {
  Expr *record;
  Name field;
};
/// One position in brackets: `i`, or a slice `i:j:s` with each part optional.
struct IndexPart {
  SourceRange range;
  bool isSlice = false;
  Expr *index = nullptr; ///< The index, or the slice's beginning.
  Expr *end = nullptr;
  Expr *stride = nullptr;
};
struct IndexExpr {
  Expr *array;
  std::vector<IndexPart> parts;
};
/// `f x y`: one node for all arguments.
struct ApplyExpr {
  Expr *function;
  std::vector<Expr *> arguments;
};
/// `#c x y`.
struct ConstructExpr {
  Name name;
  std::vector<Expr *> payload;
};
/// `x op y`, also with backquotes.
struct BinaryExpr {
  QualifiedName op;
  Expr *left;
  Expr *right;
};
enum class UnaryOp : uint8_t { Negate, Not };
struct UnaryExpr {
  UnaryOp op;
  Expr *operand;
};
/// `e : t`.
struct AscribeExpr {
  Expr *inner;
  TypeExpr *type;
};
/// `e :> t`.
struct CoerceExpr {
  Expr *inner;
  TypeExpr *type;
};
enum class RangeEnd : uint8_t { Inclusive, UpTo, DownTo }; ///< `...`, `..<`, `..>`
struct RangeExpr {
  Expr *start;
  Expr *second; ///< Null if left out.
  RangeEnd endKind;
  Expr *end;
};
struct IfExpr {
  Expr *condition;
  Expr *thenBranch;
  Expr *elseBranch;
};
/// One `let` of a chain.
struct LetStatement {
  SourceRange range; ///< Up to, not including, the `in` or the next `let`.
  /// `let [n] p = e`.
  struct Value {
    std::vector<Name> sizes;
    Pattern *pattern;
    Expr *value;
  };
  /// `let f 't [n] p q : t = e`; an operator's symbol may be the name.
  struct Function {
    Name name;
    std::vector<TypeParameter> typeParameters;
    std::vector<Pattern *> parameters;
    TypeExpr *resultType; ///< Null if left out.
    Expr *body;
  };
  /// One step of the path updated in `let x[i].f = e` or `x with [i].f = e`.
  using Step = std::variant<std::vector<IndexPart>, Name>;
  /// `let x[i] = e`, `let r.f = e`.
  struct Update {
    Name name;
    std::vector<Step> path;
    Expr *value;
  };
  std::variant<Value, Function, Update> node;
};
/// A chain of `let`s and what follows the last `in`.
struct LetExpr {
  std::vector<LetStatement> statements;
  Expr *body;
};
struct LambdaExpr {
  std::vector<Pattern *> parameters;
  TypeExpr *resultType; ///< Null if left out.
  Expr *body;
};
/// `(x op)`, `(op y)`.
struct SectionExpr {
  QualifiedName op;
  Expr *left;  ///< Null in `(op y)`.
  Expr *right; ///< Null in `(x op)`.
};
/// `(.a.b)`, `(.[i])`, `(.a[i])`.
struct ProjectionSectionExpr {
  std::vector<LetStatement::Step> path;
};
struct LoopExpr {
  struct Counted { // `for i < n`
    Name index;
    Expr *bound;
  };
  struct Over { // `for p in xs`
    Pattern *element;
    Expr *array;
  };
  struct While {
    Expr *condition;
  };
  std::vector<Name> sizes; ///< `loop [n] p = ...`
  Pattern *pattern;
  Expr *initial; ///< Null if left out: the pattern's names are taken from around the loop.
  std::variant<Counted, Over, While> form;
  Expr *body;
};
struct AssertExpr {
  Expr *condition;
  Expr *body;
};
/// `e with [i].f = v`.
struct UpdateExpr {
  Expr *target;
  std::vector<LetStatement::Step> path;
  Expr *value;
};
struct MatchExpr {
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
  unsigned depth = 1;
  Attributes attributes;
  std::variant<NumberLiteral, BoolLiteral, CharLiteral, StringLiteral, NameExpr, HoleExpr, ParenExpr, LocalOpenExpr,
               TupleExpr, RecordExpr, ArrayExpr, ProjectExpr, IndexExpr, ApplyExpr, ConstructExpr, BinaryExpr,
               UnaryExpr, AscribeExpr, CoerceExpr, RangeExpr, IfExpr, LetExpr, LambdaExpr, SectionExpr,
               ProjectionSectionExpr, LoopExpr, AssertExpr, UpdateExpr, MatchExpr>
      node;
};

// ---- Modules -----------------------------------------------------------------------------------------------------

struct ModuleName {
  QualifiedName name;
};
struct ModuleAscription {
  ModuleExpr *inner;
  ModuleTypeExpr *type;
};
struct ModuleParameter {
  Name name;
  ModuleTypeExpr *type;
};
struct ModuleLambda {
  std::vector<ModuleParameter> parameters;
  ModuleTypeExpr *resultType; ///< Null if left out.
  ModuleExpr *body;
};
struct ModuleApplication {
  ModuleExpr *function;
  ModuleExpr *argument;
};
struct ModuleStructure {
  std::vector<Declaration *> declarations;
};
struct ModuleImport {
  std::string path;
};
struct ModuleExpr {
  SourceRange range;
  unsigned depth = 1;
  std::variant<ModuleName, ModuleAscription, ModuleLambda, ModuleApplication, ModuleStructure, ModuleImport> node;
};

struct ModuleTypeName {
  QualifiedName name;
};
struct ModuleTypeSpecs {
  std::vector<Spec *> specs;
};
/// `mt with t 'a = u`.
struct ModuleTypeWith {
  ModuleTypeExpr *inner;
  QualifiedName type;
  std::vector<TypeParameter> typeParameters;
  TypeExpr *definition;
};
/// `(p: mt) -> mt`, `mt -> mt`.
struct ModuleTypeArrow {
  std::optional<Name> parameterName;
  ModuleTypeExpr *parameter;
  ModuleTypeExpr *result;
};
struct ModuleTypeExpr {
  SourceRange range;
  unsigned depth = 1;
  std::variant<ModuleTypeName, ModuleTypeSpecs, ModuleTypeWith, ModuleTypeArrow> node;
};

struct ValueSpec {
  Name name;
  std::vector<TypeParameter> typeParameters;
  TypeExpr *type;
};
/// Abstract if `definition` is null.
struct TypeSpec {
  Name name;
  Lifting lifting;
  std::vector<TypeParameter> typeParameters;
  TypeExpr *definition;
};
struct ModuleSpec {
  Name name;
  ModuleTypeExpr *type;
};
struct IncludeSpec {
  ModuleTypeExpr *type;
};
struct Spec {
  SourceRange range;
  Attributes attributes;
  std::variant<ValueSpec, TypeSpec, ModuleSpec, IncludeSpec> node;
};

// ---- Declarations ------------------------------------------------------------------------------------------------

struct ValueDeclaration {
  Name name;
  bool isEntry = false; ///< Written with `entry`.
  std::vector<TypeParameter> typeParameters;
  std::vector<Pattern *> parameters;
  TypeExpr *resultType; ///< Null if left out.
  Expr *body;
};
struct TypeDeclaration {
  Name name;
  Lifting lifting;
  std::vector<TypeParameter> typeParameters;
  TypeExpr *definition;
};
struct ModuleDeclaration {
  Name name;
  std::vector<ModuleParameter> parameters;
  ModuleTypeExpr *type; ///< Null if left out.
  ModuleExpr *body;
};
struct ModuleTypeDeclaration {
  Name name;
  ModuleTypeExpr *type;
};
struct OpenDeclaration {
  ModuleExpr *module;
};
/// `import "path"`.
struct ImportDeclaration {
  std::string path;
};
/// `val` outside a module type: a built-in operation; only in the prelude.
struct IntrinsicDeclaration {
  ValueSpec spec;
};
struct Declaration {
  SourceRange range;
  Attributes attributes;
  bool isLocal = false;
  std::variant<ValueDeclaration, TypeDeclaration, ModuleDeclaration, ModuleTypeDeclaration, OpenDeclaration,
               ImportDeclaration, IntrinsicDeclaration>
      node;
};

// ---- Trees -------------------------------------------------------------------------------------------------------

/// Owns the nodes of one file.
struct Tree {
  std::deque<Expr> expressions;
  std::deque<TypeExpr> types;
  std::deque<Pattern> patterns;
  std::deque<ModuleExpr> modules;
  std::deque<ModuleTypeExpr> moduleTypes;
  std::deque<Spec> specs;
  std::deque<Declaration> declarationNodes;
};

struct Program {
  const SourceFile *file = nullptr;
  std::vector<Declaration *> declarations;
  Tree tree;
};

template <typename Alternative, typename Node> bool is(const Node &node) {
  return std::holds_alternative<Alternative>(node.node);
}
/// Null if the node is of another alternative.
template <typename Alternative, typename Node> const Alternative *as(const Node &node) {
  return std::get_if<Alternative>(&node.node);
}

} // namespace ferry::futhark::syntax
