// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math dialect, and the functions of the C library that programs call by name. All are computed in f64 and rounded
// to the type of the result.

#include "array/interpreter/Machine.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace ferry::array::detail {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

template <typename Op> void onFloat(Handlers &handlers, Unary function) {
  handlers[TypeID::get<Op>()] =
      elementwise([function](Machine &, Operation *, ArrayRef<Cell> x) { return Cell::of(function(x[0].real())); });
}

template <typename Op> void onFloats(Handlers &handlers, Binary function) {
  handlers[TypeID::get<Op>()] = elementwise(
      [function](Machine &, Operation *, ArrayRef<Cell> x) { return Cell::of(function(x[0].real(), x[1].real())); });
}

// A question about a float.
template <typename Op> void onTest(Handlers &handlers, bool (*function)(double)) {
  handlers[TypeID::get<Op>()] =
      elementwise([function](Machine &, Operation *, ArrayRef<Cell> x) { return Cell{function(x[0].real())}; });
}

// A count of bits: of the integer without its sign extension, and its width.
template <typename Op> void onBits(Handlers &handlers, int64_t (*function)(uint64_t, int64_t)) {
  handlers[TypeID::get<Op>()] = elementwise([function](Machine &, Operation *op, ArrayRef<Cell> x) {
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    int64_t width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    uint64_t bits = width == 64 ? x[0].bits : x[0].bits & ((uint64_t(1) << width) - 1);
    return Cell::of(function(bits, width));
  });
}

Cell fusedMultiplyAdd(Machine &, Operation *op, ArrayRef<Cell> x) {
  double a = x[0].real(), b = x[1].real(), c = x[2].real();
  if (getElementTypeOrSelf(op->getResult(0).getType()).isF64())
    return Cell::of(std::fma(a, b, c));
  return Cell::of(static_cast<double>(std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c))));
}

Cell integerPower(Machine &machine, Operation *op, ArrayRef<Cell> x) {
  int64_t base = x[0].integer(), exponent = x[1].integer();
  if (exponent < 0) {
    if (base == 0)
      machine.fail(op, "division by zero");
    return Cell::of(base == 1 ? int64_t(1) : base == -1 ? (exponent % 2 ? int64_t(-1) : int64_t(1)) : int64_t(0));
  }
  uint64_t power = 1, square = x[0].bits;
  for (; exponent; exponent >>= 1, square *= square)
    if (exponent & 1)
      power *= square;
  return {power};
}

void addRootsAndPowers(Handlers &handlers) {
  onFloat<math::SqrtOp>(handlers, std::sqrt);
  onFloat<math::RsqrtOp>(handlers, [](double x) { return 1 / std::sqrt(x); });
  onFloat<math::CbrtOp>(handlers, std::cbrt);
  onFloat<math::ExpOp>(handlers, std::exp);
  onFloat<math::Exp2Op>(handlers, std::exp2);
  onFloat<math::ExpM1Op>(handlers, std::expm1);
  onFloat<math::LogOp>(handlers, std::log);
  onFloat<math::Log2Op>(handlers, std::log2);
  onFloat<math::Log10Op>(handlers, std::log10);
  onFloat<math::Log1pOp>(handlers, std::log1p);
  onFloat<math::ErfOp>(handlers, std::erf);
  onFloat<math::ErfcOp>(handlers, std::erfc);
  onFloats<math::PowFOp>(handlers, std::pow);
  handlers[TypeID::get<math::FPowIOp>()] = elementwise([](Machine &, Operation *, ArrayRef<Cell> x) {
    return Cell::of(std::pow(x[0].real(), static_cast<double>(x[1].integer())));
  });
  handlers[TypeID::get<math::IPowIOp>()] = elementwise(integerPower);
  handlers[TypeID::get<math::FmaOp>()] = elementwise(fusedMultiplyAdd);
}

void addTrigonometry(Handlers &handlers) {
  onFloat<math::SinOp>(handlers, std::sin);
  onFloat<math::CosOp>(handlers, std::cos);
  onFloat<math::TanOp>(handlers, std::tan);
  onFloat<math::AsinOp>(handlers, std::asin);
  onFloat<math::AcosOp>(handlers, std::acos);
  onFloat<math::AtanOp>(handlers, std::atan);
  onFloats<math::Atan2Op>(handlers, std::atan2);
  onFloat<math::SinhOp>(handlers, std::sinh);
  onFloat<math::CoshOp>(handlers, std::cosh);
  onFloat<math::TanhOp>(handlers, std::tanh);
  onFloat<math::AsinhOp>(handlers, std::asinh);
  onFloat<math::AcoshOp>(handlers, std::acosh);
  onFloat<math::AtanhOp>(handlers, std::atanh);
}

void addRounding(Handlers &handlers) {
  onFloat<math::AbsFOp>(handlers, std::fabs);
  onFloat<math::FloorOp>(handlers, std::floor);
  onFloat<math::CeilOp>(handlers, std::ceil);
  onFloat<math::RoundOp>(handlers, std::round);
  onFloat<math::RoundEvenOp>(handlers, std::nearbyint);
  onFloat<math::TruncOp>(handlers, std::trunc);
  onFloats<math::CopySignOp>(handlers, std::copysign);
  onTest<math::IsNaNOp>(handlers, [](double x) { return std::isnan(x); });
  onTest<math::IsInfOp>(handlers, [](double x) { return std::isinf(x); });
  onTest<math::IsFiniteOp>(handlers, [](double x) { return std::isfinite(x); });
}

void addBitCounts(Handlers &handlers) {
  onBits<math::CountLeadingZerosOp>(handlers,
                                    [](uint64_t x, int64_t width) { return std::countl_zero(x) - (64 - width); });
  onBits<math::CountTrailingZerosOp>(
      handlers, [](uint64_t x, int64_t width) { return std::min<int64_t>(std::countr_zero(x), width); });
  onBits<math::CtPopOp>(handlers, [](uint64_t x, int64_t) { return static_cast<int64_t>(std::popcount(x)); });
  handlers[TypeID::get<math::AbsIOp>()] = elementwise(
      [](Machine &, Operation *, ArrayRef<Cell> x) { return x[0].integer() < 0 ? Cell{-x[0].bits} : x[0]; });
}

const llvm::StringMap<Unary> &unaryFunctions() {
  static const llvm::StringMap<Unary> table = {
      {"lgamma", std::lgamma}, {"tgamma", std::tgamma}, {"exp10", [](double x) { return std::pow(10.0, x); }},
      {"rint", std::rint},     {"erf", std::erf},       {"erfc", std::erfc},
      {"cbrt", std::cbrt},     {"sqrt", std::sqrt},     {"sin", std::sin},
      {"cos", std::cos},       {"tan", std::tan},       {"asin", std::asin},
      {"acos", std::acos},     {"atan", std::atan},     {"sinh", std::sinh},
      {"cosh", std::cosh},     {"tanh", std::tanh},     {"asinh", std::asinh},
      {"acosh", std::acosh},   {"atanh", std::atanh},   {"exp", std::exp},
      {"exp2", std::exp2},     {"expm1", std::expm1},   {"log", std::log},
      {"log2", std::log2},     {"log10", std::log10},   {"log1p", std::log1p},
      {"fabs", std::fabs},     {"floor", std::floor},   {"ceil", std::ceil},
      {"round", std::round},   {"trunc", std::trunc},
  };
  return table;
}

const llvm::StringMap<Binary> &binaryFunctions() {
  static const llvm::StringMap<Binary> table = {
      {"hypot", std::hypot},         {"fmod", std::fmod},          {"pow", std::pow},   {"atan2", std::atan2},
      {"nextafter", std::nextafter}, {"fmax", std::fmax},          {"fmin", std::fmin}, {"copysign", std::copysign},
      {"fdim", std::fdim},           {"remainder", std::remainder}};
  return table;
}

} // namespace

std::optional<Cell> callLibrary(StringRef name, ArrayRef<Cell> x) {
  for (StringRef candidate : {name, name.ends_with("f") ? name.drop_back() : name}) {
    if (auto unary = unaryFunctions().find(candidate); unary != unaryFunctions().end() && x.size() == 1)
      return Cell::of(unary->second(x[0].real()));
    if (auto binary = binaryFunctions().find(candidate); binary != binaryFunctions().end() && x.size() == 2)
      return Cell::of(binary->second(x[0].real(), x[1].real()));
    if (candidate == "ldexp" && x.size() == 2)
      return Cell::of(std::ldexp(x[0].real(), static_cast<int>(x[1].integer())));
  }
  return std::nullopt;
}

void addMathHandlers(Handlers &handlers) {
  addRootsAndPowers(handlers);
  addTrigonometry(handlers);
  addRounding(handlers);
  addBitCounts(handlers);
}

} // namespace ferry::array::detail
