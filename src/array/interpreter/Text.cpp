// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as text, in the part of Futhark's notation that the interpreter's tests need. The type expected says how a
// number is read; a suffix may follow it and is not compared with the type, since signless types cannot tell u8 from
// i8.

#include "array/interpreter/Machine.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <cctype>

using namespace mlir;

namespace ferry::array {
namespace {

void skipBlanks(StringRef &text) {
  while (true) {
    text = text.ltrim(" \t\r\n");
    if (!text.starts_with("--"))
      return;
    text = text.drop_until([](char c) { return c == '\n'; });
  }
}

class Reader {
public:
  Reader(StringRef &text, std::string &error) : text(text), error(error) {}

  std::optional<InterpretedValue> read(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() == 0)
      return readScalarOrRank0(type, tensor);
    SmallVector<int64_t> extents(tensor.getRank(), -1);
    std::vector<Cell> cells;
    bool isEmpty = peek().starts_with("empty");
    if (isEmpty ? !readEmpty(extents) : !readArray(tensor.getElementType(), extents, 0, cells))
      return std::nullopt;
    for (int64_t &extent : extents)
      extent = std::max<int64_t>(extent, 0);
    InterpretedArray array(extents, sideOf(type));
    array.changeCells() = std::move(cells);
    return array;
  }

private:
  StringRef peek() {
    skipBlanks(text);
    return text;
  }

  bool fail(const Twine &what) {
    StringRef here = peek().substr(0, 20).split('\n').first;
    error = (what + (here.empty() ? Twine(" at the end of the input") : " at '" + here + "'")).str();
    return false;
  }

  bool expect(StringRef token) {
    if (peek().starts_with(token)) {
      text = text.drop_front(token.size());
      return true;
    }
    return fail("expected '" + token + "'");
  }

  std::optional<InterpretedValue> readScalarOrRank0(Type type, RankedTensorType tensor) {
    Cell cell;
    if (!readScalar(tensor ? tensor.getElementType() : type, cell))
      return std::nullopt;
    if (!tensor)
      return cell;
    return InterpretedArray({}, sideOf(type), cell);
  }

  bool readScalar(Type type, Cell &cell) {
    StringRef word = peek().take_while([](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' || c == '+';
    });
    std::string number;
    llvm::copy_if(word, std::back_inserter(number), [](char c) { return c != '_'; });
    StringRef digits = number;
    if (type.isInteger(1)) {
      if (digits != "true" && digits != "false")
        return fail("expected a bool");
      cell = {digits == "true"};
    } else if (isa<FloatType>(type) ? !readFloat(digits, type, cell) : !readInteger(digits, type, cell)) {
      return false;
    }
    text = text.drop_front(word.size());
    return true;
  }

  bool readInteger(StringRef digits, Type type, Cell &cell) {
    bool isNegative = digits.consume_front("-");
    for (StringRef suffix : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"})
      if (digits.consume_back(suffix))
        break;
    llvm::APInt value(65, 0);
    if (digits.getAsInteger(0, value) || value.getActiveBits() > 64)
      return fail("expected an integer");
    uint64_t bits = value.getLoBits(64).trunc(64).getZExtValue();
    cell = detail::narrow({isNegative ? -bits : bits}, type);
    return true;
  }

  bool readFloat(StringRef digits, Type type, Cell &cell) {
    if (!digits.starts_with("0x") && !digits.starts_with("-0x"))
      for (StringRef suffix : {"f16", "f32", "f64"})
        if (digits.consume_back(suffix))
          break;
    bool isNegative = digits.starts_with("-");
    StringRef magnitude = isNegative ? digits.drop_front() : digits;
    if (magnitude.ends_with(".nan") || magnitude.ends_with(".inf")) {
      double value = magnitude.ends_with(".nan") ? std::numeric_limits<double>::quiet_NaN()
                                                 : std::numeric_limits<double>::infinity();
      cell = Cell::of(isNegative ? -value : value);
      return true;
    }
    double value = 0;
    if (digits.empty() || digits.getAsDouble(value))
      return fail("expected a float");
    cell = detail::narrow(Cell::of(value), type);
    return true;
  }

  bool setExtent(int64_t &extent, int64_t found) {
    if (extent >= 0 && extent != found)
      return fail("rows of different length");
    extent = found;
    return true;
  }

  bool readArray(Type element, SmallVector<int64_t> &extents, size_t depth, std::vector<Cell> &cells) {
    if (depth == extents.size()) {
      Cell cell;
      if (!readScalar(element, cell))
        return false;
      cells.push_back(cell);
      return true;
    }
    if (!expect("["))
      return false;
    int64_t found = 0;
    while (!peek().starts_with("]")) {
      if (!readArray(element, extents, depth + 1, cells))
        return false;
      ++found;
      if (!peek().starts_with("]") && !expect(","))
        return false;
    }
    text = text.drop_front();
    return setExtent(extents[depth], found);
  }

  bool readEmpty(SmallVector<int64_t> &extents) {
    if (!expect("empty") || !expect("("))
      return false;
    for (int64_t &extent : extents) {
      if (!expect("[") || peek().consumeInteger(10, extent))
        return fail("expected an extent");
      text = text.drop_while([](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
      if (!expect("]"))
        return false;
    }
    if (detail::countOf(extents) != 0)
      return fail("an empty array has no elements, so one of its extents is 0");
    text = text.drop_while([](char c) { return std::isalnum(static_cast<unsigned char>(c)); });
    return expect(")");
  }

  StringRef &text;
  std::string &error;
};

std::string nameOf(Type type) {
  if (type.isInteger(1))
    return "bool";
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

void printCell(llvm::raw_ostream &out, Cell cell, Type type) {
  if (type.isInteger(1)) {
    out << (cell.integer() ? "true" : "false");
  } else if (!isa<FloatType>(type)) {
    out << cell.integer() << nameOf(type);
  } else if (cell.real() != cell.real()) {
    out << nameOf(type) << ".nan";
  } else if (std::isinf(cell.real())) {
    out << (cell.real() < 0 ? "-" : "") << nameOf(type) << ".inf";
  } else {
    llvm::SmallString<32> digits;
    llvm::APFloat value(cell.real());
    bool inexact = false;
    value.convert(cast<FloatType>(type).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    value.toString(digits);
    out << digits << nameOf(type);
  }
}

void printRows(llvm::raw_ostream &out, const InterpretedArray &array, Type element, int64_t depth, size_t &at) {
  if (depth == array.rank())
    return printCell(out, array.cells()[at++], element);
  out << '[';
  for (int64_t i = 0; i < array.extents()[depth]; ++i) {
    out << (i ? ", " : "");
    printRows(out, array, element, depth + 1, at);
  }
  out << ']';
}

} // namespace

std::optional<InterpretedValue> readValue(StringRef &text, Type type, std::string &error) {
  return Reader(text, error).read(type);
}

void printValue(llvm::raw_ostream &out, const InterpretedValue &value, Type type) {
  if (auto *cell = std::get_if<Cell>(&value))
    return printCell(out, *cell, type);
  auto &array = std::get<InterpretedArray>(value);
  Type element = cast<RankedTensorType>(type).getElementType();
  if (array.cells().empty()) {
    out << "empty(";
    for (int64_t extent : array.extents())
      out << '[' << extent << ']';
    out << nameOf(element) << ')';
    return;
  }
  size_t at = 0;
  printRows(out, array, element, 0, at);
}

bool onlyBlanks(StringRef text) {
  skipBlanks(text);
  return text.empty();
}

} // namespace ferry::array
