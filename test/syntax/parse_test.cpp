// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/syntax/parse.h"

#include <gtest/gtest.h>

namespace ferry::futhark::syntax {
namespace {

struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<Program> program;

  explicit Parsed(const std::string &text) { program = parse(*sources.add("program.fut", text), diagnostics); }
  const Expr &body() const { return *as<ValueDeclaration>(*program->declarations.at(0))->body; }
};

// The structure of operators and applications in parentheses.
std::string shape(const Expr &expr) {
  if (const auto *name = as<NameExpr>(expr))
    return name->name.name;
  if (const auto *number = as<NumberLiteral>(expr))
    return number->digits;
  if (const auto *paren = as<ParenExpr>(expr))
    return shape(*paren->inner);
  if (const auto *binary = as<BinaryExpr>(expr))
    return "(" + shape(*binary->left) + " " + binary->op.name + " " + shape(*binary->right) + ")";
  if (const auto *unary = as<UnaryExpr>(expr))
    return std::string("(") + (unary->op == UnaryOp::Negate ? "-" : "!") + shape(*unary->operand) + ")";
  if (const auto *apply = as<ApplyExpr>(expr)) {
    std::string result = "(" + shape(*apply->function);
    for (const Expr *argument : apply->arguments)
      result += " " + shape(*argument);
    return result + ")";
  }
  if (const auto *index = as<IndexExpr>(expr))
    return shape(*index->array) + "[" + std::to_string(index->parts.size()) + "]";
  if (const auto *project = as<ProjectExpr>(expr))
    return shape(*project->record) + "." + project->field.text;
  if (const auto *range = as<RangeExpr>(expr))
    return "(" + shape(*range->start) + ".." + shape(*range->end) + ")";
  if (is<ArrayExpr>(expr))
    return "array";
  if (const auto *update = as<UpdateExpr>(expr))
    return "(" + shape(*update->target) + " with " + shape(*update->value) + ")";
  if (const auto *ascribe = as<AscribeExpr>(expr))
    return "(" + shape(*ascribe->inner) + ":)";
  if (const auto *construct = as<ConstructExpr>(expr)) {
    std::string result = "#" + construct->name.text;
    for (const Expr *payload : construct->payload)
      result += " " + shape(*payload);
    return "(" + result + ")";
  }
  return "?";
}

std::string shape(const std::string &text) {
  Parsed parsed("def x = " + text);
  EXPECT_EQ(parsed.diagnostics.render(), "");
  return shape(parsed.body());
}

TEST(Operators, BindByPrecedence) {
  EXPECT_EQ(shape("a + b * c"), "(a + (b * c))");
  EXPECT_EQ(shape("a * b ** c"), "(a * (b ** c))");
  EXPECT_EQ(shape("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(shape("a & b == c"), "((a & b) == c)");
  EXPECT_EQ(shape("a || b && c"), "(a || (b && c))");
  EXPECT_EQ(shape("a << b + c"), "(a << (b + c))");
  EXPECT_EQ(shape("a |> f |> g"), "((a |> f) |> g)");
  EXPECT_EQ(shape("f <| g <| a"), "(f <| (g <| a))");
  EXPECT_EQ(shape("a |> f + b"), "(a |> (f + b))");
  EXPECT_EQ(shape("a `f` b + c"), "(a f (b + c))");
  EXPECT_EQ(shape("a >>= b + c"), "(a >>= (b + c))");
  EXPECT_EQ(shape("a m.+ b m.* c"), "(a + (b * c))");
}

TEST(Operators, PrefixBindsTighter) {
  EXPECT_EQ(shape("-a + b"), "((-a) + b)");
  EXPECT_EQ(shape("-f x"), "(-(f x))");
  EXPECT_EQ(shape("!a && b"), "((!a) && b)");
  EXPECT_EQ(shape("a - -b"), "(a - (-b))");
}

TEST(Application, DependsOnSpace) {
  EXPECT_EQ(shape("f [0]"), "(f array)");
  EXPECT_EQ(shape("f[0]"), "f[1]");
  EXPECT_EQ(shape("f a[0, 1] b"), "(f a[2] b)");
  EXPECT_EQ(shape("f (a).x b.y"), "(f a.x y)");
  EXPECT_EQ(shape("#a #b x"), "(#a (#b) x)");
  EXPECT_EQ(shape("[a][0]"), "array[1]");
  EXPECT_EQ(shape("f [a][0] [b]"), "(f array[1] array)");
}

TEST(Application, EndsWithALambda) {
  EXPECT_EQ(shape("f a \\x -> x + 1"), "(f a ?)");
  EXPECT_EQ(shape("a |> f \\x -> x |> g"), "(a |> (f ?))");
}

TEST(Ranges, BindLooserThanOperators) {
  EXPECT_EQ(shape("a + 1..<b - 1"), "((a + 1)..(b - 1))");
  EXPECT_EQ(shape("0..2...n"), "(0..n)");
}

TEST(Updates, AssociateToTheLeft) {
  EXPECT_EQ(shape("a with [0] = b with [1] = c"), "((a with b) with c)");
  EXPECT_EQ(shape("copy a with [0] = b + c"), "((copy a) with (b + c))");
  EXPECT_EQ(shape("a + b : t"), "((a + b):)");
}

TEST(Literals, AreTakenApart) {
  auto number = [](const std::string &text) { return *as<NumberLiteral>(Parsed("def x = " + text).body()); };
  EXPECT_EQ(number("0xFF_FFu16").digits, "FFFF");
  EXPECT_EQ(number("0xFFu16").suffix, "u16");
  EXPECT_EQ(number("0b101").base, 2U);
  EXPECT_EQ(number("1_000.5e-3f32").digits, "1000.5e-3");
  EXPECT_TRUE(number("2f32").isFloat);
  EXPECT_TRUE(number("0x1.8p-3").isFloat);
  EXPECT_FALSE(number("12").isFloat);
}

TEST(Literals, OfTextAreUtf8) {
  auto bytes = [](const std::string &text) { return as<StringLiteral>(Parsed("def x = " + text).body())->bytes; };
  EXPECT_EQ(bytes("\"a\\n\\\"\\65\\x42\""), "a\n\"AB");
  EXPECT_EQ(bytes("\"\\955\""), "\xCE\xBB");
  EXPECT_EQ(as<CharLiteral>(Parsed("def x = '\xCE\xBB'").body())->codePoint, 955U);
  EXPECT_EQ(as<CharLiteral>(Parsed("def x = '\\''").body())->codePoint, 39U);
  EXPECT_EQ(as<CharLiteral>(Parsed("def x = '\xE0\xA0\x80'").body())->codePoint, 0x800U);
  EXPECT_EQ(as<CharLiteral>(Parsed("def x = '\xED\x9F\xBF'").body())->codePoint, 0xD7FFU);
  EXPECT_EQ(as<CharLiteral>(Parsed("def x = '\xEE\x80\x80'").body())->codePoint, 0xE000U);
  EXPECT_EQ(as<CharLiteral>(Parsed("def x = '\xF0\x90\x80\x80'").body())->codePoint, 0x10000U);
  EXPECT_EQ(as<CharLiteral>(Parsed("def x = '\xF4\x8F\xBF\xBF'").body())->codePoint, 0x10FFFFU);
}

TEST(Trees, KeepLetChainsFlat) {
  std::string text = "def f x =\n";
  for (int i = 0; i < 5000; ++i)
    text += "  let x = x + 1\n";
  Parsed parsed(text + "  in x");
  EXPECT_EQ(parsed.diagnostics.render(), "");
  EXPECT_EQ(as<LetExpr>(parsed.body())->statements.size(), 5000U);
}

TEST(Trees, HaveRangesOfTheirText) {
  Parsed parsed("def f x = g (x + 1)[2]");
  EXPECT_EQ(parsed.body().range.text(), "g (x + 1)[2]");
  EXPECT_EQ(parsed.body().range.location(), "program.fut:1:11");
}

TEST(Nesting, IsLimited) {
  for (const auto &[open, close] : std::vector<std::pair<std::string, std::string>>{{"(", ")"},
                                                                                    {"[", "]"},
                                                                                    {"- ", ""},
                                                                                    {"if a then b else ", ""},
                                                                                    {"\\x -> ", ""},
                                                                                    {"f (", ")"},
                                                                                    {"x.(", ")"},
                                                                                    {"match a case b -> ", ""},
                                                                                    {"#a (", ")"},
                                                                                    {"{x = ", "}"},
                                                                                    {"a + (", ")"},
                                                                                    {"a <| ", ""}}) {
    std::string text = "def x = ";
    for (int i = 0; i < 20000; ++i)
      text += open;
    text += "1";
    for (int i = 0; i < 20000; ++i)
      text += close;
    Parsed parsed(text);
    ASSERT_EQ(parsed.diagnostics.all().size(), 1U) << open;
    EXPECT_EQ(parsed.diagnostics.all()[0].message, "nested too deeply") << open;
  }
}

TEST(Nesting, IsLimitedForChainsAndTypes) {
  std::string chain = "def x = 1", type = "def f (x: ", array = type;
  for (int i = 0; i < 20000; ++i) {
    chain += " + 1";
    type += "i32 -> ";
    array += "[]";
  }
  for (const std::string &text : {chain, type + "i32) = 1", array + "i32) = 1"}) {
    Parsed parsed(text);
    ASSERT_EQ(parsed.diagnostics.all().size(), 1U);
    EXPECT_EQ(parsed.diagnostics.all()[0].message, "nested too deeply");
  }
}

struct Refused {
  const char *text;
  const char *location;
  const char *message;
};
void PrintTo(const Refused &refused, std::ostream *stream) { *stream << refused.text; }

class Syntax : public testing::TestWithParam<Refused> {};

TEST_P(Syntax, IsRefused) {
  Parsed parsed(GetParam().text);
  ASSERT_EQ(parsed.diagnostics.all().size(), 1U) << parsed.diagnostics.render();
  const Diagnostic &diagnostic = parsed.diagnostics.all()[0];
  EXPECT_EQ(diagnostic.range.location(), std::string("program.fut:") + GetParam().location);
  EXPECT_EQ(diagnostic.message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Errors, Syntax,
    testing::Values(
        Refused{"foo", "1:1", "unexpected 'foo'"}, Refused{"def", "1:4", "unexpected end of the file"},
        Refused{"def x", "1:6", "unexpected end of the file"}, Refused{"def x = )", "1:9", "unexpected ')'"},
        Refused{"def x =\n  let y = 1\n  y", "3:4", "unexpected end of the file"},
        Refused{"def x = if a then b", "1:20", "unexpected end of the file"},
        Refused{"def x = loop y = 1 do y", "1:20", "unexpected keyword 'do'"},
        Refused{"def x = match y", "1:16", "unexpected end of the file"},
        Refused{"def x = (1,)", "1:9", "a tuple with one component"},
        Refused{"def f (x,) = 1", "1:7", "a tuple pattern with one component"},
        Refused{"def f (x: (i32,)) = 1", "1:11", "a tuple type with one component"},
        Refused{"def x = \"abc", "1:9", "string without an end"},
        Refused{"def x = \"\\q\"", "1:10", "unknown escape sequence"}, Refused{"def x = 'ab", "1:9", "unexpected '''"},
        Refused{"def x = '\\nb'", "1:9", "character literal without an end"},
        Refused{"def x = \"\\1114112\"", "1:9", "character code beyond the last Unicode code point"},
        Refused{"def x = \"\\xD800\"", "1:9", "character code of a surrogate, which is no character"},
        Refused{"def x = '\\57343'", "1:9", "character code of a surrogate, which is no character"},
        Refused{"def x = \"\xFF\"", "1:10", "text that is not UTF-8"},
        Refused{"def x = \"a\xE0\x80\x80\"", "1:11", "text that is not UTF-8"},
        Refused{"def x = \"\xE0\x9F\xBF\"", "1:10", "text that is not UTF-8"},
        Refused{"def x = \"\xF0\x8F\xBF\xBF\"", "1:10", "text that is not UTF-8"},
        Refused{"def x = \"\xED\xA0\x80\"", "1:10", "text that is not UTF-8"},
        Refused{"def x = \"\xED\xBF\xBF\"", "1:10", "text that is not UTF-8"},
        Refused{"def x = \"\xF4\x90\x80\x80\"", "1:10", "text that is not UTF-8"},
        Refused{"def x = \"\xF7\xBF\xBF\xBF\"", "1:10", "text that is not UTF-8"},
        Refused{"def x = \"\xC1\xBF\"", "1:10", "text that is not UTF-8"},
        Refused{"def x = \"\xE2\x82", "1:10", "text that is not UTF-8"},
        Refused{"def x = 12i33", "1:9", "malformed number '12i33'"},
        Refused{"def x = 1.5i32", "1:9", "a number with a fraction or an exponent cannot have the integer type i32"},
        Refused{"def x = 0x1.8", "1:9", "hexadecimal float without an exponent"},
        Refused{"def x = @", "1:9", "character that means nothing here"},
        Refused{"def x = # a", "1:9", "'#' without a name"}, Refused{"def x = a[]", "1:11", "unexpected ']'"},
        Refused{"def x = 1..2", "1:13", "unexpected end of the file"},
        Refused{"def x = y with = 3", "1:16", "unexpected '='"},
        Refused{"def (&&) a b = a", "1:5", "the operator '&&' may not be redefined"},
        Refused{"def (->) a b = a", "1:5", "'->' is reserved and cannot be defined"},
        Refused{"def _ = 1", "1:5", "a definition cannot be named '_'"},
        Refused{"def x = \\ -> 1", "1:11", "unexpected '->'"},
        Refused{"val x : i32", "1:1", "unexpected keyword 'val'"},
        Refused{"module m = { def x = 1", "1:23", "unexpected end of the file"},
        Refused{"module type t = { def x = 1 }", "1:19", "unexpected keyword 'def'"},
        Refused{"import foo", "1:8", "unexpected 'foo'"},
        Refused{"type t = #a |", "1:14", "unexpected end of the file"},
        Refused{"def f (x: (n: i32)) = x", "1:19", "unexpected ')'"},
        Refused{"#[", "1:3", "unexpected end of the file"}, Refused{"module f = \\x -> x", "1:13", "unexpected 'x'"},
        Refused{"def f (x: ?n.i32) = x", "1:12", "unexpected 'n'"}));

TEST(Diagnostics, AreRenderedWithACaret) {
  Parsed parsed("def x =\n\ty +* z w )");
  EXPECT_EQ(parsed.diagnostics.render(),
            "program.fut:2:11: error: unexpected ')'\n"
            "\ty +* z w )\n"
            "\t         ^\n"
            "hint: expected a declaration: def, entry, type, module, open, import or local\n");
}

TEST(Diagnostics, TellUnsupportedFeaturesFromErrors) {
  Diagnostics diagnostics;
  diagnostics.unsupported({}, "magic");
  EXPECT_EQ(diagnostics.exitStatus(), 77);
  EXPECT_EQ(diagnostics.render(), "<built-in>: error: not supported yet: magic\n");
  diagnostics.error({}, "wrong");
  EXPECT_EQ(diagnostics.exitStatus(), 1);
}

TEST(Diagnostics, OfWarningsAreNoErrors) {
  Diagnostics diagnostics;
  diagnostics.warning({}, "odd");
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_EQ(diagnostics.exitStatus(), 0);
}

TEST(Files, AreReadOnce) {
  Sources sources;
  EXPECT_EQ(sources.load("no/such/file.fut"), nullptr);
  const SourceFile *file = sources.load("test/syntax/parse_test.cpp");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(sources.load("test/syntax/parse_test.cpp"), file);
}

} // namespace
} // namespace ferry::futhark::syntax
