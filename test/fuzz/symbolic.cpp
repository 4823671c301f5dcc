// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any text is either read as an expression, which is then printed and read back the same, or refused in one line. What
// a normal form loses is its value: reading back must not change it.

#include "sdfg/bounds.h"

#include <cstdint>
#include <cstdlib>

using namespace ferry::sdfg;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view input(reinterpret_cast<const char *>(data), size);
  auto expr = Expr::parse(input);
  if (!expr) {
    require(expr.error().message.starts_with("column "));
    return 0;
  }
  if (expr->isUnknown() || input.size() > 2000)
    return 0;
  for (Dialect dialect : {Dialect::Plain, Dialect::Dollar}) {
    auto again = Expr::parse(expr->toString(dialect));
    require(again && (*again == *expr || again->isUnknown()));
  }
  require(provedEqual(*expr, *expr));
  require((*expr - *expr) == Expr(0));
  Assumptions assuming;
  Values values;
  for (const std::string &symbol : expr->freeSymbols()) {
    assuming.set(symbol, {1, 7});
    values[symbol] = 3;
  }
  auto value = expr->evaluate(values);
  if (value && provedNonNegative(*expr, assuming))
    require(*value >= Rational(0));
  return 0;
}
