// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Problem files that are broken, absurd or spiteful: each is solved, or refused in one line.
#include "report/problem_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace ferry::report {
namespace {

using Json = nlohmann::ordered_json;

/// Something of everything that the form has.
constexpr std::string_view kProblem = R"({
  "machine": {"launch": 3, "exit": 2, "peek": 1, "h2d": {"latency": 0, "per_byte": "1/2"}, "d2h": {"latency": 4, "per_byte": 1.5}},
  "arrays": [
    {"name": "a", "bytes": 8, "argument": true, "result": true, "extent": [4]},
    {"name": "b", "bytes": 7, "home": "device", "argument": true, "h2d": 9, "d2h": 9},
    {"name": "v", "alias": "a", "alias_box": [[0, 2]]}, {"name": "n", "bytes": 4, "by_value": true, "argument": true},
    {"name": "p", "bytes": 7}, {"name": "q", "bytes": 7}],
  "functions": [{"name": "half", "locals": ["p", "q"], "body": [
    {"op": "h", "reads": ["p"], "writes": ["q"], "host": 3, "device": 1},
    {"branch": "again", "probability": 0.25, "then": [
      {"call": "rec", "function": "half", "arguments": {"p": "q"}, "results": {"q": "q"}}]}]}],
  "runs": 8,
  "body": [
    {"op": "f", "reads": ["a"], "updates": ["b"], "host": 5, "device": 1, "inner": 21, "peek": {"a": [1, 2]},
     "poke": {"b": 5}, "push": {"b": 6}, "box": {"a": [[1, 3]]}, "fusible": true},
    {"op": "z", "allocate": true, "writes": ["v"]},
    {"loop": "i", "trips": 10, "enter": 0.5, "reads": ["n"], "host": 1, "inner": 2, "guard_region": true, "body": [
      {"op": "g", "launcher_reads": ["n"], "reads": ["b"], "host": 2, "device": 99, "both": true},
      {"branch": "out", "probability": "1/20", "then": [{"break": "now"}]}]},
    {"loop": "par", "trips": 2.5, "parallel": true, "body": [{"op": "k", "host_reads": ["n"], "no_kernel": true, "pin": "host"}]},
    {"call": "c", "function": "half", "arguments": {"p": "b"}, "results": {"b": "q"}},
    {"branch": "p", "probability": 0.25, "then": [{"return": "r"}], "else": []}
  ]
})";

/// Whether it is solved; whatever happens there is one line, or a plan.
bool tried(const std::string &text) {
  auto plan = solveFile(text);
  std::string shown = text.substr(0, 2000);
  if (plan) {
    EXPECT_TRUE(Json::accept(*plan)) << shown;
  } else {
    const std::string &message = plan.error().message;
    EXPECT_GT(message.size(), 3u) << shown;
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 0) << message << shown;
    EXPECT_EQ(message.find("solver:"), message.npos) << message << shown; // the engine contradicts itself
  }
  return static_cast<bool>(plan);
}

/// Calls visit(value) for each value in a tree, which it may change; it is put back after.
template <typename Visit> void forEachValue(Json &json, const Visit &visit) {
  visit(json);
  if (json.is_structured())
    for (Json &each : json)
      forEachValue(each, visit);
}

TEST(HostileProblem, IsSolvedAsItIs) { EXPECT_TRUE(tried(std::string(kProblem))); }

TEST(HostileProblem, Truncated) {
  for (std::size_t size = 0; size < kProblem.size(); ++size)
    EXPECT_FALSE(tried(std::string(kProblem.substr(0, size))));
}

TEST(HostileProblem, AnyValueReplaced) {
  Json json = Json::parse(kProblem);
  std::vector<Json> values = {nullptr,
                              true,
                              0,
                              1,
                              -1,
                              INT64_MAX,
                              INT64_MIN,
                              UINT64_MAX,
                              1e300,
                              -1e300,
                              1e-300,
                              0.1,
                              "",
                              "a",
                              "1/0",
                              "1/3",
                              "9e39",
                              "host",
                              "a\nb",
                              "nul\0",
                              Json::array(),
                              Json::object(),
                              {{"a", 1}},
                              {"a", "a"},
                              {{"op", "f"}}};
  values.push_back("99999999999999999999999999999999999999999999");
  values.push_back(Json::array({Json::array({0, INT64_MAX})}));
  forEachValue(json, [&](Json &value) {
    Json before = value;
    for (const Json &other : values) {
      value = other;
      tried(json.dump());
    }
    value = before;
  });
}

TEST(HostileProblem, AnyMemberLeftOutOrTwice) {
  Json json = Json::parse(kProblem);
  forEachValue(json, [&](Json &value) {
    if (!value.is_structured())
      return;
    Json before = value;
    for (std::size_t i = 0; i < before.size(); ++i) {
      value.erase(value.is_array() ? value.begin() + static_cast<std::ptrdiff_t>(i)
                                   : std::next(value.begin(), static_cast<std::ptrdiff_t>(i)));
      tried(json.dump());
      value = before;
      if (value.is_array()) {
        value.push_back(before[i]);
        tried(json.dump());
        value = before;
      }
    }
  });
}

TEST(HostileProblem, NoProblemAtAll) {
  for (const char *text :
       {"", " ", "null", "[]", "{}", "3", "\"problem\"", "\xef\xbb\xbf", "\xff\xfe", "{\"machine\": \"sim\"",
        "{\"a\":", "[[[[[[", "nan", "{\"machine\": \"sim\", \"body\": [{}]}"})
    EXPECT_FALSE(tried(text)) << text;
  EXPECT_TRUE(tried(R"({"machine": "sim"})"));
  EXPECT_FALSE(tried(std::string(100000, '[')));
}

std::string withBody(const std::string &body,
                     const std::string &arrays = R"({"name": "a", "bytes": 8, "argument": true})",
                     const std::string &functions = "") {
  return R"({"machine": "sim", "arrays": [)" + arrays + R"(], "functions": [)" + functions + R"(], "body": [)" + body +
         "]}";
}

TEST(HostileProblem, NestedDeeply) {
  for (const auto &[open, close] :
       {std::pair{R"({"loop": "l", "trips": 2, "body": [)", "]}"}, std::pair{R"({"branch": "b", "then": [)", "]}"}}) {
    for (int depth : {400, 10000}) {
      std::string text;
      for (int i = 0; i < depth; ++i)
        text += open;
      text += R"({"op": "f", "reads": ["a"], "pin": "device"})";
      for (int i = 0; i < depth; ++i)
        text += close;
      bool isSolved = tried(withBody(text));
      EXPECT_FALSE(isSolved && depth > 500);
    }
  }
}

/// Functions each of which calls the next `times` times.
std::string chain(int length, int times) {
  std::string functions;
  for (int i = 0; i < length; ++i) {
    functions += (i ? ", " : "") + ("{\"name\": \"f" + std::to_string(i)) + "\", \"body\": [";
    for (int k = 0; k < times; ++k)
      functions +=
          (k ? ", " : "") + (i + 1 < length ? "{\"call\": \"c\", \"function\": \"f" + std::to_string(i + 1) + "\"}"
                                            : std::string(R"({"op": "f", "reads": ["a"]})"));
    functions += "]}";
  }
  return functions;
}

TEST(HostileProblem, CallsWithoutEnd) {
  std::string call = R"({"call": "c", "function": "f0"})", a = R"({"name": "a", "bytes": 8, "argument": true})";
  EXPECT_TRUE(tried(withBody(call, a, chain(100, 1))));
  EXPECT_FALSE(tried(withBody(call, a, chain(10000, 1)))); // nested too deeply
  EXPECT_FALSE(tried(withBody(call, a, chain(40, 2))));    // 2^40 operations
  EXPECT_FALSE(tried(withBody(call, a, R"({"name": "f0", "body": [{"call": "c", "function": "f0"}]})")));
  std::string ring; // each calls the next, the last the first, always
  for (int i = 0; i < 300; ++i)
    ring += (i ? ", " : "") + ("{\"name\": \"f" + std::to_string(i)) +
            "\", \"body\": [{\"call\": \"c\", \"function\": \"f" + std::to_string((i + 1) % 300) + "\"}]}";
  EXPECT_FALSE(tried(withBody(call, a, ring)));
}

TEST(HostileProblem, NumbersThatMultiplyBeyondAllRange) {
  std::string text = R"({"op": "f", "reads": ["a"], "host": 9223372036854775807, "device": 9223372036854775807})";
  for (int depth = 1; depth < 12; ++depth) {
    text = R"({"loop": "l", "trips": 9223372036854775807, "body": [)" + text + "]}";
    tried(withBody(text));
  }
  EXPECT_FALSE(tried(withBody(text)));
  text = R"({"op": "f", "reads": ["a"]})"; // frequencies with ever larger denominators
  for (int prime : {10007, 10009, 10037, 10039, 10061, 10067, 10069, 10079, 10091, 10093, 10099, 10103})
    text = R"({"branch": "b", "probability": "1/)" + std::to_string(prime) + R"(", "then": [)" + text + "]}";
  EXPECT_FALSE(tried(withBody(text)));
}

TEST(HostileProblem, AliasesInCirclesAndNamesTwice) {
  for (const char *arrays :
       {R"({"name": "a", "alias": "a"})", R"({"name": "a", "alias": "b"}, {"name": "b", "alias": "a"})",
        R"({"name": "a"}, {"name": "a"})", R"({"name": "a", "extent": [9223372036854775807, 9223372036854775807]})",
        R"({"name": "a", "bytes": -1})", R"({"name": "a", "alias": "c"})"})
    EXPECT_FALSE(tried(withBody(R"({"op": "f", "reads": ["a"]})", arrays))) << arrays;
  EXPECT_FALSE(tried(withBody("", R"({"name": "a"})", R"({"name": "f"}, {"name": "f"})")));
  EXPECT_FALSE(
      tried(withBody("", R"({"name": "a"})", R"({"name": "f", "locals": ["a"]}, {"name": "g", "locals": ["a"]})")));
}

} // namespace
} // namespace ferry::report
