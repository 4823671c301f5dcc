// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lowering relies on in a checked program.
#include "futhark/types/check.h"

#include <gtest/gtest.h>

namespace ferry::futhark {
namespace {

struct Checked {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<typed::Program> program;

  explicit Checked(const std::string &text) {
    program = check(*sources.add("program.fut", text), sources, diagnostics);
    EXPECT_EQ(diagnostics.render(), "");
  }
  const typed::Definition &definition(const std::string &name) const {
    for (const typed::Definition *candidate : program->definitions)
      if (candidate->binding->name == name && candidate->binding->range.file->path() == "program.fut")
        return *candidate;
    throw std::out_of_range(name);
  }
  std::string typeOf(const std::string &name) const {
    const types::Binding &binding = *definition(name).binding;
    std::string result;
    for (const types::Binding *size : binding.scheme.sizeParams)
      result += "[" + size->name + "]";
    for (const types::TypeParam *type : binding.scheme.typeParams)
      result += "'" + type->name + " ";
    return result + types::toString(binding.scheme.type);
  }
};

std::string typeOf(const std::string &text) { return Checked(text).typeOf("f"); }

TEST(Types, AreInferred) {
  EXPECT_EQ(typeOf("def f x = x + 1"), "i32 -> i32");
  EXPECT_EQ(typeOf("def f x = x / 2.0"), "f64 -> f64");
  EXPECT_EQ(typeOf("def f g x = g (g x)"), "'ta (ta -> ta) -> ta -> ta");
  EXPECT_EQ(typeOf("def f [n] (xs: [n]i32) = map f32.i32 xs"), "[n][n]i32 -> *[n]f32");
  EXPECT_EQ(typeOf("def f (n: i64) = iota n"), "(n: i64) -> *[n]i64");
  EXPECT_EQ(typeOf("def f [n] (xs: [n]i32) = filter (> 0) xs"), "[n][n]i32 -> ?[k].*[k]i32");
  EXPECT_EQ(typeOf("def f [n] (xs: [n]i32) = xs[1:]"), "[n][n]i32 -> [n - 1]i32");
  EXPECT_EQ(typeOf("def f [n] [m] (xs: [n]u8) (ys: [m]u8) = xs ++ ys"), "[n][m][n]u8 -> [m]u8 -> *[n + m]u8");
}

TEST(Types, OfLoopsKeepSizesThatDoNotChange) {
  EXPECT_EQ(typeOf("def f [n] (xs: [n]i32) = loop ys = xs for _i < 3 do map (+ 1) ys"), "[n][n]i32 -> [n]i32");
  EXPECT_EQ(typeOf("def f [n] (a: [n]i32) (b: [n]i32) = loop (x, y) = (a, b) for _i < 3 do (y, x)"),
            "[n][n]i32 -> [n]i32 -> ([n]i32, [n]i32)");
  std::string growing = typeOf("def f (k: i32) = loop xs = [1] for _i < k do xs ++ xs");
  EXPECT_EQ(growing.substr(0, 9), "i32 -> ?[") << growing;
}

TEST(Entries, NameTheirParametersAndResults) {
  Checked checked("entry go (xs: *[]f32) (n: i32) : (*[]f32, i64) = (xs, 1)\ndef main = 3");
  ASSERT_EQ(checked.program->entries.size(), 2U);
  const typed::Entry &entry = checked.program->entries[0];
  EXPECT_EQ(entry.name, "go");
  ASSERT_EQ(entry.parameters.size(), 2U);
  EXPECT_EQ(entry.parameters[0].name, "xs");
  EXPECT_EQ(entry.parameters[0].typeName, "[]f32");
  EXPECT_TRUE(entry.parameters[0].unique);
  EXPECT_FALSE(entry.parameters[1].unique);
  ASSERT_EQ(entry.results.size(), 2U);
  EXPECT_TRUE(entry.results[0].unique);
  EXPECT_EQ(types::toString(entry.results[1].type), "i64");
  EXPECT_EQ(checked.program->entries[1].name, "main");
}

TEST(Definitions, KeepTheirAttributes) {
  Checked checked("#[cpu_function] #[noinline]\ndef f (x: i32) = #[unsafe] (x + 1)");
  const typed::Definition &definition = checked.definition("f");
  EXPECT_NE(findAttribute(definition.attributes, "cpu_function"), nullptr);
  EXPECT_NE(findAttribute(definition.attributes, "noinline"), nullptr);
  EXPECT_NE(findAttribute(definition.function.body->attributes, "unsafe"), nullptr);
}

TEST(Definitions, SayWhetherTheyAreRecursive) {
  Checked checked("def f (n: i32) : i32 = if n == 0 then 0 else f (n - 1)\ndef g (x: i32) = x");
  EXPECT_TRUE(checked.definition("f").recursive);
  EXPECT_FALSE(checked.definition("g").recursive);
}

TEST(Uses, CarryTheirInstantiation) {
  Checked checked("def id 't (x: t) : t = x\ndef f (n: i64) = id (iota n)");
  const auto *apply = typed::as<typed::Apply>(*checked.definition("f").function.body);
  ASSERT_NE(apply, nullptr);
  const auto *var = typed::as<typed::Var>(*apply->function);
  ASSERT_NE(var, nullptr);
  EXPECT_EQ(var->binding, checked.definition("id").binding);
  ASSERT_EQ(var->typeArguments.size(), 1U);
  EXPECT_EQ(types::toString(var->typeArguments[0]), "[n]i64");
}

TEST(Literals, CarryTheirFinalValue) {
  Checked checked("def f : u8 = 0xFF\ndef g = 1.5f32\ndef h : f16 = 0.1");
  auto constant = [&](const char *name) {
    return typed::as<typed::Literal>(*checked.definition(name).function.body)->value;
  };
  EXPECT_EQ(constant("f").prim, types::Prim::U8);
  EXPECT_EQ(constant("f").integer, 255U);
  EXPECT_EQ(constant("g").real, 1.5);
  EXPECT_EQ(constant("h").real, 0.0999755859375);
}

TEST(Operators, OfNumberModulesAreBuiltIn) {
  Checked checked("def f (x: f32) = f32.(x * x) f32.+ 1");
  const auto *sum = typed::as<typed::Binary>(*checked.definition("f").function.body);
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->op, typed::BinaryOp::Add);
  EXPECT_EQ(types::toString(sum->left->type), "f32");
}

TEST(Modules, HideTypesFromUsersAndNotFromLowering) {
  Checked checked("module m : { type t val zero : t } = { type t = i32 def zero = 0i32 }\ndef f = m.zero");
  EXPECT_EQ(checked.typeOf("f"), "m.t");
  EXPECT_EQ(types::toString(checked.definition("f").function.body->type), "i32");
}

TEST(Projections, AreToldApartInSizes) {
  Checked checked("def f (r: (i64, i64)) : ([r.0](), [r.1]()) = (replicate r.0 (), replicate r.1 ())");
  const auto *type = types::as<types::RecordType>(checked.definition("f").function.resultType);
  ASSERT_NE(type, nullptr);
  EXPECT_NE(types::toString(type->fields[0].type), types::toString(type->fields[1].type));
}

// The message of a program that is refused.
std::string refusal(const std::string &text) {
  Sources sources;
  Diagnostics diagnostics;
  check(*sources.add("program.fut", text), sources, diagnostics);
  return diagnostics.render();
}

TEST(Messages, TellSizesOfOneNameApart) {
  EXPECT_NE(
      refusal("def f (xs: []i32) = zip (filter (> 0) xs) (filter (< 0) xs)")
          .find("hint: the size [k] from program.fut:1:26 and the one from program.fut:1:44 are not known to be equal"),
      std::string::npos);
}

TEST(Messages, NumberVariablesFromTheirDefinition) {
  EXPECT_NE(refusal("def f = map (\\x -> x x)").find("the type would be part of itself: 't3 -> t4'"), std::string::npos)
      << refusal("def f = map (\\x -> x x)");
}

TEST(UnknownSizes, BelongToTheExpressionThatTellsThem) {
  Checked checked("def f (xs: []i32) = filter (> 0) xs");
  const typed::Expr &body = *checked.definition("f").function.body;
  ASSERT_EQ(body.existentials.size(), 1U);
  EXPECT_EQ(types::toString(body.type), "[k]i32");
}

} // namespace
} // namespace ferry::futhark
