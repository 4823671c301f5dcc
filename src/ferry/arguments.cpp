// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/arguments.h"

#include "ferry/files.h"
#include "ferry/options.h"

#include <unistd.h>

namespace ferry {

namespace {

using futhark::types::Prim;
using runtime::ElementType;

const char *const inputName = "<stdin>";

std::string describe(const futhark::EntryValue &parameter, size_t number) {
  std::string text = "argument " + std::to_string(number + 1);
  if (!parameter.name.empty())
    text += " (" + parameter.name + ": " + parameter.typeName + ")";
  return text;
}

} // namespace

ElementType elementType(Prim prim) {
  switch (prim) {
  case Prim::I8:
    return ElementType::i8;
  case Prim::I16:
    return ElementType::i16;
  case Prim::I32:
    return ElementType::i32;
  case Prim::I64:
    return ElementType::i64;
  case Prim::U8:
    return ElementType::u8;
  case Prim::U16:
    return ElementType::u16;
  case Prim::U32:
    return ElementType::u32;
  case Prim::U64:
    return ElementType::u64;
  case Prim::F16:
    return ElementType::f16;
  case Prim::F32:
    return ElementType::f32;
  case Prim::F64:
    return ElementType::f64;
  case Prim::Bool:
    return ElementType::boolean;
  }
  return ElementType::i32;
}

codegen::Entry codegenEntry(const futhark::EntryPoint &entry) {
  codegen::Entry result{entry.name, {}, {}};
  auto add = [](std::vector<runtime::ExpectedValue> &list, const std::vector<futhark::EntryValue> &values) {
    for (const futhark::EntryValue &value : values)
      for (const futhark::EntryComponent &component : value.components)
        list.push_back({elementType(component.prim), component.rank});
  };
  add(result.parameters, entry.parameters);
  add(result.results, entry.results);
  return result;
}

std::optional<std::vector<runtime::Value>> readArguments(const futhark::EntryPoint &entry, std::string &error) {
  std::vector<runtime::Value> values;
  if (entry.parameters.empty())
    return values;
  auto input = runtime::InputBytes::fromDescriptor(STDIN_FILENO, error);
  if (!input) {
    error = std::string(inputName) + ": error: " + error;
    return std::nullopt;
  }
  runtime::ValueReader reader(input->view());
  for (size_t i = 0; i < entry.parameters.size(); ++i)
    for (const futhark::EntryComponent &component : entry.parameters[i].components) {
      auto value = reader.next(runtime::ExpectedValue{elementType(component.prim), component.rank});
      if (!value) {
        error = reader.error().text(inputName) + "\n" + inputName + ": note: reading " +
                describe(entry.parameters[i], i) + " of " + std::to_string(entry.parameters.size()) + " to '" +
                entry.name + "'";
        return std::nullopt;
      }
      values.push_back(std::move(*value));
    }
  if (!reader.atEnd()) {
    error =
        reader.here("more values than '" + entry.name + "' has parameters, " + std::to_string(entry.parameters.size()))
            .text(inputName);
    return std::nullopt;
  }
  return values;
}

int writeResults(const std::vector<runtime::Value> &results, bool binary) {
  int status = exitSuccess;
  for (size_t i = 0; i < results.size() && status == exitSuccess; ++i) {
    std::string text;
    if (binary) {
      runtime::writeBinary(results[i], text);
    } else {
      runtime::writeText(results[i], text);
      text += '\n';
    }
    status = writeOutput(text);
  }
  return status;
}

} // namespace ferry
