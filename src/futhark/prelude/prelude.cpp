// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/prelude/prelude.h"

#include <string_view>
#include <utility>

namespace ferry::futhark::prelude {

// Made from the files beside this one by embed.cmake.
extern const char *const soacsText;
extern const char *const integerText;
extern const char *const floatText;
extern const char *const arraysText;
extern const char *const module_typesText;
extern const char *const intrinsicsText;

namespace {

using Replacements = std::vector<std::pair<std::string_view, std::string>>;

std::string instantiate(std::string text, const Replacements &replacements) {
  for (const auto &[placeholder, value] : replacements)
    for (size_t at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at + value.size()))
      text.replace(at, placeholder.size(), value);
  return text;
}

struct IntegerType {
  const char *name, *bits, *lowest, *highest;
};
constexpr IntegerType integerTypes[] = {
    {"i8", "8", "-128", "127"},
    {"i16", "16", "-32768", "32767"},
    {"i32", "32", "-2147483648", "2147483647"},
    {"i64", "64", "-9223372036854775808", "9223372036854775807"},
    {"u8", "8", "0", "255"},
    {"u16", "16", "0", "65535"},
    {"u32", "32", "0", "4294967295"},
    {"u64", "64", "0", "18446744073709551615"},
};

struct FloatType {
  const char *name, *bits, *epsilon;
};
constexpr FloatType floatTypes[] = {
    {"f64", "64", "2.220446049250313e-16"}, {"f32", "32", "1.1920929e-7"}, {"f16", "16", "9.765625e-4"}};

std::vector<File> makeFiles() {
  std::vector<File> result;
  result.push_back({"prelude/soacs.fut", soacsText});
  for (const IntegerType &type : integerTypes)
    result.push_back(
        {std::string("prelude/") + type.name + ".fut",
         instantiate(integerText, {{"$T", type.name}, {"$B", type.bits}, {"$L", type.lowest}, {"$H", type.highest}})});
  for (const FloatType &type : floatTypes)
    result.push_back({std::string("prelude/") + type.name + ".fut",
                      instantiate(floatText, {{"$T", type.name}, {"$B", type.bits}, {"$E", type.epsilon}})});
  result.push_back({"prelude/arrays.fut", arraysText});
  result.push_back({"prelude/intrinsics.fut", intrinsicsText});
  result.push_back({"prelude/module_types.fut", module_typesText});
  return result;
}

} // namespace

const std::vector<File> &files() {
  static const std::vector<File> all = makeFiles();
  return all;
}

} // namespace ferry::futhark::prelude
