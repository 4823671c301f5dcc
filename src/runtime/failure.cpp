// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context_impl.h"

#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace ferry::runtime {

static thread_local Runner *innermost = nullptr;

int &chunkDepth() {
  static thread_local int depth = 0;
  return depth;
}

Runner::Runner() : outer(innermost), chunkDepth(runtime::chunkDepth()) { innermost = this; }

void Runner::leave() { innermost = outer; }

void recordFailure(ProgramError error) {
  if (!innermost) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return;
  }
  innermost->error = std::move(error);
}

void recordFailure(FerryContext &context, std::string message) {
  ProgramError error{std::move(message), "", 0, 0};
  if (const FerryOperation *operation = context.operation) {
    error.file = operation->file ? operation->file : "";
    error.line = operation->line;
    error.column = operation->column;
  }
  recordFailure(std::move(error));
}

void unwind() {
  Runner *runner = innermost;
  if (!runner) // generated code called from outside `run`: its message is printed already
    std::_Exit(violationExitStatus);
  innermost = runner->outer;
  chunkDepth() = runner->chunkDepth;
  std::longjmp(runner->target, 1);
}

std::string ProgramError::text() const {
  if (file.empty())
    return "error: " + message;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": error: " + message;
}

static std::string inBrackets(std::initializer_list<int64_t> dims) {
  std::string text;
  for (int64_t n : dims)
    text += "[" + std::to_string(n) + "]";
  return text;
}

// `{0}`, `{1:u}`, `{2:f}` replaced by values; anything else in braces stays.
static std::string filled(std::string_view pattern, const int64_t (&values)[4]) {
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    size_t end = pattern[i] == '{' ? pattern.find('}', i) : std::string_view::npos;
    if (end == std::string_view::npos || i + 1 >= end || pattern[i + 1] < '0' || pattern[i + 1] > '3') {
      out += pattern[i];
      continue;
    }
    int64_t value = values[pattern[i + 1] - '0'];
    std::string_view form = pattern.substr(i + 2, end - i - 2);
    if (form == ":f") {
      char digits[40];
      auto r = std::to_chars(digits, digits + sizeof digits, std::bit_cast<double>(value));
      out.append(digits, r.ptr);
    } else {
      out += form == ":u" ? std::to_string(static_cast<uint64_t>(value)) : std::to_string(value);
    }
    i = end;
  }
  return out;
}

// What the language's own compiler says too is said in its words: programs are tested for them.
static std::string message(const FerryFailure &what, int64_t a, int64_t b, int64_t c, int64_t d) {
  auto n = [](int64_t x) { return std::to_string(x); };
  std::string_view text = what.text ? what.text : "";
  switch (what.kind) {
  case FERRY_FAIL_INDEX:
    return "Index [" + n(a) + "] out of bounds for array of shape " + inBrackets({b}) + ".";
  case FERRY_FAIL_INDEX_2D:
    return "Index [" + n(a) + ", " + n(b) + "] out of bounds for array of shape " + inBrackets({c, d}) + ".";
  case FERRY_FAIL_SLICE:
    return "Index [" + n(a) + ":" + n(b) + "] out of bounds for array of shape " + inBrackets({c}) + ".";
  case FERRY_FAIL_SLICE_BY:
    return "Index [" + n(a) + ":" + n(b) + ":" + n(c) + "] out of bounds for array of shape " + inBrackets({d}) + ".";
  case FERRY_FAIL_DIVISION:
    return "division by zero";
  case FERRY_FAIL_ASSERTION:
    return "Assertion is false: " + std::string(text);
  case FERRY_FAIL_RANGE:
    return "Range " + n(a) + ".." + n(b) + std::string(text) + n(c) + " is invalid.";
  case FERRY_FAIL_SHAPE:
    return (text.empty() ? "value" : std::string(text)) + " of length " + n(a) +
           " cannot match shape of type with length " + n(b) + ".";
  case FERRY_FAIL_UNFLATTEN:
    return "Cannot unflatten array of shape " + inBrackets({a}) + " to array of shape " + inBrackets({b, c}) + ".";
  case FERRY_FAIL_EXPONENT:
    return "negative exponent: " + n(a);
  case FERRY_FAIL_NEGATIVE:
    return "negative length: " + n(a);
  default:
    return filled(text, {a, b, c, d});
  }
}

void recordFailure(const FerryFailure &what, const int64_t (&values)[4]) {
  auto [a, b, c, d] = values;
  recordFailure(ProgramError{message(what, a, b, c, d), what.file ? what.file : "", what.line, what.column});
}

} // namespace ferry::runtime

void ferry_rt_fail(FerryContext *, const FerryFailure *what, int64_t a, int64_t b, int64_t c, int64_t d) {
  ferry::runtime::recordFailure(*what, {a, b, c, d});
  ferry::runtime::unwind();
}
