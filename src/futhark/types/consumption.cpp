// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a function in order of evaluation. Every name with memory is a root: a value's aliases are the roots
// whose memory it may share. Consuming a value consumes its roots; using a name whose roots were consumed is an error.
// Roots from outside a function or a loop cannot be consumed inside it: it may run more than once.
#include "futhark/types/consumption.h"
#include "futhark/types/aliases.h"
#include "futhark/types/check_error.h"
#include "futhark/types/substitute.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

// Whether there are arrays in a value, as far as its type says: what an abstract type is made of is nobody's business.
bool hasArrays(TypeRef type) {
  type = withoutUnique(type);
  if (const auto *record = as<RecordType>(type))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [](const Field &field) { return hasArrays(field.type); });
  return !is<AbstractRef>(type) && hasMemory(type);
}

[[noreturn]] void fail(const SourceRange &range, std::string message, std::string hint) {
  throw CheckError{CheckError::Kind::Error, range, std::move(message), std::move(hint)};
}

// Roots without a name are called by what they are.
bool hasName(const Binding &root) { return root.name.find(' ') == std::string::npos; }
std::string quoted(const Binding &root) { return hasName(root) ? "'" + root.name + "'" : root.name; }
std::string copyOf(const Binding &root) {
  return hasName(root) ? "as in 'copy " + root.name + "'" : "as in 'copy (f x)'";
}

class Walker {
public:
  Walker(typed::Arena &arena, const UniquenessFacts &facts) : arena(arena), facts(facts) {}

  // The type is that of the function as a value.
  // The roots from outside that it captures.
  Roots function(typed::Function &function, TypeRef &type);

private:
  Aliases walk(const typed::Expr &expr);
  Aliases place(const typed::Expr &expr);
  void use(const Aliases &aliases, const typed::Expr &expr);
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
  // A part of a loop's parameter that has a name or none, and the aliases of its first and its next value.
  struct LoopPart {
    const typed::Pattern *pattern;
    Aliases initial, next;
    const Binding *consuming = nullptr; // The part's name if the loop consumes it.
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
  std::map<const Binding *, Roots> ownRoots; // Of each name, not of what it was bound to.
  std::map<const Binding *, SourceRange> consumed;
  Roots consumable;
  std::map<const Binding *, TypeRef> functionTypes; // Of local functions, with what is known of their results.
  std::map<const Binding *, SourceRange> used;      // Roots with memory used since this was last emptied, and where.
};

Aliases Walker::walk(const typed::Expr &expr) {
  return std::visit([&](const auto &alternative) { return node(alternative, expr); }, expr.node);
}

void Walker::bindName(const Binding *name, TypeRef type, const Aliases &aliases, bool isConsumable) {
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

void Walker::bind(const typed::Pattern &pattern, const Aliases &aliases, bool isConsumable) {
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

void Walker::collectNames(const typed::Pattern &pattern, std::vector<const Binding *> &names) {
  if (const auto *name = typed::as<typed::BindPattern>(pattern))
    names.push_back(name->binding);
  else if (const auto *record = typed::as<typed::RecordPattern>(pattern))
    for (const typed::Pattern *field : record->fields)
      collectNames(*field, names);
  else if (const auto *constructor = typed::as<typed::ConstructorPattern>(pattern))
    for (const typed::Pattern *payload : constructor->payload)
      collectNames(*payload, names);
}

void Walker::consume(const Aliases &aliases, const SourceRange &range, const std::string &how) {
  for (const Binding *name : aliases.all()) {
    if (auto found = consumed.find(name); found != consumed.end())
      fail(range, quoted(*name) + " is consumed here, but it was consumed before, at " + found->second.location(),
           "copy it before it is consumed the first time");
    if (!consumable.count(name))
      fail(range, how + " would consume " + quoted(*name) + ", which may not be consumed here",
           name->kind == Binding::Kind::Definition
               ? "it is used by the whole program; update a copy of it"
               : "update a copy of it, or, if it is a parameter, mark its type with '*'");
    consumed[name] = range;
  }
}

// The aliases of a name or of a part of one, without using it; of any other expression once it has been evaluated.
Aliases Walker::place(const typed::Expr &expr) {
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
void Walker::use(const Aliases &aliases, const typed::Expr &expr) {
  for (const Binding *root : aliases.all()) {
    used.insert({root, expr.range});
    auto gone = consumed.find(root);
    if (gone == consumed.end())
      continue;
    std::string text(expr.range.text());
    bool itself = text == root->name || text.empty() || text == "(" + root->name + ")";
    std::string what = itself ? quoted(*root) : "'" + text + "', which may share memory with " + quoted(*root) + ",";
    fail(expr.range,
         what + " is used here, but " + (itself ? "it" : "that") + " was consumed at " + gone->second.location(),
         "use a copy made before, " + copyOf(*root));
  }
}

Aliases Walker::node(const typed::Var &, const typed::Expr &expr) {
  Aliases aliases = place(expr);
  use(aliases, expr);
  return aliases;
}

Aliases Walker::node(const typed::Record &record, const typed::Expr &) {
  Aliases result;
  result.fields.resize(record.fields.size());
  for (unsigned field : record.evaluationOrder)
    result.fields[field] = walk(*record.fields[field]);
  return result;
}

Aliases Walker::node(const typed::Array &array, const typed::Expr &expr) {
  for (const typed::Expr *element : array.elements)
    walk(*element);
  return spread(expr.type, {});
}

Aliases Walker::node(const typed::Range &range, const typed::Expr &) {
  for (const typed::Expr *part : {range.start, range.second, range.end})
    if (part)
      walk(*part);
  return {};
}

Aliases Walker::node(const typed::Project &, const typed::Expr &expr) {
  Aliases aliases = place(expr);
  use(aliases, expr);
  return aliases;
}

void Walker::walkParts(const std::vector<typed::IndexPart> &parts) {
  for (const typed::IndexPart &part : parts)
    for (const typed::Expr *expr : {part.index, part.begin, part.end, part.stride})
      if (expr)
        walk(*expr);
}

Aliases Walker::node(const typed::Index &index, const typed::Expr &expr) {
  Aliases array = walk(*index.array);
  walkParts(index.parts);
  return spread(expr.type, array.all());
}

Aliases Walker::node(const typed::Update &update, const typed::Expr &expr) {
  walkParts(update.parts);
  Aliases value = walk(*update.value);
  Aliases array = walk(*update.array);
  Roots arrayNames = array.all();
  for (const Binding *name : value.all())
    if (arrayNames.count(name))
      fail(update.value->range, "the new value shares memory with the array that is updated, through " + quoted(*name),
           "copy the value first");
  consume(array, expr.range, "this update");
  return spread(expr.type, {});
}

Aliases Walker::node(const typed::RecordUpdate &update, const typed::Expr &expr) {
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

Aliases Walker::node(const typed::Construct &construct, const typed::Expr &expr) {
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

Aliases Walker::node(const typed::Binary &binary, const typed::Expr &) {
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

Aliases Walker::node(const typed::Unary &unary, const typed::Expr &) {
  walk(*unary.operand);
  return {};
}

Aliases Walker::node(const typed::Coerce &coerce, const typed::Expr &) { return walk(*coerce.inner); }

Aliases Walker::node(const typed::Assert &assertion, const typed::Expr &) {
  walk(*assertion.condition);
  return walk(*assertion.body);
}

// Of the result of a branch: a name that an arm has consumed cannot be used afterwards, so it no longer matters that
// another arm's value shares its memory.
Aliases Walker::withoutConsumed(const Aliases &aliases) const {
  Roots gone;
  for (const auto &[name, place] : consumed)
    gone.insert(name);
  return without(aliases, gone);
}

Aliases Walker::node(const typed::If &branch, const typed::Expr &) {
  walk(*branch.condition);
  auto before = consumed;
  Aliases left = walk(*branch.thenBranch);
  auto afterThen = std::exchange(consumed, std::move(before));
  Aliases right = walk(*branch.elseBranch);
  consumed.insert(afterThen.begin(), afterThen.end());
  return withoutConsumed(join(left, right));
}

Aliases Walker::node(const typed::Match &match, const typed::Expr &expr) {
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

Aliases Walker::node(const typed::Let &let, const typed::Expr &) {
  for (const typed::Statement &statement : let.statements) {
    if (statement.pattern) {
      size_t before = consumed.size();
      Aliases value = walk(*statement.value);
      if (consumed.size() > before && containsFunction(statement.value->type))
        fail(statement.value->range, "the value of this 'let' contains a function and consumes something",
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

Aliases Walker::node(const typed::Lambda &lambda, const typed::Expr &expr) {
  TypeRef type = expr.type;
  return Aliases{function(*lambda.function, type), {}};
}

Aliases Walker::node(const typed::Apply &apply, const typed::Expr &expr) {
  std::vector<Aliases> arguments;
  for (const typed::Expr *argument : apply.arguments) {
    size_t before = consumed.size();
    arguments.push_back(walk(*argument));
    if (consumed.size() > before && containsFunction(argument->type))
      fail(argument->range, "this argument contains a function and consumes something",
           "the function could be called twice; copy what is consumed first");
  }
  Roots sources = walk(*apply.function).all();
  TypeRef type = apply.function->type;
  if (const auto *var = typed::as<typed::Var>(*apply.function))
    if (auto found = functionTypes.find(var->binding); found != functionTypes.end()) {
      type = found->second;
      sources.erase(var->binding);
    }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto *node = as<FunctionType>(withoutUnique(type));
    if (!node)
      break;
    type = node->result;
    if (!node->consumes) {
      sources.merge(arguments[i].all());
      continue;
    }
    const typed::Expr &argument = *apply.arguments[i];
    if (const Binding *shared = sharedByParts(arguments[i]))
      fail(argument.range, "this argument is consumed, but its parts share memory, through '" + shared->name + "'",
           "copy one of them");
    Roots names = arguments[i].all();
    for (size_t j = 0; j < arguments.size(); ++j)
      for (const Binding *name : j == i ? Roots{} : arguments[j].all())
        if (names.count(name))
          fail(argument.range,
               "this argument is consumed, but shares memory with another argument, through " + quoted(*name),
               "copy one of them");
    consume(arguments[i], argument.range, "this application");
  }
  // A result marked unique shares nothing; any other may share the memory of every argument, and its parts each
  // other's.
  if (is<UniqueType>(resolve(type)))
    return spread(expr.type, {});
  if (!is<FunctionType>(withoutUnique(type)) && hasMemory(expr.type))
    sources.insert(freshRoot(*apply.function, expr.range));
  Aliases result = spread(expr.type, sources);
  const auto *record = as<RecordType>(withoutUnique(type));
  for (size_t i = 0; record && i < record->fields.size() && i < result.fields.size(); ++i)
    if (is<UniqueType>(resolve(record->fields[i].type)))
      result.fields[i] = spread(record->fields[i].type, {});
  return result;
}

// Stands for the memory of what a function returned, which has no name yet.
const Binding *Walker::freshRoot(const typed::Expr &function, const SourceRange &range) {
  const auto *var = typed::as<typed::Var>(function);
  std::string name = var ? "the result of " + var->binding->name : "the result of an application";
  const Binding *root = arena.binding(Binding::Kind::Local, std::move(name), range, nullptr, boundInTypeLevel);
  consumable.insert(root);
  return root;
}

// ---- Functions ---------------------------------------------------------------------------------------------------

void Walker::checkUniqueParts(TypeRef type, const Aliases &aliases, const Aliases &whole, const SourceRange &range) {
  type = resolve(type);
  if (is<UniqueType>(type)) {
    for (const Binding *name : aliases.all())
      if (!consumable.count(name))
        fail(range,
             "the result is declared with '*', but shares memory with " + quoted(*name) + ", which may not be consumed",
             "return a copy, or mark the parameter with '*'");
    if (const Binding *shared = sharedByParts(whole); shared && aliases.all().count(shared))
      fail(range,
           "a part of the result declared with '*' shares memory with another part, through '" + shared->name + "'",
           "copy one of them");
    return;
  }
  if (const auto *record = as<RecordType>(type))
    for (size_t i = 0; i < record->fields.size() && i < aliases.fields.size(); ++i)
      checkUniqueParts(record->fields[i].type, aliases.fields[i], whole, range);
}

void Walker::checkResult(const typed::Function &function, const Aliases &aliases) {
  checkUniqueParts(function.resultType, aliases, aliases, function.body->range);
  if (facts.inApplication || function.parameters.empty())
    return;
  for (const Binding *name : aliases.all())
    if (name->kind == Binding::Kind::Definition && name->definition && hasArrays(name->scheme.type))
      fail(function.body->range, "the function's result shares memory with " + quoted(*name) + ", a constant",
           "return a copy, as in 'copy " + name->name + "'");
}

// The function type with the result's parts marked unique that share no memory with anything visible outside.
TypeRef Walker::withResult(TypeRef type, size_t parameters, const Aliases &aliases, const Roots &visible) {
  if (parameters == 0)
    return markUnique(arena, type, aliases, visible);
  FunctionType copy = *as<FunctionType>(withoutUnique(type));
  copy.result = withResult(copy.result, parameters - 1, aliases, visible);
  return arena.type(std::move(copy));
}

Roots Walker::function(typed::Function &function, TypeRef &type) {
  Roots outerConsumable = std::exchange(consumable, {});
  auto outerConsumed = consumed;
  Roots own;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    std::vector<const Binding *> names;
    collectNames(*function.parameters[i], names);
    bind(*function.parameters[i], spread(function.parameters[i]->type, {}), function.consumes[i]);
    if (function.consumes[i])
      continue;
    for (const Binding *name : names)
      own.insert(ownRoots[name].begin(), ownRoots[name].end());
  }
  auto usedBefore = std::exchange(used, {});
  Aliases result = walk(*function.body);
  checkResult(function, result);
  auto bodyUsed = std::exchange(used, std::move(usedBefore));
  if (facts.inferredResults.count(&function) && !function.parameters.empty()) {
    Roots visible = own;
    for (const Binding *name : result.all())
      if (!consumable.count(name))
        visible.insert(name);
    type = withResult(type, function.parameters.size(), result, visible);
    function.resultType = markUnique(arena, function.resultType, result, visible);
  }
  Roots captured;
  for (const auto &[name, where] : bodyUsed) {
    if (consumable.count(name) || own.count(name) || name->kind == Binding::Kind::Definition)
      continue;
    captured.insert(name);
    used.insert({name, where});
  }
  consumable = std::move(outerConsumable);
  consumed = std::move(outerConsumed);
  return captured;
}

// ---- Loops -------------------------------------------------------------------------------------------------------

void Walker::splitLoop(const typed::Pattern &pattern, const Aliases &initial, const Aliases &next,
                       std::vector<LoopPart> &parts) {
  const auto *record = typed::as<typed::RecordPattern>(pattern);
  if (!record) {
    parts.push_back({&pattern, initial, next});
    return;
  }
  auto field = [](const Aliases &aliases, size_t i, TypeRef type) {
    return i < aliases.fields.size() ? aliases.fields[i] : spread(type, aliases.all());
  };
  for (size_t i = 0; i < record->fields.size(); ++i) {
    const typed::Pattern &inner = *record->fields[i];
    splitLoop(inner, field(initial, i, inner.type), field(next, i, inner.type), parts);
  }
}

// What the body returns for a consumed part must be free to be consumed again.
void Walker::checkLoopPart(const typed::Loop &loop, const LoopPart &part, const std::vector<LoopPart> &parts,
                           const Roots &bodyNames) {
  std::string message =
      "the loop consumes '" + part.consuming->name + "', but what the body returns for it shares memory with ";
  for (const Binding *name : part.next.all()) {
    if (!bodyNames.count(name))
      fail(loop.body->range, message + quoted(*name) + ", which exists outside the loop", "return a copy");
    for (const LoopPart &other : parts) {
      if (&other != &part && other.next.all().count(name))
        fail(loop.body->range, message + "another part of the result, through " + quoted(*name), "return a copy");
    }
  }
}

// Finds the parts that the loop consumes: declared so, consumed in the body, or handed on to such a part.
Roots Walker::markConsuming(std::vector<LoopPart> &parts) const {
  Roots consuming;
  auto mark = [&](LoopPart &part, const Binding *name) {
    part.consuming = name;
    return consuming.insert(name).second;
  };
  auto nameOf = [](const LoopPart &part) -> const Binding * {
    const auto *bound = typed::as<typed::BindPattern>(*part.pattern);
    return bound ? bound->binding : nullptr;
  };
  auto anyOf = [&](const Binding *name, auto predicate) {
    auto roots = ownRoots.find(name);
    return roots != ownRoots.end() && std::any_of(roots->second.begin(), roots->second.end(), predicate);
  };
  auto isConsumed = [&](const Binding *root) { return consumed.count(root) != 0; };
  for (LoopPart &part : parts)
    if (const Binding *name = nameOf(part); name && (facts.uniqueNames.count(name) || anyOf(name, isConsumed)))
      mark(part, name);
  for (bool changed = true; changed;) {
    changed = false;
    for (const LoopPart &part : parts)
      for (LoopPart &source : parts)
        if (const Binding *name = nameOf(source); part.consuming && name) {
          Roots next = part.next.all();
          if (anyOf(name, [&](const Binding *root) { return next.count(root) != 0; }))
            changed |= mark(source, name);
        }
  }
  return consuming;
}

// What a consumed part becomes shares no memory with anything.
void Walker::clearConsuming(const typed::Pattern &pattern, const Roots &consuming, Aliases &aliases) {
  if (const auto *record = typed::as<typed::RecordPattern>(pattern)) {
    for (size_t i = 0; i < record->fields.size() && i < aliases.fields.size(); ++i)
      clearConsuming(*record->fields[i], consuming, aliases.fields[i]);
  } else if (const auto *name = typed::as<typed::BindPattern>(pattern); name && consuming.count(name->binding)) {
    aliases = spread(pattern.type, {});
  }
}

// A part of the loop's parameter is consumed if its type is marked so, or if it has none and its name is consumed in
// the body; then the loop consumes the initial value.
Aliases Walker::node(const typed::Loop &loop, const typed::Expr &) {
  Aliases initial = walk(*loop.initial);
  Aliases over;
  if (const auto *counted = std::get_if<typed::Loop::Counted>(&loop.form))
    walk(*counted->bound);
  else if (const auto *array = std::get_if<typed::Loop::Over>(&loop.form))
    over = walk(*array->array);

  Roots outerConsumable = std::exchange(consumable, {});
  auto outerConsumed = consumed;
  bind(*loop.parameter, spread(loop.parameter->type, {}), true);
  std::vector<const Binding *> names;
  collectNames(*loop.parameter, names);
  Roots own;
  for (const Binding *name : names)
    own.insert(ownRoots[name].begin(), ownRoots[name].end());
  for (const Binding *name : names)
    if (facts.observedNames.count(name))
      for (const Binding *root : ownRoots[name])
        consumable.erase(root);
  auto usedBefore = std::exchange(used, {});
  if (const auto *array = std::get_if<typed::Loop::Over>(&loop.form))
    bind(*array->element, spread(array->element->type, over.all()), false);
  if (const auto *condition = std::get_if<typed::Loop::While>(&loop.form))
    walk(*condition->condition);
  Aliases next = walk(*loop.body);

  std::vector<LoopPart> parts;
  splitLoop(*loop.parameter, initial, next, parts);
  Roots consuming = markConsuming(parts);
  auto bodyUsed = std::exchange(used, std::move(usedBefore));
  Roots bodyNames = std::exchange(consumable, std::move(outerConsumable));
  consumed = std::move(outerConsumed);
  Roots consumedInitially;
  for (const LoopPart &part : parts) {
    if (!part.consuming)
      continue;
    checkLoopPart(loop, part, parts, bodyNames);
    for (const Binding *name : part.initial.all()) {
      if (!consumedInitially.insert(name).second)
        fail(loop.initial->range,
             "the loop consumes parts of its initial value that share memory, through " + quoted(*name),
             "copy one of them");
      if (auto again = bodyUsed.find(name); again != bodyUsed.end())
        fail(again->second,
             "this may share memory with " + quoted(*name) + ", which the loop around it consumes as its initial value",
             "use the loop's parameter, or give the loop a copy");
    }
    consume(part.initial, loop.initial->range, "the loop");
  }
  used.insert(bodyUsed.begin(), bodyUsed.end());
  // What is not consumed may still be the initial value, or what the body returns.
  consumable.insert(bodyNames.begin(), bodyNames.end());
  consumable.insert(own.begin(), own.end());
  Aliases result = join(initial, next);
  clearConsuming(*loop.parameter, consuming, result);
  return result;
}

} // namespace

void checkConsumption(typed::Arena &arena, const UniquenessFacts &facts, typed::Function &function, TypeRef &type) {
  Walker(arena, facts).function(function, type);
}

} // namespace ferry::futhark::types
