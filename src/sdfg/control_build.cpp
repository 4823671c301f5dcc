// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From blocks and regions to points and edges. Every graph of blocks is built between a point that leads into it and
// one that it ends at; a jump leads to the point that its loop, or the program, set up for it.

#include "sdfg/control_build.h"

#include "sdfg/identifiers.h"

#include <algorithm>
#include <cctype>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

static std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return std::string(text);
}

Expr expressionOf(const Code &code) {
  if (code.language != "Python")
    return Expr::unknown();
  std::string text = trimmed(code.text);
  if (text.empty())
    return 1;
  Result<Expr> expr = Expr::parse(text);
  return expr ? *expr : Expr::unknown();
}

std::set<std::string> namesIn(const Code &code) {
  Expr expr = expressionOf(code);
  if (!expr.isUnknown()) {
    std::set<std::string> names = expr.freeSymbols();
    names.merge(expr.subscripted());
    return names;
  }
  std::set<std::string> names;
  addIdentifiers(code.text, names);
  return names;
}

std::set<std::string> namesIn(const FlowEdge &edge) {
  std::set<std::string> names = namesIn({edge.conditionText});
  for (const Assignment &each : edge.assignments)
    names.merge(namesIn({each.text}));
  return names;
}

static Assignment assignment(const std::string &symbol, const std::string &text) {
  return {symbol, expressionOf({text}), text};
}

static bool isIdentifier(std::string_view text) {
  auto isPart = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), isPart);
}

/// A symbol and its value, of `i = value` or of `i += value` with any of Python's operators.
static std::optional<std::pair<std::string, std::string>> assignmentIn(const std::string &statement) {
  std::size_t sign = statement.find('=');
  if (sign == std::string::npos || statement.substr(sign).starts_with("=="))
    return std::nullopt;
  std::string left = trimmed(statement.substr(0, sign)), right = trimmed(statement.substr(sign + 1));
  for (std::string_view update : {"//", "**", "<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^"})
    if (left.ends_with(update)) {
      left = trimmed(left.substr(0, left.size() - update.size()));
      right = left + " " + std::string(update) + " (" + right + ")";
      break;
    }
  if (!isIdentifier(left))
    return std::nullopt;
  return std::pair(left, right);
}

/// Statements that are not empty.
static std::vector<std::string> statementsIn(const std::optional<Code> &code) {
  std::vector<std::string> result;
  std::string statement;
  for (char c : code ? code->text + '\n' : "") {
    if (c != '\n' && c != ';') {
      statement += c;
      continue;
    }
    if (std::string text = trimmed(statement); !text.empty())
      result.push_back(text);
    statement.clear();
  }
  return result;
}

std::vector<Assignment> statements(const std::optional<Code> &code) {
  std::vector<Assignment> result;
  for (const std::string &each : statementsIn(code))
    if (auto parts = assignmentIn(each))
      result.push_back(assignment(parts->first, parts->second));
  return result;
}

/// The error names what is no assignment to a symbol.
static Result<void> requireStatements(const Block &block, const std::optional<Code> &code) {
  for (const std::string &each : statementsIn(code))
    if (!assignmentIn(each))
      return Error{ErrorKind::Malformed, "loop '" + block.label() + "': '" + each + "' assigns to no symbol"};
  return {};
}

PointId FlowBuilder::point(FlowKind kind, const Block *block) {
  flow.points.push_back({kind, block});
  return static_cast<PointId>(flow.points.size() - 1);
}

FlowEdge &FlowBuilder::edge(PointId from, PointId to, Site site, const Block *block) {
  FlowEdge made;
  made.from = from;
  made.to = to;
  made.site = site;
  made.block = block;
  flow.edges.push_back(std::move(made));
  return flow.edges.back();
}

Result<void> FlowBuilder::program(const Sdfg &sdfg) {
  flow.entry = point(FlowKind::Entry, nullptr);
  flow.exit = point(FlowKind::Exit, nullptr);
  return graph(sdfg.graph, {flow.entry, flow.exit, nullptr, kNone}, {flow.exit, kNone, kNone});
}

/// Builds the blocks of a graph and the edges between them.
Result<void> FlowBuilder::graph(const ControlGraph &of, const Span &span, const Targets &targets) {
  std::vector<Ends> ends(of.blocks.size());
  for (std::size_t i = 0; i < of.blocks.size(); ++i) {
    Result<Ends> built = block(of.blocks[i], targets);
    if (!built)
      return built.error();
    ends[i] = *built;
  }
  std::vector<std::vector<const InterstateEdge *>> leaving(of.blocks.size());
  for (const InterstateEdge &each : of.edges)
    leaving[each.from].push_back(&each);
  std::optional<BlockId> start = of.startBlock();
  FlowEdge &first = edge(span.before, start ? ends[*start].in : span.end, Site::Start, span.block);
  first.branch = span.branch;
  for (std::size_t i = 0; i < of.blocks.size(); ++i)
    if (ends[i].out != kNone)
      leave(of.blocks[i], ends[i].out, leaving[i], ends, span.end);
  return {};
}

/// The edges that a block is left by, the first of which that can be taken is.
void FlowBuilder::leave(const Block &block, PointId from, const std::vector<const InterstateEdge *> &leaving,
                        const std::vector<Ends> &ends, PointId end) {
  auto interstate = [&](PointId source, const InterstateEdge &of) -> FlowEdge & {
    FlowEdge &made = edge(source, ends[of.to].in, Site::Interstate, &block);
    made.edge = &of;
    for (const auto &[symbol, text] : of.assignments)
      made.assignments.push_back(assignment(symbol, text));
    return made;
  };
  if (leaving.empty()) {
    edge(from, end, Site::End, &block);
    return;
  }
  if (leaving[0]->isUnconditional()) {
    interstate(from, *leaving[0]);
    return;
  }
  PointId control = point(FlowKind::Control, &block);
  edge(from, control, Site::Decision, &block);
  std::vector<Expr> conditions;
  bool exhausted = false;
  for (const InterstateEdge *each : leaving) {
    FlowEdge &made = interstate(control, *each);
    made.condition = expressionOf(each->condition);
    made.conditionText = each->condition.text;
    conditions.push_back(made.condition);
    // The others are never looked at behind one that always holds.
    exhausted = logicalOr(conditions) == Expr(1) || complementary(conditions);
    if (exhausted)
      break;
  }
  if (!exhausted)
    edge(control, end, Site::End, &block).otherwise = true;
}

/// Whether one of the last condition and those before it is the opposite of the last.
bool FlowBuilder::complementary(const std::vector<Expr> &conditions) {
  Expr opposite = logicalNot(conditions.back());
  return std::any_of(conditions.begin(), conditions.end() - 1, [&](const Expr &each) { return each == opposite; });
}

Result<FlowBuilder::Ends> FlowBuilder::block(const Block &of, const Targets &targets) {
  if (of.state()) {
    PointId state = point(FlowKind::State, &of);
    return Ends{state, state};
  }
  if (const Region *region = of.region())
    return region->loop ? loop(of, *region, targets) : plainRegion(of, *region, targets);
  if (const Conditional *conditional = of.conditional())
    return branches(of, *conditional, targets);
  PointId to = *of.jump() == Jump::Return  ? targets.returns
               : *of.jump() == Jump::Break ? targets.breaks
                                           : targets.continues;
  if (to == kNone)
    return Error{ErrorKind::Malformed, "block '" + of.label() + "': it leaves a loop, but is in none"};
  PointId here = point(FlowKind::Join, &of);
  edge(here, to, Site::Jump, &of);
  return Ends{here, kNone};
}

Result<FlowBuilder::Ends> FlowBuilder::plainRegion(const Block &of, const Region &region, const Targets &targets) {
  Ends ends{point(FlowKind::Join, &of), point(FlowKind::Join, &of)};
  Result<void> built = graph(region.graph, {ends.in, ends.out, &of, kNone}, targets);
  return built ? Result<Ends>(ends) : Result<Ends>(built.error());
}

/// in -init-> control -> body ... latch -update-> control -> out, or with the control behind the body.
Result<FlowBuilder::Ends> FlowBuilder::loop(const Block &of, const Region &region, const Targets &targets) {
  const Loop &loop = *region.loop;
  for (const std::optional<Code> *code : {&loop.init, &loop.update})
    if (Result<void> understood = requireStatements(of, *code); !understood)
      return understood.error();
  Ends ends{point(FlowKind::Join, &of), point(FlowKind::Join, &of)};
  PointId control = point(FlowKind::Control, &of), latch = point(FlowKind::Join, &of);
  PointId top = loop.inverted ? point(FlowKind::Join, &of) : control;
  PointId body = loop.inverted ? top : point(FlowKind::Join, &of);
  edge(ends.in, top, Site::LoopEntry, &of).assignments = statements(loop.init);

  FlowEdge &back = edge(latch, control, Site::LoopUpdate, &of);
  bool early = !loop.inverted || loop.updateBeforeCondition;
  if (early)
    back.assignments = statements(loop.update);
  FlowEdge &stay = edge(control, body, loop.inverted ? Site::LoopAgain : Site::LoopBody, &of);
  stay.condition = expressionOf(*loop.condition);
  stay.conditionText = loop.condition->text;
  if (!early)
    stay.assignments = statements(loop.update);
  edge(control, ends.out, Site::LoopExit, &of).otherwise = true;

  Result<void> built = graph(region.graph, {body, latch, &of, kNone}, {targets.returns, ends.out, latch});
  return built ? Result<Ends>(ends) : Result<Ends>(built.error());
}

Result<FlowBuilder::Ends> FlowBuilder::branches(const Block &of, const Conditional &conditional,
                                                const Targets &targets) {
  Ends ends{point(FlowKind::Control, &of), point(FlowKind::Join, &of)};
  bool otherwise = false;
  for (std::uint32_t i = 0; i < conditional.branches.size(); ++i) {
    const Conditional::Branch &branch = conditional.branches[i];
    PointId start = point(FlowKind::Join, &of);
    FlowEdge &taken = edge(ends.in, start, Site::Start, &of);
    taken.branch = i;
    if (branch.condition) {
      taken.condition = expressionOf(*branch.condition);
      taken.conditionText = branch.condition->text;
    } else {
      taken.otherwise = otherwise = true;
    }
    Result<void> built = graph(branch.graph, {start, ends.out, &of, i}, targets);
    if (!built)
      return built.error();
  }
  if (!otherwise)
    edge(ends.in, ends.out, Site::BranchSkip, &of).otherwise = true;
  return ends;
}

} // namespace ferry::sdfg
