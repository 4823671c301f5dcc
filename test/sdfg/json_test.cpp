// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/json.h"

#include <gtest/gtest.h>

using namespace ferry::sdfg;

namespace {

std::string again(const std::string &text) {
  auto document = parseJson(text);
  return document ? toString(document->json, document->layout) : document.error().message;
}

std::string error(const std::string &text) {
  std::size_t at = 0;
  auto document = parseJson(text, &at);
  return document ? "read as " + toString(document->json, Layout::Compact)
                  : lineAndColumn(text, at) + ": " + document.error().message;
}

} // namespace

TEST(Json, IsWrittenAsItWasRead) {
  for (const char *text :
       {"{}", "[]", "null", "true", "false", "-0", "1.50", "1e-06", "123456789012345678901234567890", "NaN",
        "[-Infinity,Infinity]", R"({"b":1,"a":[{},[],""],"b":2})", R"("\"\\\n\r\t\f\b\u0001/")",
        R"("\u00e9\ud834\udd1e \ud800 \udfff\ud800")", "{\n  \"a\": [\n    1,\n    {\n      \"b\": {}\n    }\n  ]\n}"})
    EXPECT_EQ(again(text), text);
  EXPECT_EQ(again("\"\xc3\xa9\xf0\x9d\x84\x9e\x7f\""), "\"\\u00e9\\ud834\\udd1e\x7f\"");
  EXPECT_EQ(again("\"\\/\\u0041\\uD834\\uDD1E\""), "\"/A\\ud834\\udd1e\"");
  EXPECT_EQ(again(" [ 1 , 2 ] \n"), "[1,2]");
}

TEST(Json, RefusesWhatPythonRefuses) {
  EXPECT_EQ(error(""), "1:1: the document ends early");
  EXPECT_EQ(error("{\n \"a\": 1,\n}"), "3:1: a member's name in double quotes is expected");
  EXPECT_EQ(error("[1 2]"), "1:4: ',' or ']' is expected");
  EXPECT_EQ(error("{\"a\" 1}"), "1:6: ':' is expected");
  EXPECT_EQ(error("{\"a\": 1"), "1:8: ',' or '}' is expected");
  EXPECT_EQ(error("[1] x"), "1:5: text behind the document's end");
  EXPECT_EQ(error("01"), "1:2: text behind the document's end");
  EXPECT_EQ(error("1."), "1:3: a digit is expected");
  EXPECT_EQ(error("-"), "1:2: a digit is expected");
  EXPECT_EQ(error("1e"), "1:3: a digit is expected");
  EXPECT_EQ(error("'a'"), "1:1: no JSON value begins here");
  EXPECT_EQ(error("\"a"), "1:3: a string has no end");
  EXPECT_EQ(error("\"a\nb\""), "1:3: a control character in a string");
  EXPECT_EQ(error("\"\\x\""), "1:3: no such escape in a string");
  EXPECT_EQ(error("\"\\u12g4\""), "1:6: four hexadecimal digits are expected");
  for (const char *bytes : {"\"\x80\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe0\x80\x80\"",
                            "\"\xf0\x8f\xbf\xbf\"", "\"\xc3"})
    EXPECT_EQ(error(bytes), "1:2: the text is not UTF-8");
  EXPECT_EQ(error(std::string(2000, '[')), "1:1002: nested deeper than 1000 levels");
}

TEST(Json, FindsAndChangesMembers) {
  Json json = parseJson(R"({"a": 1, "b": [true], "a": 2})")->json;
  EXPECT_EQ(json.find("a")->integer(), 2); // the last one, as in Python
  EXPECT_EQ(json.find("c"), nullptr);
  EXPECT_EQ(json.find("b")->find("a"), nullptr);
  json.set("b", "text");
  json.set("c", Json());
  EXPECT_EQ(toString(json, Layout::Compact), R"({"a":1,"b":"text","a":2,"c":null})");
  EXPECT_TRUE(json.erase("a"));
  EXPECT_FALSE(json.erase("a"));
  EXPECT_EQ(toString(json, Layout::Compact), R"({"b":"text","c":null})");
  EXPECT_EQ(parseJson("9223372036854775807")->json.integer(), INT64_MAX);
  EXPECT_EQ(parseJson("9223372036854775808")->json.integer(), std::nullopt);
  EXPECT_EQ(parseJson("1.0")->json.integer(), std::nullopt);
}
