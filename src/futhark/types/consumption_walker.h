// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to consumption*.cpp: the walk over a function in order of evaluation. Every name with memory is a root: a
// value's aliases are the roots whose memory it may share. Consuming a value consumes its roots; using a name whose
// roots were consumed is an error. Roots from outside a function or a loop cannot be consumed inside it: it may run
// more than once.
#pragma once

#include "futhark/types/aliases.h"
#include "futhark/types/consumption.h"

#include <map>
#include <string>
#include <vector>

namespace ferry::futhark::types {

/// An error of uniqueness: what is wrong, and the way out.
[[noreturn]] void failConsumption(const SourceRange &range, std::string message, std::string hint);

/// `'xs'`; roots without a name are called by what they are.
std::string quoted(const Binding &root);

class ConsumptionWalker {
public:
  ConsumptionWalker(typed::Arena &arena, const UniquenessFacts &facts) : arena(arena), facts(facts) {}

  /// Checks a function, whose value has this type, and marks its result's parts unique where that was to be inferred.
  /// The roots from outside that it captures.
  Roots function(typed::Function &function, TypeRef &type);

private:
  Aliases walk(const typed::Expr &expr);
  /// Of an expression that names a place, which reads nothing.
  Aliases place(const typed::Expr &expr);
  /// Reads the memory: an error if some of it was consumed.
  void use(const Aliases &aliases, const typed::Expr &expr);
  /// Stands for the memory of what a function returned, which has no name yet.
  const Binding *freshRoot(const typed::Expr &function, const SourceRange &range);
  Aliases node(const typed::Var &var, const typed::Expr &expr);
  Aliases node(const typed::Record &record, const typed::Expr &expr);
  Aliases node(const typed::Array &array, const typed::Expr &expr);
  Aliases node(const typed::Range &range, const typed::Expr &expr);
  Aliases node(const typed::Project &project, const typed::Expr &expr);
  Aliases node(const typed::Index &index, const typed::Expr &expr);
  Aliases node(const typed::Update &update, const typed::Expr &expr);
  Aliases node(const typed::RecordUpdate &update, const typed::Expr &expr);
  Aliases node(const typed::Apply &apply, const typed::Expr &expr);
  Aliases node(const typed::Construct &construct, const typed::Expr &expr);
  Aliases node(const typed::Binary &binary, const typed::Expr &expr);
  Aliases node(const typed::Unary &unary, const typed::Expr &expr);
  Aliases node(const typed::Coerce &coerce, const typed::Expr &expr);
  Aliases node(const typed::If &branch, const typed::Expr &expr);
  Aliases node(const typed::Let &let, const typed::Expr &expr);
  Aliases node(const typed::Lambda &lambda, const typed::Expr &expr);
  Aliases node(const typed::Loop &loop, const typed::Expr &expr);
  Aliases node(const typed::Assert &assertion, const typed::Expr &expr);
  Aliases node(const typed::Match &match, const typed::Expr &expr);
  Aliases node(const typed::Literal &, const typed::Expr &) { return {}; }
  Aliases node(const typed::String &, const typed::Expr &) { return {}; }
  Aliases node(const typed::Hole &, const typed::Expr &expr) { return spread(expr.type, {}); }

  void walkParts(const std::vector<typed::IndexPart> &parts);
  void bind(const typed::Pattern &pattern, const Aliases &aliases, bool isConsumable);
  void bindName(const Binding *name, TypeRef type, const Aliases &aliases, bool isConsumable);
  void consume(const Aliases &aliases, const SourceRange &range, const std::string &how);
  Aliases withoutConsumed(const Aliases &aliases) const;
  static void collectNames(const typed::Pattern &pattern, std::vector<const Binding *> &names);
  void checkResult(const typed::Function &function, const Aliases &aliases);
  void checkUniqueParts(TypeRef type, const Aliases &aliases, const Aliases &whole, const SourceRange &range);
  TypeRef withResult(TypeRef type, size_t parameters, const Aliases &aliases, const Roots &visible);
  /// A part of a loop's parameter that has a name or none, and the aliases of its first and its next value.
  struct LoopPart {
    const typed::Pattern *pattern;
    Aliases initial, next;
    const Binding *consuming = nullptr; ///< The part's name if the loop consumes it.
  };
  static void splitLoop(const typed::Pattern &pattern, const Aliases &initial, const Aliases &next,
                        std::vector<LoopPart> &parts);
  Roots markConsuming(std::vector<LoopPart> &parts) const;
  static void checkLoopPart(const typed::Loop &loop, const LoopPart &part, const std::vector<LoopPart> &parts,
                            const Roots &bodyNames);
  static void clearConsuming(const typed::Pattern &pattern, const Roots &consuming, Aliases &aliases);

  typed::Arena &arena;
  const UniquenessFacts &facts;
  std::map<const Binding *, Aliases> variables;
  std::map<const Binding *, Roots> ownRoots; ///< Of each name, not of what it was bound to.
  std::map<const Binding *, SourceRange> consumed;
  Roots consumable;
  std::map<const Binding *, TypeRef> functionTypes; ///< Of local functions, with what is known of their results.
  std::map<const Binding *, SourceRange> used;      ///< Roots with memory used since this was last emptied, and where.
};

} // namespace ferry::futhark::types
