// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, and the expressions that are neither functions nor loops.
#include "futhark/types/consumption_walker.h"

#include "futhark/types/check_error.h"
#include "futhark/types/substitute.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

// A root without a name cannot be copied by it.
bool hasName(const Binding &root) { return root.name.find(' ') == std::string::npos; }

std::string copyOf(const Binding &root) {
  return hasName(root) ? "as in 'copy " + root.name + "'" : "as in 'copy (f x)'";
}

} // namespace

std::string quoted(const Binding &root) { return hasName(root) ? "'" + root.name + "'" : root.name; }

void failConsumption(const SourceRange &range, std::string message, std::string hint) {
  throw CheckError{CheckError::Kind::Error, range, std::move(message), std::move(hint)};
}

Aliases ConsumptionWalker::walk(const typed::Expr &expr) {
  return std::visit([&](const auto &alternative) { return node(alternative, expr); }, expr.node);
}

void ConsumptionWalker::bindName(const Binding *name, TypeRef type, const Aliases &aliases, bool isConsumable) {
  if (!hasMemory(type))
    return;
  Aliases own = rootsOf(arena, type, name);
  Roots roots = own.all();
  for (const Binding *root : roots)
    consumed.erase(root);
  if (isConsumable)
    consumable.insert(roots.begin(), roots.end());
  ownRoots[name] = std::move(roots);
  variables[name] = join(own, aliases);
}

void ConsumptionWalker::bind(const typed::Pattern &pattern, const Aliases &aliases, bool isConsumable) {
  if (const auto *name = typed::as<typed::BindPattern>(pattern)) {
    bindName(name->binding, pattern.type, aliases, isConsumable);
  } else if (const auto *record = typed::as<typed::RecordPattern>(pattern)) {
    for (size_t i = 0; i < record->fields.size(); ++i)
      bind(*record->fields[i],
           i < aliases.fields.size() ? aliases.fields[i] : spread(record->fields[i]->type, aliases.names),
           isConsumable);
  } else if (const auto *constructor = typed::as<typed::ConstructorPattern>(pattern)) {
    Roots all = aliases.all();
    for (const typed::Pattern *payload : constructor->payload)
      bind(*payload, spread(payload->type, all), isConsumable);
  }
}

void ConsumptionWalker::collectNames(const typed::Pattern &pattern, std::vector<const Binding *> &names) {
  if (const auto *name = typed::as<typed::BindPattern>(pattern))
    names.push_back(name->binding);
  else if (const auto *record = typed::as<typed::RecordPattern>(pattern))
    for (const typed::Pattern *field : record->fields)
      collectNames(*field, names);
  else if (const auto *constructor = typed::as<typed::ConstructorPattern>(pattern))
    for (const typed::Pattern *payload : constructor->payload)
      collectNames(*payload, names);
}

void ConsumptionWalker::consume(const Aliases &aliases, const SourceRange &range, const std::string &how) {
  for (const Binding *name : aliases.all()) {
    if (auto found = consumed.find(name); found != consumed.end())
      failConsumption(range,
                      quoted(*name) + " is consumed here, but it was consumed before, at " + found->second.location(),
                      "copy it before it is consumed the first time");
    if (!consumable.count(name))
      failConsumption(range, how + " would consume " + quoted(*name) + ", which may not be consumed here",
                      name->kind == Binding::Kind::Definition
                          ? "it is used by the whole program; update a copy of it"
                          : "update a copy of it, or, if it is a parameter, mark its type with '*'");
    consumed[name] = range;
  }
}

// The aliases of a name or of a part of one, without using it; of any other expression once it has been evaluated.
Aliases ConsumptionWalker::place(const typed::Expr &expr) {
  if (const auto *project = typed::as<typed::Project>(expr)) {
    Aliases record = place(*project->record);
    if (project->field < record.fields.size())
      return record.fields[project->field];
    return spread(expr.type, record.all());
  }
  const auto *var = typed::as<typed::Var>(expr);
  if (!var)
    return walk(expr);
  const Binding *name = var->binding;
  if (!hasMemory(expr.type) || name->kind == Binding::Kind::Intrinsic)
    return spread(expr.type, {});
  if (name->kind == Binding::Kind::Definition) {
    // One with size parameters is made anew for every use. Functions capture nothing that could be consumed.
    bool isConstant = name->scheme.sizeParams.empty();
    return isConstant ? spreadData(expr.type, {name}) : spread(expr.type, {});
  }
  auto found = variables.find(name);
  return found == variables.end() ? spread(expr.type, {name}) : found->second;
}

// Uses what a place names: none of it may have been consumed.
void ConsumptionWalker::use(const Aliases &aliases, const typed::Expr &expr) {
  for (const Binding *root : aliases.all()) {
    used.insert({root, expr.range});
    auto gone = consumed.find(root);
    if (gone == consumed.end())
      continue;
    std::string text(expr.range.text());
    bool itself = text == root->name || text.empty() || text == "(" + root->name + ")";
    std::string what = itself ? quoted(*root) : "'" + text + "', which may share memory with " + quoted(*root) + ",";
    failConsumption(expr.range,
                    what + " is used here, but " + (itself ? "it" : "that") + " was consumed at " +
                        gone->second.location(),
                    "use a copy made before, " + copyOf(*root));
  }
}

Aliases ConsumptionWalker::node(const typed::Var &, const typed::Expr &expr) {
  Aliases aliases = place(expr);
  use(aliases, expr);
  return aliases;
}

Aliases ConsumptionWalker::node(const typed::Record &record, const typed::Expr &) {
  Aliases result;
  result.fields.resize(record.fields.size());
  for (unsigned field : record.evaluationOrder)
    result.fields[field] = walk(*record.fields[field]);
  return result;
}

Aliases ConsumptionWalker::node(const typed::Array &array, const typed::Expr &expr) {
  for (const typed::Expr *element : array.elements)
    walk(*element);
  return spread(expr.type, {});
}

Aliases ConsumptionWalker::node(const typed::Range &range, const typed::Expr &) {
  for (const typed::Expr *part : {range.start, range.second, range.end})
    if (part)
      walk(*part);
  return {};
}

Aliases ConsumptionWalker::node(const typed::Project &, const typed::Expr &expr) {
  Aliases aliases = place(expr);
  use(aliases, expr);
  return aliases;
}

void ConsumptionWalker::walkParts(const std::vector<typed::IndexPart> &parts) {
  for (const typed::IndexPart &part : parts)
    for (const typed::Expr *expr : {part.index, part.begin, part.end, part.stride})
      if (expr)
        walk(*expr);
}

Aliases ConsumptionWalker::node(const typed::Index &index, const typed::Expr &expr) {
  Aliases array = walk(*index.array);
  walkParts(index.parts);
  return spread(expr.type, array.all());
}

Aliases ConsumptionWalker::node(const typed::Update &update, const typed::Expr &expr) {
  walkParts(update.parts);
  Aliases value = walk(*update.value);
  Aliases array = walk(*update.array);
  Roots arrayNames = array.all();
  for (const Binding *name : value.all())
    if (arrayNames.count(name))
      failConsumption(update.value->range,
                      "the new value shares memory with the array that is updated, through " + quoted(*name),
                      "copy the value first");
  consume(array, expr.range, "this update");
  return spread(expr.type, {});
}

Aliases ConsumptionWalker::node(const typed::RecordUpdate &update, const typed::Expr &expr) {
  Aliases value = walk(*update.value);
  Aliases record = place(*update.record);
  if (record.fields.empty())
    record = spread(expr.type, record.names);
  // The part that is replaced is not used, and may have been consumed to make the new value.
  Aliases *at = &record;
  for (unsigned field : update.path)
    at = &at->fields[field];
  *at = {};
  use(record, *update.record);
  *at = std::move(value);
  return record;
}

Aliases ConsumptionWalker::node(const typed::Construct &construct, const typed::Expr &expr) {
  Roots names;
  for (const typed::Expr *payload : construct.payload)
    names.merge(walk(*payload).all());
  return spread(expr.type, names);
}

namespace {

// Whether evaluating an expression may bind names.
bool mayBind(const typed::Expr &expr) {
  if (const auto *binary = typed::as<typed::Binary>(expr))
    return mayBind(*binary->left) || mayBind(*binary->right);
  if (const auto *index = typed::as<typed::Index>(expr))
    return mayBind(*index->array) || std::any_of(index->parts.begin(), index->parts.end(),
                                                 [](const auto &part) { return part.isSlice || mayBind(*part.index); });
  return !typed::is<typed::Literal>(expr) && !typed::is<typed::Var>(expr);
}

} // namespace

Aliases ConsumptionWalker::node(const typed::Binary &binary, const typed::Expr &) {
  walk(*binary.left);
  if (!mayBind(*binary.right)) {
    walk(*binary.right);
    return {};
  }
  std::map<const Binding *, SourceRange> before = consumed;
  walk(*binary.right);
  before.insert(consumed.begin(), consumed.end());
  consumed = std::move(before);
  return {};
}

Aliases ConsumptionWalker::node(const typed::Unary &unary, const typed::Expr &) {
  walk(*unary.operand);
  return {};
}

Aliases ConsumptionWalker::node(const typed::Coerce &coerce, const typed::Expr &) { return walk(*coerce.inner); }

Aliases ConsumptionWalker::node(const typed::Assert &assertion, const typed::Expr &) {
  walk(*assertion.condition);
  return walk(*assertion.body);
}

// Of the result of a branch: a name that an arm has consumed cannot be used afterwards, so it no longer matters that
// another arm's value shares its memory.
Aliases ConsumptionWalker::withoutConsumed(const Aliases &aliases) const {
  Roots gone;
  for (const auto &[name, place] : consumed)
    gone.insert(name);
  return without(aliases, gone);
}

Aliases ConsumptionWalker::node(const typed::If &branch, const typed::Expr &) {
  walk(*branch.condition);
  auto before = consumed;
  Aliases left = walk(*branch.thenBranch);
  auto afterThen = std::exchange(consumed, std::move(before));
  Aliases right = walk(*branch.elseBranch);
  consumed.insert(afterThen.begin(), afterThen.end());
  return withoutConsumed(join(left, right));
}

Aliases ConsumptionWalker::node(const typed::Match &match, const typed::Expr &expr) {
  Aliases scrutinee = walk(*match.scrutinee);
  auto before = consumed;
  auto after = consumed;
  Aliases result = spread(expr.type, {});
  for (const typed::Match::Case &branch : match.cases) {
    consumed = before;
    bind(*branch.pattern, scrutinee, true);
    result = join(result, walk(*branch.body));
    after.insert(consumed.begin(), consumed.end());
  }
  consumed = std::move(after);
  return withoutConsumed(result);
}

Aliases ConsumptionWalker::node(const typed::Let &let, const typed::Expr &) {
  for (const typed::Statement &statement : let.statements) {
    if (statement.pattern) {
      size_t before = consumed.size();
      Aliases value = walk(*statement.value);
      if (consumed.size() > before && containsFunction(statement.value->type))
        failConsumption(statement.value->range, "the value of this 'let' contains a function and consumes something",
                        "the function could be called twice; copy what is consumed first");
      bind(*statement.pattern, value, true);
      continue;
    }
    TypeRef type = statement.name->scheme.type;
    Roots captured = function(*statement.function, type);
    functionTypes[statement.name] = type;
    captured.insert(statement.name);
    variables[statement.name] = Aliases{std::move(captured), {}};
  }
  return walk(*let.body);
}

void checkConsumption(typed::Arena &arena, const UniquenessFacts &facts, typed::Function &function, TypeRef &type) {
  ConsumptionWalker(arena, facts).function(function, type);
}

} // namespace ferry::futhark::types
