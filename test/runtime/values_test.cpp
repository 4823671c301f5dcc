// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two forms of values: what is read, what is refused and with which words, and that what is written reads back.

#include "runtime/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <unistd.h>

using namespace ferry::runtime;
using enum ElementType;

namespace {

// All values of the input in text form, one a line; or the error.
std::string readBack(std::string_view input, std::optional<ExpectedValue> expected = std::nullopt) {
  ValueReader reader(input);
  std::string out;
  while (!reader.atEnd()) {
    std::optional<Value> value = reader.next(expected);
    if (!value)
      return reader.error().text("in");
    if (!out.empty())
      out += '\n';
    writeText(*value, out);
  }
  return out;
}

TEST(Values, Integers) {
  EXPECT_EQ(readBack("0 -0 7 -7 2147483647 -2147483648"), "0i32\n0i32\n7i32\n-7i32\n2147483647i32\n-2147483648i32");
  EXPECT_EQ(readBack("1i8 -128i8 127i8 2i16 -3i64 255u8 65535u16 4294967295u32"),
            "1i8\n-128i8\n127i8\n2i16\n-3i64\n255u8\n65535u16\n4294967295u32");
  EXPECT_EQ(readBack("18446744073709551615u64 9223372036854775807i64 -9223372036854775808i64"),
            "18446744073709551615u64\n9223372036854775807i64\n-9223372036854775808i64");
  EXPECT_EQ(readBack("0xFF 0Xff 0b101 0B1 1_000_000 0xF_F 0b1_0i8 -0x10"),
            "255i32\n255i32\n5i32\n1i32\n1000000i32\n255i32\n2i8\n-16i32");
  EXPECT_EQ(readBack("0xFFi8 0xFFFFFFFF 0b11111111i8 0x1f32"), "-1i8\n-1i32\n-1i8\n7986i32");
  EXPECT_EQ(readBack("255i8 32768i16 18446744073709551615i64"), "-1i8\n-32768i16\n-1i64");
  EXPECT_EQ(readBack("-1u8 007"), "255u8\n7i32");
}

TEST(Values, Floats) {
  EXPECT_EQ(readBack("1.5 -0.25 1e3 1E+3 1.5e-7 2f32 2.5f16 1. 1_0.5_0 0.1f32"),
            "1.5f64\n-0.25f64\n1000.0f64\n1000.0f64\n1.5e-7f64\n2.0f32\n2.5f16\n1.0f64\n10.5f64\n0.1f32");
  EXPECT_EQ(readBack("0x1.8p1 0x1.8p1f32 -0x1p-3f64 0xAp0f16 0x1_0.8p0"),
            "3.0f64\n3.0f32\n-0.125f64\n10.0f16\n16.5f64");
  EXPECT_EQ(readBack("f32.nan f64.inf -f64.inf f16.inf -f16.inf f16.nan"),
            "f32.nan\nf64.inf\n-f64.inf\nf16.inf\n-f16.inf\nf16.nan");
  EXPECT_EQ(readBack("1e400 -1e400 1e39f32 1e5f16 1e-400 1e-50f32"),
            "f64.inf\n-f64.inf\nf32.inf\nf16.inf\n0.0f64\n0.0f32");
  EXPECT_EQ(
      readBack("9007199254740993f64 340282346638528859811704183484516925440f32 123456789012345678901234567890f64"),
      "9007199254740992.0f64\n3.4028235e38f32\n1.2345678901234568e29f64");
  EXPECT_EQ(readBack("5e-324 0x1p-1074 1e-45f32"), "5.0e-324f64\n5.0e-324f64\n1.0e-45f32");
  EXPECT_EQ(readBack("-0.0 -0f32"), "-0.0f64\n-0.0f32");
  EXPECT_EQ(readBack("16777217f32 0x1000001p0f32 0x1FFFFFFFFFFFFFFFFp0"),
            "16777216.0f32\n16777216.0f32\n36893488147419103232.0f64");
}

TEST(Values, Bools) { EXPECT_EQ(readBack("true false [true,false]"), "true\nfalse\n[true, false]"); }

TEST(Values, Arrays) {
  EXPECT_EQ(readBack("[1,2,3] [1i8, 2] [ 1 , 2 , ]"), "[1i32, 2i32, 3i32]\n[1i8, 2i8]\n[1i32, 2i32]");
  EXPECT_EQ(readBack("[[1,2],[3,4],] [[[1.0]]]"), "[[1i32, 2i32], [3i32, 4i32]]\n[[[1.0f64]]]");
  EXPECT_EQ(readBack("empty([0]i32) empty([3][0]f64) empty( [0] [2] bool ) empty([0x0]u8)"),
            "empty([0]i32)\nempty([3][0]f64)\nempty([0][2]bool)\nempty([0]u8)");
  EXPECT_EQ(readBack("[1f32, f32.nan, -f32.inf]"), "[1.0f32, f32.nan, -f32.inf]");
}

TEST(Values, StringsAreBytes) {
  EXPECT_EQ(readBack(R"("ab\n\x41\"" "" "é")"), "[97u8, 98u8, 10u8, 65u8, 34u8]\nempty([0]u8)\n[195u8, 169u8]");
  EXPECT_EQ(readBack(R"("\t\r\\\'\0\a\b\f\v")"), "[9u8, 13u8, 92u8, 39u8, 0u8, 7u8, 8u8, 12u8, 11u8]");
}

TEST(Values, Comments) {
  EXPECT_EQ(readBack("-- before\n1 -- after\n[ -- in\n2, -- an [array\n 3]--"), "1i32\n[2i32, 3i32]");
  EXPECT_EQ(readBack(" \t\r\n"), "");
  EXPECT_EQ(readBack("1--x"), "1i32");
}

TEST(Values, ExpectedTypesReachPlainLiterals) {
  EXPECT_EQ(readBack("1 2.5 3f32", ExpectedValue{f32, 0}), "1.0f32\n2.5f32\n3.0f32");
  EXPECT_EQ(readBack("[1, 2]", ExpectedValue{u8, 1}), "[1u8, 2u8]");
  EXPECT_EQ(readBack("300", ExpectedValue{i64, 0}), "300i64");
  EXPECT_EQ(readBack("[]", ExpectedValue{f32, 1}), "empty([0]f32)");
  EXPECT_EQ(readBack("[[],[]]", ExpectedValue{f32, 2}), "empty([2][0]f32)");
  EXPECT_EQ(readBack("\"a\"", ExpectedValue{u8, 1}), "[97u8]");
}

TEST(Values, UnexpectedTypes) {
  EXPECT_EQ(readBack("1i64", ExpectedValue{i32, 0}), "in:1:1: error: expected a value of type i32, found '1i64'");
  EXPECT_EQ(readBack("1.5", ExpectedValue{i32, 0}), "in:1:1: error: '1.5' is no i32");
  EXPECT_EQ(readBack("1", ExpectedValue{boolean, 0}), "in:1:1: error: '1' is no bool");
  EXPECT_EQ(readBack("true", ExpectedValue{i32, 0}), "in:1:1: error: expected a value of type i32, found 'true'");
  EXPECT_EQ(readBack("1", ExpectedValue{i32, 2}), "in:1:1: error: expected a value of type [][]i32, found no array");
  EXPECT_EQ(readBack(" [1]", ExpectedValue{i32, 0}),
            "in:1:2: error: expected a value of type i32, found one of type []i32");
  EXPECT_EQ(readBack("[[1]]", ExpectedValue{i32, 1}),
            "in:1:1: error: expected a value of type []i32, found one of type [][]i32");
  EXPECT_EQ(readBack("empty([0]i32)", ExpectedValue{f32, 1}),
            "in:1:1: error: expected a value of type []f32, found one of type []i32");
  EXPECT_EQ(readBack("\"a\"", ExpectedValue{i32, 1}),
            "in:1:1: error: expected a value of type []i32, found one of type []u8");
}

TEST(Values, TheInputMayEndEarly) {
  ValueReader reader(" -- nothing\n ");
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.error().text("in"), "in:2:2: error: no more values");
  ValueReader other("");
  EXPECT_FALSE(other.next(ExpectedValue{f32, 1}));
  EXPECT_EQ(other.error().text("in"), "in:1:1: error: no more values, where one of type []f32 should be");
}

TEST(Values, MalformedText) {
  struct Case {
    const char *input, *error;
  };
  const Case cases[] = {
      {"x", "1:1: error: no value: 'x'"},
      {"1 2 truely", "1:5: error: no value: 'truely'"},
      {"1\n 2x", "2:2: error: no number: '2x'"},
      {"1i", "1:1: error: no number: '1i'"},
      {"1i7", "1:1: error: no number: '1i7'"},
      {"1bool", "1:1: error: no number: '1bool'"},
      {"1i32_", "1:1: error: no number: '1i32_'"},
      {"1f32.5", "1:1: error: no number: '1f32.5'"},
      {"1.5.5", "1:1: error: no number: '1.5.5'"},
      {"-", "1:1: error: no value: '-'"},
      {"-true", "1:1: error: no value: '-true'"},
      {"+1", "1:1: error: no value: '+'"},
      {"_1", "1:1: error: no value: '_1'"},
      {"0x", "1:1: error: a number without digits: '0x'"},
      {"0b2", "1:1: error: a number without digits: '0b2'"},
      {"0x_1", "1:1: error: a number without digits: '0x_1'"},
      {"1e", "1:1: error: an exponent without digits: '1e'"},
      {"1e_1", "1:1: error: an exponent without digits: '1e_1'"},
      {"0x1p+", "1:1: error: an exponent without digits: '0x1p'"},
      {"0x1.8", "1:1: error: a hexadecimal fraction needs an exponent, as in 0x1.8p0"},
      {"1.5i32", "1:1: error: '1.5i32' is no i32"},
      {"1e3u8", "1:1: error: '1e3u8' is no u8"},
      {"256u8", "1:1: error: '256u8' is out of the range of u8"},
      {"-129i8", "1:1: error: '-129i8' is out of the range of i8"},
      {"256i8", "1:1: error: '256i8' is out of the range of i8"},
      {"0x100u8", "1:1: error: '0x100u8' is out of the range of u8"},
      {"2147483648", "1:1: error: '2147483648' is out of the range of i32"},
      {"99999999999999999999u64", "1:1: error: '99999999999999999999u64' is out of the range of u64"},
      {"f32", "1:1: error: no value: 'f32'"},
      {"f32.na", "1:1: error: no value: 'f32.na'"},
      {"f32.nanx", "1:1: error: no number: 'f32.nanx'"},
      {"i32.nan", "1:1: error: no value: 'i32.nan'"},
      {"\x01", "1:1: error: no value: byte 0x01"},
      {"\xff", "1:1: error: no value: byte 0xff"},
      {"1,", "1:2: error: ',' outside of an array"},
      {"1]", "1:2: error: ']' outside of an array"},
      {"[1] ]", "1:5: error: no value: ']'"},
      {"[", "1:1: error: an array without its closing ']'"},
      {"[1, 2", "1:1: error: an array without its closing ']'"},
      {"[[1], [2,", "1:7: error: an array without its closing ']'"},
      {"[1 2]", "1:4: error: expected ',' or ']' in an array"},
      {"[,]", "1:2: error: no value: ','"},
      {"[1,,2]", "1:4: error: expected a value of type i32, found ','"},
      {"[1, 2.5]", "1:5: error: '2.5' is no i32"},
      {"[1, 2i8]", "1:5: error: expected a value of type i32, found '2i8'"},
      {"[1, true]", "1:5: error: expected a value of type i32, found 'true'"},
      {"[1, [2]]", "1:5: error: a row among numbers"},
      {"[[1], 2]", "1:7: error: a number among rows"},
      {"[[1], [2, 3]]", "1:7: error: a row of length 2 among rows of length 1"},
      {"[[], [1]]", "1:6: error: a row of length 1 among rows of length 0"},
      {"[[[1]], [[1], [2]]]", "1:9: error: a row of length 2 among rows of length 1"},
      {"[]", "1:1: error: an empty array without a type; write it as in empty([0]i32)"},
      {"empty", "1:6: error: expected '(' after 'empty'"},
      {"empty([0]", "1:10: error: expected the element type of an empty array"},
      {"empty([0]i32", "1:13: error: expected ')' after the type of an empty array"},
      {"empty([0]i33)", "1:10: error: expected the element type of an empty array"},
      {"empty([0", "1:9: error: expected ']' after a dimension"},
      {"empty([-1]i32)", "1:8: error: a negative dimension"},
      {"empty([x]i32)", "1:8: error: expected a value of type i64, found 'x'"},
      {"empty([3]i32)", "1:1: error: an empty array must have a dimension of length 0"},
      {"empty(i32)", "1:1: error: an empty array must have a dimension of length 0"},
      {"else", "1:1: error: no value: 'else'"},
      {"\"abc", "1:1: error: a string without its closing quote"},
      {"\"abc\n\"", "1:1: error: a string without its closing quote"},
      {"\"\\q\"", "1:2: error: no escape of a string"},
      {"\"\\x4g\"", "1:2: error: no escape of a string"},
      {"\"\\", "1:2: error: no escape of a string"},
  };
  for (auto [input, error] : cases)
    EXPECT_EQ(readBack(input), std::string("in:") + error) << input;
  EXPECT_EQ(readBack(std::string(100, '[')), "in:1:65: error: an array of more than 64 dimensions");
  std::string deep = "empty(";
  for (int i = 0; i < 65; ++i)
    deep += "[0]";
  EXPECT_EQ(readBack(deep + "i32)"), "in:1:199: error: an array of more than 64 dimensions");
  EXPECT_EQ(readBack(std::string(1000, 'q')), "in:1:1: error: no value: '" + std::string(40, 'q') + "...'");
}

std::string binary(ElementType type, std::vector<int64_t> shape, std::string_view data) {
  std::string out;
  Value value = Value::withShape(type, std::move(shape));
  std::transform(data.begin(), data.end(), value.data.begin(), [](char c) { return std::byte(c); });
  writeBinary(value, out);
  return out;
}

TEST(Values, Binary) {
  std::string bytes = binary(i32, {2}, std::string_view("\1\0\0\0\2\0\0\0", 8));
  EXPECT_EQ(bytes, std::string_view("b\2\1 i32\2\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0", 23));
  EXPECT_EQ(readBack(bytes), "[1i32, 2i32]");
  EXPECT_EQ(readBack(bytes, ExpectedValue{i32, 1}), "[1i32, 2i32]");
  EXPECT_EQ(readBack(bytes, ExpectedValue{i32, 0}),
            "in:1:1: error: expected a value of type i32, found one of type []i32");
  EXPECT_EQ(readBack(binary(boolean, {}, "\1")), "true");
  EXPECT_EQ(readBack(binary(i8, {3}, "\1\2\3")), "[1i8, 2i8, 3i8]");
}

TEST(Values, TextAndBinaryMix) {
  std::string input =
      "1 " + binary(i8, {}, "\n") + "[2]" + binary(u8, {1}, "b") + "--c\n" + binary(f64, {0}, "") + "true";
  EXPECT_EQ(readBack(input), "1i32\n10i8\n[2i32]\n[98u8]\nempty([0]f64)\ntrue");
}

TEST(Values, MalformedBinary) {
  std::string whole = binary(i32, {2, 3}, std::string(24, '\1'));
  const char *parts[] = {"version", "rank", "type", "shape"};
  for (size_t length = 1; length < whole.size(); ++length) {
    std::string error = readBack(std::string_view(whole).substr(0, length));
    if (length < 7 + 16)
      EXPECT_EQ(error, std::string("in:1:1: error: a binary value that ends in its ") + parts[length < 2   ? 0
                                                                                              : length < 3 ? 1
                                                                                              : length < 7 ? 2
                                                                                                           : 3])
          << length;
    else
      EXPECT_EQ(error, "in:1:1: error: a binary value of type [2][3]i32 that lacks " +
                           std::to_string(whole.size() - length) + " of its 24 bytes");
  }
  EXPECT_EQ(readBack("b\1\1 i32"), "in:1:1: error: a binary value of version 1, where 2 is known");
  EXPECT_EQ(readBack(std::string_view("b\2\0 i33\0\0\0\0", 11)), "in:1:1: error: a binary value of unknown type");
  EXPECT_EQ(readBack(std::string_view("b\2\0    \0\0\0\0", 11)), "in:1:1: error: a binary value of unknown type");
  EXPECT_EQ(readBack(std::string_view("b\2\0bool\2", 8)), "in:1:8: error: a binary bool that is neither 0 nor 1");
  std::string huge = "b\2\2 i32";
  huge += std::string(7, '\0') + "\x40" + std::string(7, '\0') + "\x40";
  EXPECT_EQ(readBack(huge), "in:1:1: error: a binary value with an impossible shape");
  std::string negative = "b\2\1 i32" + std::string(8, '\xff');
  EXPECT_EQ(readBack(negative), "in:1:1: error: a binary value with an impossible shape");
}

TEST(Values, WhatIsWrittenReadsBackToTheBit) {
  std::mt19937_64 random(1);
  for (ElementType type : {i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, boolean})
    for (int round = 0; round < 300; ++round) {
      std::vector<int64_t> shape(random() % 4);
      for (int64_t &n : shape)
        n = static_cast<int64_t>(random() % 5);
      Value value = Value::withShape(type, shape);
      for (std::byte &b : value.data)
        b = std::byte(type == boolean ? random() % 2 : random());
      // The one NaN that the text form knows.
      for (double &x : value.as<double>())
        if (type == f64 && std::isnan(x))
          x = std::numeric_limits<double>::quiet_NaN();
      for (float &x : value.as<float>())
        if (type == f32 && std::isnan(x))
          x = std::numeric_limits<float>::quiet_NaN();
      for (uint16_t &x : value.as<uint16_t>())
        if (type == f16 && std::isnan(doubleFromHalf(x)))
          x = 0x7e00;
      std::string text, bytes;
      writeText(value, text);
      writeBinary(value, bytes);
      ValueError error;
      auto values = readValues(text + " " + bytes, error);
      ASSERT_TRUE(values) << text << error.text("");
      for (const Value &back : *values) {
        EXPECT_EQ(back.type, type);
        EXPECT_EQ(back.shape, shape);
        EXPECT_EQ(back.data, value.data) << text;
      }
    }
}

TEST(Values, HalvesAreRoundedToNearestEven) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    double x = doubleFromHalf(static_cast<uint16_t>(bits));
    if (!std::isnan(x)) {
      EXPECT_EQ(halfFromDouble(x), bits);
    }
    if (bits >= 0x7bff)
      continue;
    double next = doubleFromHalf(static_cast<uint16_t>(bits + 1));
    double middle = (x + next) / 2;
    EXPECT_EQ(halfFromDouble(middle), bits % 2 ? bits + 1 : bits);
    EXPECT_EQ(halfFromDouble(std::nextafter(middle, x)), bits);
    EXPECT_EQ(halfFromDouble(std::nextafter(middle, next)), bits + 1);
  }
  EXPECT_EQ(halfFromDouble(65519.99), 0x7bff);
  EXPECT_EQ(halfFromDouble(65520), 0x7c00);
  EXPECT_EQ(halfFromDouble(-1e300), 0xfc00);
  EXPECT_EQ(halfFromDouble(std::nan("")) & 0x7fff, 0x7e00);
}

TEST(Values, AllHalvesPrintShort) {
  for (uint16_t bits = 0; bits < 0x7c00; ++bits) {
    std::string text;
    writeText(Value::scalar<uint16_t>(f16, bits), text);
    ASSERT_LE(text.size(), 13u) << text;
    ValueReader reader(text);
    ASSERT_EQ(reader.next()->as<uint16_t>()[0], bits) << text;
  }
}

TEST(Values, ShapesThatDoNotFit) {
  const int64_t huge[] = {int64_t(1) << 32, int64_t(1) << 31}, empty[] = {int64_t(1) << 62, int64_t(1) << 62, 0},
                negative[] = {-1};
  EXPECT_EQ(checkedElements(u8, huge), std::nullopt);
  EXPECT_EQ(checkedElements(u8, empty), 0);
  EXPECT_EQ(checkedElements(u8, negative), std::nullopt);
  EXPECT_EQ(checkedElements(f64, {}), 1);
}

TEST(Values, ComeFromFilesAndPipes) {
  std::string content = "1 [2, 3]\n", error;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], content.data(), content.size()), static_cast<ssize_t>(content.size()));
  close(ends[1]);
  auto piped = InputBytes::fromDescriptor(ends[0], error);
  close(ends[0]);
  ASSERT_TRUE(piped) << error;
  EXPECT_EQ(piped->view(), content);

  FILE *file = std::tmpfile();
  ASSERT_TRUE(file);
  std::fputs(content.c_str(), file);
  std::rewind(file);
  auto mapped = InputBytes::fromDescriptor(fileno(file), error);
  ASSERT_TRUE(mapped) << error;
  EXPECT_EQ(mapped->view(), content);
  lseek(fileno(file), 2, SEEK_SET);
  auto rest = InputBytes::fromDescriptor(fileno(file), error);
  std::fclose(file);
  ASSERT_TRUE(rest) << error;
  EXPECT_EQ(rest->view(), content.substr(2));

  EXPECT_FALSE(InputBytes::fromDescriptor(-1, error));
  EXPECT_EQ(error, "Bad file descriptor");
}

} // namespace
