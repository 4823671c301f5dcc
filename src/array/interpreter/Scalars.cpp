// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arith dialect. What it leaves undefined without ending the program (a shift by the width, a float too large for
// the integer) is 0 here; a division by zero ends the program.

#include "array/interpreter/Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;

namespace ferry::array::detail {
namespace {

// The bits of an integer without its sign extension.
uint64_t unsignedOf(Cell cell, Type type) {
  type = getElementTypeOrSelf(type);
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return width >= 64 ? cell.bits : cell.bits & ((uint64_t(1) << width) - 1);
}

int64_t signedOf(Cell cell, Type type) {
  return getElementTypeOrSelf(type).isInteger(1) ? -static_cast<int64_t>(cell.bits & 1) : cell.integer();
}

unsigned widthOf(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

template <typename Op> void onSigned(Handlers &handlers, int64_t (*function)(int64_t, int64_t)) {
  handlers[TypeID::get<Op>()] = elementwise([function](Machine &, Operation *op, ArrayRef<Cell> x) {
    Type type = op->getOperand(0).getType();
    return Cell::of(function(signedOf(x[0], type), signedOf(x[1], type)));
  });
}

template <typename Op> void onUnsigned(Handlers &handlers, uint64_t (*function)(uint64_t, uint64_t)) {
  handlers[TypeID::get<Op>()] = elementwise([function](Machine &, Operation *op, ArrayRef<Cell> x) {
    Type type = op->getOperand(0).getType();
    return Cell{function(unsignedOf(x[0], type), unsignedOf(x[1], type))};
  });
}

// A division: by zero it ends the program; the quotient that overflows 64 bits wraps.
template <typename Op> void onDivision(Handlers &handlers, __int128 (*function)(__int128, __int128)) {
  handlers[TypeID::get<Op>()] = elementwise([function](Machine &machine, Operation *op, ArrayRef<Cell> x) {
    Type type = op->getOperand(0).getType();
    int64_t a = signedOf(x[0], type), b = signedOf(x[1], type);
    if (b == 0)
      machine.fail(op, "division by zero");
    return Cell{static_cast<uint64_t>(function(a, b))};
  });
}

template <typename Op> void onUnsignedDivision(Handlers &handlers, uint64_t (*function)(uint64_t, uint64_t)) {
  handlers[TypeID::get<Op>()] = elementwise([function](Machine &machine, Operation *op, ArrayRef<Cell> x) {
    Type type = op->getOperand(0).getType();
    if (unsignedOf(x[1], type) == 0)
      machine.fail(op, "division by zero");
    return Cell{function(unsignedOf(x[0], type), unsignedOf(x[1], type))};
  });
}

template <typename Op> void onShift(Handlers &handlers, uint64_t (*function)(int64_t, uint64_t, uint64_t)) {
  handlers[TypeID::get<Op>()] = elementwise([function](Machine &, Operation *op, ArrayRef<Cell> x) {
    Type type = op->getOperand(0).getType();
    uint64_t by = unsignedOf(x[1], type);
    return by >= widthOf(type) ? Cell{} : Cell{function(signedOf(x[0], type), unsignedOf(x[0], type), by)};
  });
}

template <typename Op> void onFloats(Handlers &handlers, double (*function)(double, double)) {
  handlers[TypeID::get<Op>()] = elementwise(
      [function](Machine &, Operation *, ArrayRef<Cell> x) { return Cell::of(function(x[0].real(), x[1].real())); });
}

template <typename Op> void onConversion(Handlers &handlers, Cell (*function)(Cell, Type, Type)) {
  handlers[TypeID::get<Op>()] = elementwise([function](Machine &, Operation *op, ArrayRef<Cell> x) {
    return function(x[0], getElementTypeOrSelf(op->getOperand(0).getType()),
                    getElementTypeOrSelf(op->getResult(0).getType()));
  });
}

Cell same(Cell x, Type, Type) { return x; }

Cell compareIntegers(Machine &, Operation *op, ArrayRef<Cell> x) {
  Type type = op->getOperand(0).getType();
  int64_t a = signedOf(x[0], type), b = signedOf(x[1], type);
  uint64_t ua = unsignedOf(x[0], type), ub = unsignedOf(x[1], type);
  switch (cast<arith::CmpIOp>(op).getPredicate()) {
  case arith::CmpIPredicate::eq:
    return {a == b};
  case arith::CmpIPredicate::ne:
    return {a != b};
  case arith::CmpIPredicate::slt:
    return {a < b};
  case arith::CmpIPredicate::sle:
    return {a <= b};
  case arith::CmpIPredicate::sgt:
    return {a > b};
  case arith::CmpIPredicate::sge:
    return {a >= b};
  case arith::CmpIPredicate::ult:
    return {ua < ub};
  case arith::CmpIPredicate::ule:
    return {ua <= ub};
  case arith::CmpIPredicate::ugt:
    return {ua > ub};
  case arith::CmpIPredicate::uge:
    return {ua >= ub};
  }
  return {};
}

// Bit 0 of a predicate is "equal", bit 1 "greater", bit 2 "less", bit 3 "unordered", as in LLVM's fcmp.
Cell compareFloats(Machine &, Operation *op, ArrayRef<Cell> x) {
  double a = x[0].real(), b = x[1].real();
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (cast<arith::CmpFOp>(op).getPredicate()) {
  case arith::CmpFPredicate::AlwaysFalse:
    return {0};
  case arith::CmpFPredicate::AlwaysTrue:
    return {1};
  case arith::CmpFPredicate::OEQ:
    return {a == b};
  case arith::CmpFPredicate::OGT:
    return {a > b};
  case arith::CmpFPredicate::OGE:
    return {a >= b};
  case arith::CmpFPredicate::OLT:
    return {a < b};
  case arith::CmpFPredicate::OLE:
    return {a <= b};
  case arith::CmpFPredicate::ONE:
    return {!unordered && a != b};
  case arith::CmpFPredicate::ORD:
    return {!unordered};
  case arith::CmpFPredicate::UEQ:
    return {unordered || a == b};
  case arith::CmpFPredicate::UGT:
    return {unordered || a > b};
  case arith::CmpFPredicate::UGE:
    return {unordered || a >= b};
  case arith::CmpFPredicate::ULT:
    return {unordered || a < b};
  case arith::CmpFPredicate::ULE:
    return {unordered || a <= b};
  case arith::CmpFPredicate::UNE:
    return {a != b};
  case arith::CmpFPredicate::UNO:
    return {unordered};
  }
  return {};
}

Cell toSigned(Cell x, Type, Type to) {
  double value = std::trunc(x.real()), limit = std::ldexp(1.0, static_cast<int>(widthOf(to)) - 1);
  return value >= -limit && value < limit ? Cell::of(static_cast<int64_t>(value)) : Cell{};
}

Cell toUnsigned(Cell x, Type, Type to) {
  double value = std::trunc(x.real()), limit = std::ldexp(1.0, static_cast<int>(widthOf(to)));
  return value >= 0 && value < limit ? Cell{static_cast<uint64_t>(value)} : Cell{};
}

// The bits of a float of the given type, and back.
Cell bitcast(Cell x, Type from, Type to) {
  auto semantics = [](Type type) -> const llvm::fltSemantics & { return cast<FloatType>(type).getFloatSemantics(); };
  bool inexact = false;
  uint64_t bits = unsignedOf(x, from);
  if (isa<FloatType>(from)) {
    llvm::APFloat value(x.real());
    value.convert(semantics(from), llvm::APFloat::rmNearestTiesToEven, &inexact);
    bits = value.bitcastToAPInt().getZExtValue();
  }
  if (!isa<FloatType>(to))
    return {bits};
  llvm::APFloat value(semantics(to), llvm::APInt(widthOf(to), bits));
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return Cell::of(value.convertToDouble());
}

Cell cellOf(Attribute attribute) {
  if (auto real = dyn_cast<FloatAttr>(attribute)) {
    bool inexact = false;
    llvm::APFloat value = real.getValue();
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return Cell::of(value.convertToDouble());
  }
  const llvm::APInt &value = cast<IntegerAttr>(attribute).getValue();
  return value.getBitWidth() == 1 ? Cell{value.getZExtValue()} : Cell::of(value.getSExtValue());
}

void runConstant(Machine &machine, arith::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return machine.set(op, cellOf(op.getValue()));
  InterpretedArray result(elements.getType().getShape(), machine.sideOfNew(op.getType()));
  std::vector<Cell> &cells = result.changeCells();
  for (auto [index, attribute] : llvm::enumerate(elements.getValues<Attribute>()))
    cells[index] = cellOf(attribute);
  machine.set(op, std::move(result));
}

void runSelect(Machine &machine, arith::SelectOp op) {
  machine.set(op, machine.get(machine.integer(op.getCondition()) ? op.getTrueValue() : op.getFalseValue()));
}

// A product of twice the width, in two halves.
template <typename Op, bool isSigned> void runExtendedProduct(Machine &machine, Op op) {
  Type type = op.getLhs().getType();
  auto value = [&](Value operand) -> __int128 {
    Cell x = machine.cell(operand);
    return isSigned ? static_cast<__int128>(signedOf(x, type)) : static_cast<__int128>(unsignedOf(x, type));
  };
  auto product =
      static_cast<unsigned __int128>(value(op.getLhs())) * static_cast<unsigned __int128>(value(op.getRhs()));
  machine.set(op.getLow(), narrow({static_cast<uint64_t>(product)}, type));
  machine.set(op.getHigh(), narrow({static_cast<uint64_t>(product >> widthOf(type))}, type));
}

void addIntegerHandlers(Handlers &handlers) {
  onUnsigned<arith::AddIOp>(handlers, [](uint64_t a, uint64_t b) { return a + b; });
  onUnsigned<arith::SubIOp>(handlers, [](uint64_t a, uint64_t b) { return a - b; });
  onUnsigned<arith::MulIOp>(handlers, [](uint64_t a, uint64_t b) { return a * b; });
  onUnsigned<arith::AndIOp>(handlers, [](uint64_t a, uint64_t b) { return a & b; });
  onUnsigned<arith::OrIOp>(handlers, [](uint64_t a, uint64_t b) { return a | b; });
  onUnsigned<arith::XOrIOp>(handlers, [](uint64_t a, uint64_t b) { return a ^ b; });
  onUnsigned<arith::MaxUIOp>(handlers, [](uint64_t a, uint64_t b) { return std::max(a, b); });
  onUnsigned<arith::MinUIOp>(handlers, [](uint64_t a, uint64_t b) { return std::min(a, b); });
  onSigned<arith::MaxSIOp>(handlers, [](int64_t a, int64_t b) { return std::max(a, b); });
  onSigned<arith::MinSIOp>(handlers, [](int64_t a, int64_t b) { return std::min(a, b); });
  onDivision<arith::DivSIOp>(handlers, [](__int128 a, __int128 b) { return a / b; });
  onDivision<arith::RemSIOp>(handlers, [](__int128 a, __int128 b) { return a % b; });
  onDivision<arith::FloorDivSIOp>(handlers,
                                  [](__int128 a, __int128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); });
  onDivision<arith::CeilDivSIOp>(handlers,
                                 [](__int128 a, __int128 b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); });
  onUnsignedDivision<arith::DivUIOp>(handlers, [](uint64_t a, uint64_t b) { return a / b; });
  onUnsignedDivision<arith::RemUIOp>(handlers, [](uint64_t a, uint64_t b) { return a % b; });
  onUnsignedDivision<arith::CeilDivUIOp>(handlers, [](uint64_t a, uint64_t b) { return a / b + (a % b != 0); });
  onShift<arith::ShLIOp>(handlers, [](int64_t, uint64_t a, uint64_t by) { return a << by; });
  onShift<arith::ShRUIOp>(handlers, [](int64_t, uint64_t a, uint64_t by) { return a >> by; });
  onShift<arith::ShRSIOp>(handlers, [](int64_t a, uint64_t, uint64_t by) { return static_cast<uint64_t>(a >> by); });
  handle<arith::MulSIExtendedOp>(handlers, runExtendedProduct<arith::MulSIExtendedOp, true>);
  handle<arith::MulUIExtendedOp>(handlers, runExtendedProduct<arith::MulUIExtendedOp, false>);
  handlers[TypeID::get<arith::CmpIOp>()] = elementwise(compareIntegers);
}

void addFloatHandlers(Handlers &handlers) {
  onFloats<arith::AddFOp>(handlers, [](double a, double b) { return a + b; });
  onFloats<arith::SubFOp>(handlers, [](double a, double b) { return a - b; });
  onFloats<arith::MulFOp>(handlers, [](double a, double b) { return a * b; });
  onFloats<arith::DivFOp>(handlers, [](double a, double b) { return a / b; });
  onFloats<arith::RemFOp>(handlers, [](double a, double b) { return std::fmod(a, b); });
  onFloats<arith::MaxNumFOp>(handlers, [](double a, double b) { return std::fmax(a, b); });
  onFloats<arith::MinNumFOp>(handlers, [](double a, double b) { return std::fmin(a, b); });
  onFloats<arith::MaximumFOp>(
      handlers, [](double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::fmax(a, b); });
  onFloats<arith::MinimumFOp>(
      handlers, [](double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::fmin(a, b); });
  handlers[TypeID::get<arith::NegFOp>()] =
      elementwise([](Machine &, Operation *, ArrayRef<Cell> x) { return Cell::of(-x[0].real()); });
  handlers[TypeID::get<arith::CmpFOp>()] = elementwise(compareFloats);
}

void addConversionHandlers(Handlers &handlers) {
  auto zeroExtended = [](Cell x, Type from, Type) { return Cell{unsignedOf(x, from)}; };
  auto signExtended = [](Cell x, Type from, Type) { return Cell::of(signedOf(x, from)); };
  onConversion<arith::ExtUIOp>(handlers, zeroExtended);
  onConversion<arith::IndexCastUIOp>(handlers, zeroExtended);
  onConversion<arith::ExtSIOp>(handlers, signExtended);
  onConversion<arith::IndexCastOp>(handlers, signExtended);
  onConversion<arith::TruncIOp>(handlers, same);
  onConversion<arith::ExtFOp>(handlers, same);
  onConversion<arith::TruncFOp>(handlers, same);
  onConversion<arith::SIToFPOp>(handlers, [](Cell x, Type from, Type to) {
    // One rounding from the integer: by way of f64 there would be two.
    int64_t value = signedOf(x, from);
    return Cell::of(to.isF32() ? static_cast<double>(static_cast<float>(value)) : static_cast<double>(value));
  });
  onConversion<arith::UIToFPOp>(handlers, [](Cell x, Type from, Type to) {
    uint64_t value = unsignedOf(x, from);
    return Cell::of(to.isF32() ? static_cast<double>(static_cast<float>(value)) : static_cast<double>(value));
  });
  onConversion<arith::FPToSIOp>(handlers, toSigned);
  onConversion<arith::FPToUIOp>(handlers, toUnsigned);
  onConversion<arith::BitcastOp>(handlers, bitcast);
}

} // namespace

void addScalarHandlers(Handlers &handlers) {
  handle<arith::ConstantOp>(handlers, runConstant);
  handle<arith::SelectOp>(handlers, runSelect);
  addIntegerHandlers(handlers);
  addFloatHandlers(handlers);
  addConversionHandlers(handlers);
}

} // namespace ferry::array::detail
