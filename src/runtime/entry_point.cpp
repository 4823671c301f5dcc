// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/entry_point.h"

#include "runtime/machine_memory.h"

#include <chrono>
#include <cstring>
#include <unistd.h>

namespace ferry::runtime {

//===- As bytes ---------------------------------------------------------------------------------------------------===//

static void write(const std::vector<ExpectedValue> &types, ByteWriter &to) {
  to.number(static_cast<int64_t>(types.size()));
  for (const ExpectedValue &type : types) {
    to.number(static_cast<int64_t>(type.type));
    to.number(type.rank);
  }
}

static std::vector<ExpectedValue> readTypes(ByteReader &from) {
  std::vector<ExpectedValue> types(static_cast<size_t>(from.count()));
  for (ExpectedValue &type : types) {
    type.type = static_cast<ElementType>(from.number());
    type.rank = from.number();
  }
  return types;
}

void write(const EntryPoint &entry, ByteWriter &to) {
  to.text(entry.signature.name);
  write(entry.signature.parameters, to);
  for (bool isConsumed : entry.signature.isConsumed)
    to.number(isConsumed);
  write(entry.signature.results, to);
  to.number(static_cast<int64_t>(entry.parameters.size()));
  for (const Parameter &parameter : entry.parameters) {
    to.text(parameter.name);
    to.text(parameter.typeName);
    to.number(parameter.values);
  }
}

EntryPoint readEntryPoint(ByteReader &from) {
  EntryPoint entry;
  entry.signature.name = from.text();
  entry.signature.parameters = readTypes(from);
  for (size_t i = 0; i < entry.signature.parameters.size(); ++i)
    entry.signature.isConsumed.push_back(from.number() != 0);
  entry.signature.results = readTypes(from);
  entry.parameters.resize(static_cast<size_t>(from.count()));
  for (Parameter &parameter : entry.parameters) {
    parameter.name = from.text();
    parameter.typeName = from.text();
    parameter.values = from.number();
  }
  return entry;
}

//===- Reading arguments ------------------------------------------------------------------------------------------===//

static const char *const inputName = "<stdin>";

static std::string describe(const Parameter &parameter, size_t number) {
  std::string text = "argument " + std::to_string(number + 1);
  if (!parameter.name.empty())
    text += " (" + parameter.name + ": " + parameter.typeName + ")";
  return text;
}

std::optional<std::vector<Value>> readArguments(const EntryPoint &entry, std::string &error) {
  std::vector<Value> values;
  if (entry.parameters.empty())
    return values;
  auto input = InputBytes::fromDescriptor(STDIN_FILENO, error);
  if (!input) {
    error = std::string(inputName) + ": error: " + error;
    return std::nullopt;
  }
  const std::string &name = entry.signature.name;
  ValueReader reader(input->view());
  for (size_t i = 0; i < entry.parameters.size(); ++i)
    for (int64_t part = 0; part < entry.parameters[i].values; ++part) {
      auto value = reader.next(entry.signature.parameters[values.size()]);
      if (!value) {
        error = reader.error().text(inputName) + "\n" + inputName + ": note: reading " +
                describe(entry.parameters[i], i) + " of " + std::to_string(entry.parameters.size()) + " to '" + name +
                "'";
        return std::nullopt;
      }
      values.push_back(std::move(*value));
    }
  if (!reader.atEnd()) {
    error = reader.here("more values than '" + name + "' has parameters, " + std::to_string(entry.parameters.size()))
                .text(inputName);
    return std::nullopt;
  }
  return values;
}

//===- Calling ----------------------------------------------------------------------------------------------------===//

namespace {

std::string mismatch(const Signature &entry, std::span<const Value> arguments) {
  if (arguments.size() != entry.parameters.size())
    return "entry '" + entry.name + "' takes " + std::to_string(entry.parameters.size()) + " arguments, not " +
           std::to_string(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ExpectedValue &wanted = entry.parameters[i];
    if (arguments[i].type == wanted.type && arguments[i].rank() == wanted.rank)
      continue;
    std::string type;
    for (int64_t d = 0; d < wanted.rank; ++d)
      type += "[]";
    return "argument " + std::to_string(i + 1) + " of entry '" + entry.name + "' is a " + type +
           std::string(spelling(wanted.type)) + ", not a " + typeSpelling(arguments[i].type, arguments[i].shape);
  }
  return "";
}

using Slots = std::vector<uint64_t>;

// Blocks that hold copies of arguments that are consumed, or out of whose reach some code is to be kept; for as long as
// it lives.
class ArgumentCopies {
public:
  explicit ArgumentCopies(FerryContext &context) : context(context) {}
  ~ArgumentCopies() {
    for (void *block : blocks)
      releaseBlock(context, block);
  }
  const void *copy(const Value &value) {
    void *block = hostBlock(context, static_cast<int64_t>(value.data.size()), nullptr);
    if (!block)
      return nullptr;
    blocks.push_back(block);
    if (!value.data.empty())
      std::memcpy(block, value.data.data(), value.data.size());
    return block;
  }

private:
  FerryContext &context;
  std::vector<void *> blocks;
};

void addScalar(Slots &slots, const Value &value) {
  uint64_t slot = 0;
  std::memcpy(&slot, value.data.data(), value.data.size());
  slots.push_back(slot);
}

// Reads a result from its slots, gives its block back, and moves on. Nothing if there is no memory for it: it takes
// `bytes`.
std::optional<Value> takeResult(const ExpectedValue &type, const uint64_t *&slot, FerryContext &context,
                                int64_t &bytes) {
  Value value;
  if (type.rank == 0) {
    value = Value::withShape(type.type, {});
    std::memcpy(value.data.data(), slot++, value.data.size());
    return value;
  }
  void *block = reinterpret_cast<void *>(*slot++);
  const void *data = reinterpret_cast<const void *>(*slot++);
  std::vector<int64_t> shape(slot, slot + type.rank);
  slot += type.rank;
  constexpr int64_t worthAsking = int64_t(1) << 26;
  bytes = checkedElements(type.type, shape).value_or(0) * byteSize(type.type);
  if (bytes > worthAsking && bytes > availableMemory())
    return std::nullopt;
  value = Value::withShape(type.type, std::move(shape));
  if (!value.data.empty())
    std::memcpy(value.data.data(), data, value.data.size());
  if (block)
    releaseBlock(context, block);
  return value;
}

} // namespace

std::optional<Run> call(const Signature &entry, EntryFunction function, std::span<const Value> arguments,
                        FerryContext &context, ProgramError &error) {
  error = {};
  error.message = mismatch(entry, arguments);
  if (!error.message.empty())
    return std::nullopt;
  Slots slots;
  ArgumentCopies copies(context);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Value &value = arguments[i];
    if (value.rank() == 0) {
      addScalar(slots, value);
      continue;
    }
    bool isCopied = entry.isConsumed[i] || hasHostArena(context);
    const void *data = isCopied ? copies.copy(value) : value.data.data();
    if (isCopied && !data) {
      error.message = "not enough host memory for argument " + std::to_string(i + 1) + ": " +
                      std::to_string(value.data.size()) + " bytes are asked for";
      return std::nullopt;
    }
    slots.push_back(reinterpret_cast<uint64_t>(data));
    slots.insert(slots.end(), value.shape.begin(), value.shape.end());
  }
  size_t first = slots.size();
  for (const ExpectedValue &type : entry.results)
    slots.resize(slots.size() + (type.rank == 0 ? 1 : 2 + type.rank));
  Run done;
  auto begin = std::chrono::steady_clock::now();
  if (!run(context, function, slots.data(), error))
    return std::nullopt;
  done.microseconds = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  const uint64_t *slot = slots.data() + first;
  for (const ExpectedValue &type : entry.results) {
    int64_t bytes = 0;
    auto result = takeResult(type, slot, context, bytes);
    if (!result) {
      error.message = "not enough host memory for result " + std::to_string(done.results.size() + 1) + ": " +
                      std::to_string(bytes) + " bytes are asked for";
      return std::nullopt;
    }
    done.results.push_back(std::move(*result));
  }
  return done;
}

} // namespace ferry::runtime
