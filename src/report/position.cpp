// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/plan_report.h"
#include "report/wording.h"

namespace ferry::report {

using namespace placement;

std::string describePosition(const Graph &graph, const Position &position) {
  std::string name = wording::statementName(graph, position);
  auto named = [&](const char *kind) {
    if (!name.empty())
      return std::string(kind) + " '" + name + "'";
    return position.tag ? std::string(kind) + " " + std::to_string(position.tag) : std::string("the program");
  };
  const char *arm = position.arm == 0 ? "the first arm of " : "the second arm of ";
  switch (position.place) {
  case Place::Edge:
    return "on an edge";
  case Place::Before:
    return "before " + named("statement");
  case Place::EndOfBody:
    return position.tag ? "at the end of the body of " + named("statement") : "at the end of the program";
  case Place::BeforeControl:
    return "before the control of " + named("loop");
  case Place::LoopEntry:
    return "before the first trip of " + named("loop");
  case Place::OnEntry:
    return "as the first trip's parameter of " + named("loop");
  case Place::BackEdge:
    return "between trips of " + named("loop");
  case Place::OnBack:
    return "as the next trip's parameter of " + named("loop");
  case Place::LoopExit:
    return "after the last trip of " + named("loop");
  case Place::OnExit:
    return "as the result of " + named("loop");
  case Place::GuardSkip:
    return "where the guard skips " + named("loop");
  case Place::OnSkip:
    return "as the result of skipping " + named("loop");
  case Place::ArmStart:
    return "at the start of " + (arm + named("branch"));
  case Place::OnArmEnd:
    return "as the result of " + (arm + named("branch"));
  case Place::Leave:
    return "on the way out by " + named("statement");
  case Place::CallEntry:
    return "on the way into " + named("call");
  case Place::CallExit:
    break;
  }
  return "on the way out of " + named("call");
}

} // namespace ferry::report
