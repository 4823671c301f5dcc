// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/plan_report.h"
#include "report/problem_file.h"

#include "machines.h"
#include "programs.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <regex>
#include <sstream>

namespace ferry::report {
namespace {

using namespace placement;

/// `text` with one piece replaced.
std::string with(std::string text, const std::string &from, const std::string &to) {
  auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

const char *const kProblem = R"({
  "machine": {"launch": 3, "exit": 2, "h2d": {"latency": 0, "per_byte": 1}, "d2h": {"latency": 0, "per_byte": 1}},
  "arrays": [{"name": "a", "bytes": 7, "argument": true, "result": true}, {"name": "b", "bytes": 7}],
  "runs": 8,
  "body": [
    {"op": "f", "reads": ["a"], "updates": ["b"], "host": 5, "device": 1, "inner": 21, "peek": {"a": [1, 2]}, "fetch": {"a": 8}, "pin": "device"},
    {"loop": "i", "trips": 10, "enter": 0.5, "body": [{"op": "g", "reads": ["b"], "host": 2, "device": 99}]},
    {"branch": "p", "probability": 0.25, "then": [{"return": "r"}], "else": []}
  ]
})";

struct Refused {
  const char *from, *to, *message;
};

const Refused kRefused[] = {
    {"\"machine\"", "\"engine\"", "problem: no machine"},
    {R"("launch": 3)", R"("launch": -3)", "machine: 'launch' is negative"},
    {R"("launch": 3)", R"("profile": "abacus")",
     "machine: no profile 'abacus'; there are pcie4, a100, mi210, h200, integrated, cpu, sim"},
    {R"("latency": 0)", R"("delay": 0)", "machine: h2d: unknown member 'delay'"},
    {R"("name": "b")", R"("name": "a")", "array 'a': named twice"},
    {R"("name": "b", )", "", "array: no 'name'"},
    {R"("bytes": 7)", R"("bytes": 7.5)", "array 'a': 'bytes' is not a whole number"},
    {R"("bytes": 7)", R"("bytes": 99999999999999999999)", "array 'a': 'bytes' is not a whole number"},
    {R"("bytes": 7)", R"("bytes": 18446744073709551615)", "array 'a': 'bytes' is out of range"},
    {R"("argument": true)", R"("argument": 1)", "array 'a': 'argument' is neither true nor false"},
    {R"("runs": 8)", R"("runs": [8])", "problem: 'runs' is no number or fraction"},
    {R"("runs": 8)", R"("laps": 8)", "problem: unknown member 'laps'"},
    {R"("op": "f")", R"("opp": "f")", "body: statement 1: none of op, loop, branch, return, break, continue, call"},
    {R"("op": "f")", R"("op": "f", "loop": "f")", "body: statement 1: is both 'op' and 'loop'"},
    {R"("op": "f")", R"("op": 3)", "body: statement 1: 'op' is not a string"},
    {R"("reads": ["a"])", R"("reads": ["x"])", "operation 'f': no array 'x'"},
    {R"("reads": ["a"])", R"("reads": "a")", "operation 'f': not a list"},
    {R"("peek": {"a")", R"("peek": {"b")", "operation 'f': 'peek' names the array 'b', which it does not use so"},
    {R"("peek": {"a": [1, 2]})", R"("peek": 3)", "operation 'f': 'peek' is no object"},
    {R"("peek": {"a": [1, 2]})", R"("peek": {"a": [9223372036854775807, 2]})", "operation 'f': 'peek' is out of range"},
    {R"("fetch": {"a")", R"("fetch": {"b")", "operation 'f': 'fetch' names the array 'b', which it does not use so"},
    {R"("fetch": {"a": 8})", R"("fetch": {"a": 0.5})", "operation 'f': 'fetch' is not a whole number"},
    {R"("peek": {"a": [1, 2]})", R"("box": {"a": [3]})", "operation 'f': a box is a list of [begin, end]"},
    {R"("pin": "device")", R"("pin": "moon")", "operation 'f': 'pin' is neither host nor device"},
    {R"("trips": 10)", R"("trips": 0)", "loop 'i': 0 trips; once entered it makes at least one"},
    {R"("enter": 0.5)", R"("rename": {"back": ["a"]})", "loop 'i': a rename is an object {destination: source}"},
    {R"("enter": 0.5)", R"("rename": {"sideways": {}})", "loop 'i': unknown member 'sideways'"},
    {R"({"return": "r"})", R"({"call": "c", "function": "none"})", "call 'c': no function 'none'"},
    {R"("runs": 8)", R"("runs": 8 8)", "line 4, column 13: no valid JSON: unexpected '8'"},
    {R"({"return": "r"})", "{", "line 8, column 52: no valid JSON: unexpected ']'"},
    {R"("runs": 8)", R"("runs": 1e-300)", "problem: 'runs' is out of range"},
    {R"("runs": 8)", R"("runs": 1e999)", "file: a number is out of range"},
    {R"("runs": 8)", R"("runs": "1/1e41")", "problem: 'runs' is out of range"},
    {R"("runs": 8)", R"("runs": "8/9e99999999999")", "problem: 'runs' is out of range"},
    {R"("runs": 8)", R"("runs": "-.5e+99/2")", "problem: 'runs' is out of range"},
    {R"("runs": 8)", R"("runs": ".")", "problem: 'runs' is no number or fraction"},
    {R"("runs": 8)", R"("runs": "1e")", "problem: 'runs' is no number or fraction"},
    {R"("runs": 8)", R"("runs": 8, "runs": 9)", "the member 'runs' is there twice in one object"},
    {R"("launch": 3)", R"("launch": 3, "launch": 4)", "the member 'launch' is there twice in one object"},
    {R"("updates": ["b"])", R"("updates": [3])", "operation 'f': 'updates' is not a string"},
    {R"("updates": ["b"])", R"("writes": [3])", "operation 'f': 'writes' is not a string"},
    {R"("updates": ["b"])", R"("writes": ["b"], "updates": ["b"])",
     "operation 'f': the array 'b' is named twice in 'writes' and 'updates'"},
    {R"("arrays": [)", R"("arrays": [3, )", "array: not an object"},
};

TEST(ProblemFile, EachMessage) {
  auto right = solveFile(kProblem);
  ASSERT_TRUE(right) << right.error().message;
  for (const Refused &each : kRefused) {
    auto refused = solveFile(with(kProblem, each.from, each.to));
    ASSERT_FALSE(refused) << each.message;
    EXPECT_EQ(refused.error().message, each.message);
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i)
    deep += R"({"loop": "l", "body": [)";
  for (int i = 0; i < 100000; ++i)
    deep += "]}";
  auto refused = solveFile(with(kProblem, R"({"return": "r"})", deep));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "loop 'l': nested more than 500 deep");
}

TEST(ProblemFile, ReadsBackAsTheSame) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    ProblemFile file{*machineByName("h200"), placement::test::randomProblem(seed)};
    std::string text = writeProblem(file);
    Result<ProblemFile> again = readProblem(text);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(nlohmann::json::parse(writeProblem(*again)), nlohmann::json::parse(text)); // members in any order
    Result<Solution> one = solve(file.problem, file.machine), two = solve(again->problem, again->machine);
    ASSERT_EQ(static_cast<bool>(one), static_cast<bool>(two));
    if (one) {
      EXPECT_EQ(one->plan.cost, two->plan.cost) << "seed " << seed;
      EXPECT_EQ(one->plan.copies.size(), two->plan.copies.size());
    }
  }
}

TEST(ProblemFile, MachinesReadBack) {
  for (const std::string &name : machineNames()) {
    Machine machine = *machineByName(name);
    Result<Machine> again = readMachine(writeMachine(machine));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(writeMachine(*again), writeMachine(machine));
    EXPECT_EQ(again->copy(Direction::HostToDevice, 12345), machine.copy(Direction::HostToDevice, 12345));
  }
}

/// Every example of the reference is solved, and costs what the reference says.
TEST(ProblemFile, TheReferencesExamples) {
  std::ifstream file("docs/problem-file.md");
  std::stringstream buffer;
  buffer << file.rdbuf();
  std::string text = buffer.str();
  std::regex example("```json\n(\\{[^`]*)```\n\nIts plan costs ([0-9/]+)");
  unsigned count = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), example), end; at != end; ++at, ++count) {
    Result<ProblemFile> problem = readProblem((*at)[1].str());
    ASSERT_TRUE(problem) << problem.error().message;
    Result<Solution> solution = solve(problem->problem, problem->machine);
    ASSERT_TRUE(solution) << solution.error().message;
    EXPECT_EQ(solution->plan.cost.toString(), (*at)[2].str());
  }
  EXPECT_GE(count, 2u);
}

TEST(PlanReport, SaysWhatWhereAndWhy) {
  Result<ProblemFile> file = readProblem(kProblem);
  ASSERT_TRUE(file);
  Result<Solution> solution = solve(file->problem, file->machine);
  ASSERT_TRUE(solution);
  Result<Explanation> explanation = explain(solution->graph(), file->machine, solution->plan);
  ASSERT_TRUE(explanation);
  std::string text =
      planText(solution->graph(), solution->plan, *explanation, peakOf(solution->graph(), solution->plan));
  for (const char *piece : {"no plan with these pins costs less than", "f: device, 8 x 4 ps (pinned)",
                            "to the device: a, before statement 'f', 8 x 7 ps",
                            "from the start, wanted on the device by operation 'f'", "device memory: at most 14 bytes"})
    EXPECT_NE(text.find(piece), text.npos) << piece << " in\n" << text;
  std::string json =
      planJson(solution->graph(), solution->plan, *explanation, peakOf(solution->graph(), solution->plan));
  for (const char *piece : {"\"cost\": ", "\"bound\": ", "\"f\": \"device\"", "\"direction\": \"h2d\"", "\"residency\"",
                            "\"peak_device_bytes\": 14"})
    EXPECT_NE(json.find(piece), json.npos) << piece << " in\n" << json;
}

TEST(PlanReport, SaysWhatIsFetched) {
  Result<ProblemFile> file = readProblem(with(kProblem, R"("fetch": {"a": 8})", R"("fetch": {"a": 6})"));
  ASSERT_TRUE(file) << file.error().message;
  Result<Solution> solution = solve(file->problem, file->machine);
  ASSERT_TRUE(solution);
  Result<Explanation> explanation = explain(solution->graph(), file->machine, solution->plan);
  ASSERT_TRUE(explanation);
  Peak peak = peakOf(solution->graph(), solution->plan);
  std::string text = planText(solution->graph(), solution->plan, *explanation, peak);
  EXPECT_NE(text.find("operation 'f' fetches what it reads of a\n"), text.npos) << text;
  std::string json = planJson(solution->graph(), solution->plan, *explanation, peak);
  EXPECT_NE(json.find("\"traffic\": \"fetch\""), json.npos) << json;
}

/// Two operations that are the ends of one copy are a line, with what both cost and where each is.
TEST(PlanReport, CopiesOfTwoEndsAreOneLine) {
  Graph graph;
  for (const char *name : {"A -> B", "target of A -> B", "other"}) {
    Point point;
    point.kind = PointKind::Operation;
    point.name = name;
    graph.points.push_back(point);
  }
  Plan plan;
  plan.sides = {Sides::Host, Sides::Device, Sides::Host};
  plan.shares.assign(3, false);
  Explanation explanation;
  for (PointId id = 0; id < 3; ++id) {
    OperationReason &reason = explanation.operations.emplace_back();
    reason.point = id;
    reason.side = plan.sides[id];
    reason.price = 10 + static_cast<int>(id);
    reason.otherwise = Rational(50 - static_cast<int>(id));
  }
  std::string text = planText(graph, plan, explanation, {}, {{0, 1}});
  EXPECT_NE(text.find("  A -> B: host to device, 1 x 21 ps (otherwise 49 ps)\n  other: host, 1 x 12 ps"), text.npos)
      << text;
  EXPECT_EQ(text.find("target of"), text.npos) << text;
  plan.sides[1] = Sides::Host;
  EXPECT_NE(planText(graph, plan, explanation, {}, {{0, 1}}).find("  A -> B: host, 1 x 21 ps"), text.npos);
}

TEST(PlanReport, DiffersByWhatAPinChanges) {
  Result<ProblemFile> file = readProblem(kProblem);
  ASSERT_TRUE(file);
  Result<Solution> before = solve(file->problem, file->machine);
  std::get<Operation>(file->problem.body[0].what).pin = Side::Host;
  Result<Solution> after = solve(file->problem, file->machine);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(planDiff(before->graph(), before->plan, before->plan), "");
  std::string diff = planDiff(before->graph(), before->plan, after->plan);
  EXPECT_NE(diff.find("f: device -> host\n"), diff.npos) << diff;
  EXPECT_NE(diff.find("- to the device: a, before statement 'f'\n"), diff.npos) << diff;
  EXPECT_NE(diff.find("cost: "), diff.npos) << diff;
}

TEST(Explain, PricesTheAlternatives) {
  Machine machine = placement::test::tinyMachine();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Result<Lowered> lowered = lower(placement::test::randomProblem(seed));
    ASSERT_TRUE(lowered);
    Result<Plan> plan = solve(lowered->graph, machine);
    if (!plan)
      continue;
    Result<Explanation> explanation = explain(lowered->graph, machine, *plan);
    ASSERT_TRUE(explanation) << explanation.error().message;
    ASSERT_EQ(explanation->copies.size(), plan->copies.size());
    for (const CopyReason &reason : explanation->copies) {
      EXPECT_FALSE(reason.uses.empty()) << "seed " << seed << ": a copy that nothing wants";
      if (reason.without) {
        EXPECT_GE(*reason.without, plan->cost) << "seed " << seed;
      }
    }
    for (const OperationReason &reason : explanation->operations)
      if (reason.otherwise) {
        EXPECT_GE(*reason.otherwise, plan->cost) << "seed " << seed;
      }
  }
}

} // namespace
} // namespace ferry::report
