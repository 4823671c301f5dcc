// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checker behind check(): turns syntax into typed nodes while inferring types and sizes. Methods are grouped by the
// files that define them. A definition with an error is given up by throwing CheckError; the next one goes on.
//
// Levels: every scope is one deeper than the one around it. Names and variables of inference carry the level they were
// made at, which keeps types from mentioning names that are not in scope.
#pragma once

#include "futhark/syntax/diagnostics.h"
#include "futhark/syntax/parse.h"
#include "futhark/types/check_error.h"
#include "futhark/types/consumption.h"
#include "futhark/types/scope.h"
#include "futhark/types/unify.h"

#include <map>
#include <set>
#include <span>

namespace ferry::futhark::types {

/// How sizes that a type expression leaves open are made up.
struct TypeContext {
  enum class Open : uint8_t {
    Infer,       ///< a variable of inference
    Existential, ///< an unknown size, added to `existentials`
    Forbid,      ///< an error
  };
  const Scope *scope;
  Open open = Open::Infer;
  std::vector<const Binding *> *existentials = nullptr;
  bool inArray = false;
  bool inSpec = false; ///< Parameters in it must have named sizes.
};

class Checker {
public:
  Checker(Sources &sources, Diagnostics &diagnostics, typed::Program &program)
      : sources(sources), diagnostics(diagnostics), program(program), arena(*program.arena) {}

  /// Checks a program in the scope of the prelude.
  void checkProgram(const SourceFile &file);

private:
  // ---- Common (checker.cpp) ----
  [[noreturn]] void fail(const SourceRange &range, std::string message, std::string hint = {}) const;
  [[noreturn]] void failUnsupported(const SourceRange &range, std::string feature) const;
  void report(const CheckError &error);
  Unifier unifier() { return Unifier(arena, level); }
  /// Fails at `range` with "expected ..., found ...", saying what has the type.
  void unify(const SourceRange &range, TypeRef expected, TypeRef actual, const std::string &what);
  /// The reason, or nothing if all that it says is that these two types differ.
  static std::string unlessSaid(const std::string &reason, const std::string &expected, const std::string &actual);
  void limitType(const SourceRange &range, TypeRef type) const;
  TypeRef freshType(const SourceRange &range);
  Size freshSize(const SourceRange &range);
  Binding *freshUnknown(const SourceRange &range, const std::string &name = "k");
  void requireLifting(const SourceRange &range, TypeRef type, Lifting lifting, const std::string &what);
  /// Rewrites a type that leaves the scope at `outer + 1`: names bound deeper than `outer` become unknown sizes, which
  /// are added to `unknown`; `known` says what some names are equal to. Variables are moved up to `outer`.
  TypeRef leaveScope(TypeRef type, unsigned outer, std::vector<const Binding *> &unknown,
                     const std::vector<std::pair<const Binding *, Size>> &known = {});
  TypeRef hideNames(TypeRef type, const std::function<bool(const Binding *)> &isHidden, unsigned freshLevel,
                    std::vector<const Binding *> &unknown, const std::vector<std::pair<const Binding *, Size>> &known);
  void raise(TypeRef type, unsigned outer);
  /// Those of `unknown` that the type mentions.
  static std::vector<const Binding *> mentioned(const std::vector<const Binding *> &unknown, TypeRef type);

  // ---- Names (check_names.cpp) ----
  struct Resolved {
    ValueEntry entry;
    std::vector<std::string> fields; ///< The rest of the path.
  };
  Resolved resolveValue(const syntax::QualifiedName &name, const Scope &scope) const;
  const Environment &resolveModuleNames(const syntax::QualifiedName &name, const Scope &scope) const;
  const ValueEntry &resolveModule(const syntax::QualifiedName &name, const Scope &scope) const;
  const TypeEntry &resolveType(const syntax::QualifiedName &name, const Scope &scope) const;
  std::shared_ptr<const ModuleType> resolveModuleType(const syntax::QualifiedName &name, const Scope &scope) const;
  const Environment *enterQualifiers(const syntax::QualifiedName &name, size_t count, const Scope &scope) const;
  /// Binds a value that is read more than once to a name that no program has; a use of it.
  typed::Expr *hold(const char *name, typed::Expr *value, typed::Let &let);
  typed::Expr *useBinding(const Binding *binding, const SourceRange &range);
  typed::Expr *useView(const ValueEntry &entry, const SourceRange &range);
  typed::Expr *useEntry(const ValueEntry &entry, const SourceRange &range);
  typed::Expr *project(typed::Expr *record, const std::string &field, const SourceRange &range);
  /// Suggestions for a name that is not known.
  std::string suggest(const std::string &name, const Scope &scope) const;

  // ---- Types (check_types.cpp) ----
  TypeRef elaborate(const syntax::TypeExpr &type, const TypeContext &context);
  TypeRef elaborateNode(const syntax::NamedType &node, const syntax::TypeExpr &type, const TypeContext &context);
  TypeRef elaborateNode(const syntax::ArrayTypeExpr &node, const syntax::TypeExpr &type, const TypeContext &context);
  TypeRef elaborateNode(const syntax::TupleTypeExpr &node, const syntax::TypeExpr &type, const TypeContext &context);
  TypeRef elaborateNode(const syntax::RecordTypeExpr &node, const syntax::TypeExpr &type, const TypeContext &context);
  TypeRef elaborateNode(const syntax::SumTypeExpr &node, const syntax::TypeExpr &type, const TypeContext &context);
  TypeRef elaborateNode(const syntax::FunctionTypeExpr &node, const syntax::TypeExpr &type, const TypeContext &context);
  TypeRef elaborateNode(const syntax::TypeApplication &node, const syntax::TypeExpr &type, const TypeContext &context);
  TypeRef elaborateNode(const syntax::UniqueTypeExpr &node, const syntax::TypeExpr &type, const TypeContext &context);
  TypeRef elaborateNode(const syntax::ExistentialTypeExpr &node, const syntax::TypeExpr &type,
                        const TypeContext &context);
  TypeRef applyTypeEntry(const TypeEntry &entry, const syntax::QualifiedName &name,
                         const std::vector<syntax::TypeApplication::Argument> &arguments, const SourceRange &range,
                         const TypeContext &context);
  Size elaborateSize(const syntax::Expr *size, const SourceRange &range, const TypeContext &context);
  Size openSize(const SourceRange &range, const TypeContext &context, const std::string &name);
  struct TypeParameters {
    std::vector<const TypeParam *> types;
    std::vector<const Binding *> sizes;
    std::vector<TypeParameterEntry> all; ///< In order.
  };
  /// Declares type parameters in a scope, at the current level.
  TypeParameters declareTypeParameters(const std::vector<syntax::TypeParameter> &parameters, Scope &scope);
  TypeEntry declareType(const syntax::TypeDeclaration &declaration, const Scope &scope);
  void checkElements(const SourceRange &range, TypeRef type);
  void checkWitnessed(const SourceRange &range, TypeRef type, const std::vector<const Binding *> &sizes);

  // ---- Patterns (check_patterns.cpp) ----
  struct PatternContext {
    Scope *scope; ///< Gets the names.
    std::set<std::string> names;
    bool refutable = false;
    unsigned deeper = 0; ///< How far below the level the names are.
    bool unique = false; ///< Out: an annotation has a `*`.
  };
  typed::Pattern *checkPattern(const syntax::Pattern &pattern, TypeRef expected, PatternContext &context);
  typed::Pattern *makePattern(const syntax::Pattern &pattern, TypeRef type);
  void checkRecordPattern(const syntax::Pattern &pattern, typed::Pattern &result,
                          const std::vector<std::pair<std::string, const syntax::Pattern *>> &fields,
                          PatternContext &context);
  void checkConstructorPattern(const syntax::Pattern &pattern, const syntax::ConstructorPattern &constructor,
                               typed::Pattern &result, PatternContext &context);
  void checkLiteralPattern(const syntax::Pattern &pattern, const syntax::LiteralPattern &literal,
                           typed::Pattern &result);
  const Binding *bindName(const std::string &name, const SourceRange &range, TypeRef type, PatternContext &context);
  void requireIrrefutable(const typed::Pattern &pattern);
  void checkIrrefutable(const typed::Pattern &pattern) const;
  /// Notes which names of the pattern are annotated with `*`.
  void noteUnique(const typed::Pattern &pattern, TypeRef annotation);

  // ---- Expressions (check_expressions.cpp) ----
  typed::Expr *checkExpr(const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::NumberLiteral &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::BoolLiteral &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::CharLiteral &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::StringLiteral &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::NameExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::HoleExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::ParenExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::LocalOpenExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::TupleExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::RecordExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::ArrayExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::ProjectExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::ConstructExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::AscribeExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::CoerceExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::AssertExpr &node, const syntax::Expr &expr, const Scope &scope);
  void unifyButSizes(const SourceRange &range, TypeRef target, TypeRef actual, bool openSizes, const std::string &what);
  typed::Expr *literal(const SourceRange &range, const syntax::NumberLiteral &number, PrimSet prims);

  // ---- Operators and application (check_operators.cpp, check_apply.cpp) ----
  typed::Expr *checkNode(const syntax::BinaryExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::UnaryExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *section(const syntax::SectionExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::SectionExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::ProjectionSectionExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::ApplyExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *binary(typed::BinaryOp op, typed::Expr *left, typed::Expr *right, const SourceRange &range);
  typed::Expr *operatorFunction(typed::BinaryOp op, const SourceRange &range);
  typed::Expr *operatorFunction(typed::BinaryOp op, TypeRef type, const SourceRange &range);
  typed::Expr *applyOperator(const Resolved &op, typed::Expr *left, typed::Expr *right, const SourceRange &range,
                             const SourceRange &opRange);
  Resolved resolveOperator(const syntax::QualifiedName &name, const Scope &scope) const;
  /// The built-in operation that an operator of a number module is, such as `i32.+`.
  static std::optional<typed::BinaryOp> moduleOperation(const Binding &binding);
  typed::Expr *lambda(const SourceRange &range, const std::vector<const Binding *> &parameters, typed::Expr *body);
  [[noreturn]] void failArgument(const typed::Expr &argument, TypeRef parameter, const std::string &reason) const;
  void checkOpened(const std::vector<const Binding *> &opened, TypeRef rest, const SourceRange &range) const;
  TypeRef bindResults(TypeRef type, const std::vector<const Binding *> &results, std::vector<const Binding *> &unknown);
  typed::Expr *apply(typed::Expr *function, const std::vector<typed::Expr *> &arguments, const SourceRange &range);

  // ---- Functions (check_functions.cpp) ----
  struct FunctionSyntax {
    SourceRange range;
    std::string name; ///< Empty for lambdas.
    const std::vector<syntax::TypeParameter> *typeParameters;
    const std::vector<syntax::Pattern *> *parameters;
    const syntax::TypeExpr *resultType;
    const syntax::Expr *body;
  };
  /// Checks parameters and body. `self`, if not null, is in scope of the body for recursion. The type is closed: it
  /// mentions names of enclosing scopes and names bound in itself only, and the type parameters.
  struct CheckedFunction {
    typed::Function *function;
    TypeRef type;
  };
  CheckedFunction checkFunction(const FunctionSyntax &syntax, const Scope &scope, BindingInfo *self);
  void requireUsedSizes(const typed::Function &function, TypeRef result) const;
  void declareSelf(BindingInfo &self, const typed::Function &function, TypeRef declaredResult);
  void settleSelf(const BindingInfo &self, const typed::Function &function);
  /// Names that only results of functions in the type mention are bound there, as unknown sizes of these; the others
  /// that it mentions are added to `here`.
  TypeRef bindDeeper(TypeRef type, const std::vector<const Binding *> &names, std::vector<const Binding *> &here);
  TypeRef bindInFunctions(TypeRef type, const std::vector<const Binding *> &names);
  TypeRef functionType(const typed::Function &function, TypeRef result,
                       const std::vector<const Binding *> &existentials);
  void closeResult(typed::Function &function, unsigned outer);
  void checkParameterTypes(const typed::Function &function, unsigned outer);
  void checkResultNames(const SourceRange &range, const typed::Function &function, TypeRef result,
                        unsigned outer) const;
  /// Makes variables of the type that are deeper than the current level parameters of the function: those that stand
  /// for sizes and, if asked for, those that stand for types.
  void generalize(typed::Function &function, TypeRef type, bool overTypes);
  typed::Expr *checkNode(const syntax::LambdaExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::LetExpr &node, const syntax::Expr &expr, const Scope &scope);
  /// Check a statement in a scope, to which they add its names.
  typed::Statement checkLetValue(const syntax::LetStatement::Value &node, const syntax::LetStatement &statement,
                                 Scope &scope);
  typed::Statement checkLetFunction(const syntax::LetStatement::Function &node, const syntax::LetStatement &statement,
                                    Scope &scope);
  typed::Statement checkLetUpdate(const syntax::LetStatement::Update &node, const syntax::LetStatement &statement,
                                  Scope &scope);

  // ---- Control (check_control.cpp, check_loop.cpp) ----
  typed::Expr *checkNode(const syntax::IfExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::MatchExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::LoopExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkCondition(const syntax::Expr &expr, const Scope &scope);
  TypeRef joinBranches(const SourceRange &range, TypeRef left, TypeRef right, std::vector<const Binding *> &unknown);
  /// The bound or the array, evaluated once, before the parameter exists; null for a `while` loop.
  typed::Expr *checkLoopBound(const syntax::LoopExpr &node, const Scope &scope);
  /// What a trip depends on, in the scope of the parameter.
  void checkLoopForm(const syntax::LoopExpr &node, typed::Expr *bound, Scope &inner, typed::Loop &loop);
  void settleLoopSizes(const syntax::Expr &expr, typed::Loop &loop, TypeRef parameterType, TypeRef initialType,
                       const std::vector<SizeVariable *> &variables, const std::vector<const Binding *> &declared);
  const syntax::Expr *implicitInitial(const syntax::Pattern &pattern);

  // ---- Arrays (check_arrays.cpp) ----
  typed::Expr *checkNode(const syntax::IndexExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::RangeExpr &node, const syntax::Expr &expr, const Scope &scope);
  typed::Expr *checkNode(const syntax::UpdateExpr &node, const syntax::Expr &expr, const Scope &scope);
  std::vector<typed::IndexPart> checkIndexParts(const std::vector<syntax::IndexPart> &parts, const Scope &scope);
  typed::Expr *index(typed::Expr *array, const std::vector<typed::IndexPart> &parts, const SourceRange &range);
  TypeRef replaceable(TypeRef part, std::span<const typed::IndexPart> parts, const SourceRange &range);
  std::optional<Size> difference(const std::optional<Size> &end, const std::optional<Size> &begin,
                                 const SourceRange &range);
  Size sliceSize(const typed::IndexPart &part, const Size &dimension, std::vector<const Binding *> &unknown);
  typed::Expr *copied(typed::Expr *value);
  /// One step of an update path, its indices checked.
  using Step = std::variant<std::vector<typed::IndexPart>, std::string>;
  typed::Expr *update(typed::Expr *target, const std::vector<Step> &path, size_t first, typed::Expr *value,
                      const SourceRange &range);
  typed::Expr *updatePath(typed::Expr *target, const std::vector<syntax::LetStatement::Step> &path,
                          const syntax::Expr &value, const SourceRange &range, const Scope &scope);

  // ---- Finishing a definition (finish.cpp, literals.cpp) ----
  struct Mark {
    size_t expressions, patterns, functions, bindings, typeVariables, sizeVariables;
  };
  Mark mark() const;
  void checkRecursion(const Binding &self, const typed::Function &function, const Mark &since) const;
  void defaultVariables(const Mark &since);
  void finish(const Mark &since);
  TypeRef finalType(TypeRef type);
  /// Without abstract types: what lowering sees.
  TypeRef representedType(TypeRef type);
  Size finalSize(const Size &size);
  void finalExpr(typed::Expr &expr);
  void finalAliases(typed::Expr &expr);
  void finalFields();
  void finalConstructors();
  /// A value no case of the match matches, or nothing (exhaustive.cpp).
  std::optional<std::string> missingCase(const typed::Match &match) const;
  void finalLiterals();
  static uint64_t provisionalValue(const syntax::NumberLiteral &number);
  typed::Constant constant(const SourceRange &range, const syntax::NumberLiteral &number, Prim prim, bool negated);

  // ---- Declarations and modules (check_declarations.cpp, check_modules.cpp, check_module_types.cpp) ----
  /// Declares in `scope`, and in `exports` unless local.
  void checkDeclaration(const syntax::Declaration &declaration, Scope &scope, Environment &exports);
  void checkDeclarations(const std::vector<syntax::Declaration *> &declarations, Scope &scope, Environment &exports);
  void giveUp();
  void checkValue(const syntax::ValueDeclaration &node, const syntax::Declaration &declaration, Scope &scope,
                  Environment &exports);
  void define(const syntax::ValueDeclaration &node, const syntax::Declaration &declaration, Scope &scope,
              Environment &exports, bool knowsItself);
  void checkIntrinsic(const syntax::IntrinsicDeclaration &node, Scope &scope, Environment &exports);
  void poison(const syntax::Declaration &declaration, Scope &scope, Environment &exports);
  std::string qualified(const std::string &name) const;
  Scope &preludeScope();
  void checkModuleDeclaration(const syntax::Declaration &declaration, Scope &scope, Environment &exports);
  Module checkModule(const syntax::ModuleExpr &module, const Scope &scope);
  Module checkParametric(const std::vector<const syntax::ModuleParameter *> &parameters,
                         const syntax::ModuleTypeExpr *resultType, const syntax::ModuleExpr &body, const Scope &scope,
                         const SourceRange &range);
  Module applyModule(const Module &function, const Module &argument, const SourceRange &range);
  Module instantiateBody(const Module::Parametric &parametric, const Module &argument, const SourceRange &range);
  Module importFile(const std::string &path, const SourceRange &range);
  std::shared_ptr<const Scope> snapshot(const Scope &scope) const;

  // ---- Module types (check_module_types.cpp, check_ascription.cpp) ----
  /// The result's abstract types are new ones.
  ModuleType checkModuleType(const syntax::ModuleTypeExpr &type, const Scope &scope);
  ModuleType checkModuleArrow(const syntax::ModuleTypeArrow &arrow, const Scope &scope);
  void checkSpec(const syntax::Spec &spec, Scope &scope, ModuleType &result);
  TypeEntry declareAbstract(const syntax::TypeSpec &spec, ModuleType &result);
  ModuleType refine(const ModuleType &type, const syntax::ModuleTypeWith &with, const SourceRange &range,
                    const Scope &scope);
  Substitution matchParameters(const TypeEntry &have, const AbstractType &want, const std::string &name,
                               const SourceRange &range);
  ModuleType instantiate(const ModuleType &type);
  Environment copyNames(const Environment &names, Substitution &copies);
  void substituteNames(Environment &names, const Substitution &substitution,
                       const std::vector<const Binding *> &hidden);
  void showType(TypeEntry &entry, Substitution substitution, const std::vector<const Binding *> &hidden);
  static Module moduleOfType(const ModuleType &type);
  /// The module as the module type shows it. Its abstract types are new ones, or with `transparent` what they stand
  /// for.
  Module ascribe(const Module &module, const ModuleType &type, const SourceRange &range, bool transparent = false);
  struct Ascription {
    const SourceRange &range;
    std::unordered_set<const AbstractType *> open; ///< Of the module type.
    Substitution actual;                           ///< What the module has for them.
    Substitution shown;                            ///< What the result shows for them.
    bool transparent;
    std::vector<const Binding *> unknown; ///< Sizes that types in `actual` hide, different for every value.
  };
  static void matchSizes(const Environment &have, const Environment &want, Ascription &ascription);
  TypeRef bindInResult(TypeRef type, const std::vector<const Binding *> &names);
  Scheme represented(const Scheme &scheme, Substitution substitution, const std::vector<const Binding *> &hidden);
  void matchTypes(const Environment &have, const Environment &want, const std::string &prefix, Ascription &ascription);
  void matchType(const TypeEntry &have, const TypeEntry &want, const std::string &name, Ascription &ascription);
  Environment matchValues(const Environment &have, const Environment &want, const std::string &prefix,
                          const Ascription &ascription);
  ValueEntry matchValue(const ValueEntry &have, const Binding &want, const std::string &name,
                        const Ascription &ascription);

  // ---- Whole programs (entries.cpp) ----
  const typed::Definition *saturate(const typed::Definition &definition);
  void checkEntry(const typed::Definition &definition, const syntax::ValueDeclaration &declaration) const;
  void collectEntry(const typed::Definition &definition, const syntax::ValueDeclaration &declaration);

  Sources &sources;
  Diagnostics &diagnostics;
  typed::Program &program;
  typed::Arena &arena;
  unsigned level = 0;
  bool topLevel = true;   ///< In the file given to check(), outside modules.
  bool inModule = false;  ///< Between the braces of a module.
  bool discard = false;   ///< In the body of a parametric module that is not applied.
  std::string moduleName; ///< Qualified, with a dot at the end; empty at top level.
  unsigned applicationDepth = 0;
  const SourceFile *currentFile = nullptr;
  Scope prelude;
  bool preludeChecked = false;
  std::vector<std::unique_ptr<syntax::Program>> trees;
  std::map<std::string, Module> imports; ///< By path; absent while being checked.
  std::set<std::string> importing;
  std::deque<syntax::Expr> madeUp;                   ///< Syntax that the source only implies.
  std::map<const SizeVariable *, Size> loopInitials; ///< What the sizes of loops' parameters are at first.
  std::map<TypeRef, TypeRef> finalTypes;
  std::map<TypeRef, TypeRef> representedTypes;

  struct PendingLiteral {
    typed::Expr *expr; ///< or
    typed::Pattern *pattern;
    syntax::NumberLiteral number;
    bool negated = false;
  };
  std::vector<PendingLiteral> pendingLiterals;
  struct PendingField { // A projection, or one step of a record update's path.
    typed::Expr *expr;
    std::string field;
  };
  std::vector<PendingField> pendingFields;
  struct PendingConstructor {
    typed::Expr *expr; ///< or
    typed::Pattern *pattern;
    std::string name;
  };
  std::vector<PendingConstructor> pendingConstructors;
  std::vector<const typed::Expr *> pendingMatches;
  std::vector<const typed::Pattern *> pendingIrrefutable;
  UniquenessFacts facts;
  BindingInfo *currentSelf = nullptr;
  bool selfUsed = false;
  struct SelfUse { // A recursive call, and the sizes it is for.
    SourceRange range;
    std::vector<Size> sizes;
  };
  std::vector<SelfUse> selfUses;
  std::unordered_set<const typed::Expr *> sections; ///< Of the definition being checked.
};

} // namespace ferry::futhark::types
