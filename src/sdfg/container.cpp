// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/container.h"

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

static Error malformed(std::string what) { return {ErrorKind::Malformed, std::move(what)}; }

Assumptions sizesOf(const Container &container) {
  Assumptions sizes;
  for (const Expr &extent : container.shape)
    for (const std::string &symbol : extent.freeSymbols())
      sizes.set(symbol, {Expr(0), std::nullopt});
  return sizes;
}

std::vector<Expr> rowMajor(const std::vector<Expr> &shape) {
  std::vector<Expr> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// A list of expressions; empty where it is left out.
static Result<std::vector<Expr>> expressions(const Container &of, const char *attribute) {
  std::vector<Expr> result;
  const Json *json = of.attribute(attribute);
  if (!json || json->isNull())
    return result;
  if (!json->array())
    return malformed(std::string("'") + attribute + "' is not a list but " + json->kind());
  for (const Json &each : *json->array()) {
    std::string text = each.string() ? *each.string() : each.number() ? each.number()->spelling : std::string();
    Result<Expr> expr = Expr::parse(text);
    if (!expr)
      return malformed(std::string("'") + attribute + "': " + expr.error().message);
    result.push_back(*expr);
  }
  return result;
}

static Result<Expr> expression(const Container &of, const char *attribute) {
  const Json *json = of.attribute(attribute);
  if (!json || json->isNull())
    return Expr(0);
  std::string text = json->string() ? *json->string() : json->number() ? json->number()->spelling : std::string();
  Result<Expr> expr = Expr::parse(text);
  if (!expr)
    return malformed(std::string("'") + attribute + "': " + expr.error().message);
  return expr;
}

/// Of DaCe's types: a name, or an object {"type": "vector" | "pointer" | "struct" | ...}.
static std::optional<unsigned> bytesOf(const Json *type, unsigned depth = 0) {
  if (!type || type->isNull())
    return 4; // int32
  if (const std::string *name = type->string()) {
    unsigned bytes = plainTypeBytes(*name);
    return bytes ? std::optional(bytes) : std::nullopt;
  }
  const Json *kind = type->find("type"), *element = type->find("dtype"), *count = type->find("elements");
  if (!kind || !kind->string() || depth > 8)
    return std::nullopt;
  if (*kind->string() == "pointer" || *kind->string() == "callback")
    return 8;
  if (*kind->string() != "vector" || !count || !count->string())
    return std::nullopt;
  std::optional<unsigned> each = bytesOf(element, depth + 1);
  Result<Expr> length = Expr::parse(*count->string());
  std::optional<std::int64_t> number = length ? length->integer() : std::nullopt;
  if (!each || !number || *number < 1 || *number > 1 << 20)
    return std::nullopt;
  return *each * static_cast<unsigned>(*number);
}

static Result<void> readLayout(Container &to) {
  for (auto [member, attribute] : {std::pair(&to.shape, "shape"), {&to.strides, "strides"}, {&to.offset, "offset"}}) {
    Result<std::vector<Expr>> list = expressions(to, attribute);
    if (!list)
      return list.error();
    *member = *list;
  }
  Result<Expr> size = expression(to, "total_size");
  if (!size)
    return size.error();
  to.totalSize = *size;
  if (to.kind->shape != Shape::Array && to.kind->shape != Shape::ContainerArray)
    return {};
  // DaCe's defaults (Array.from_json).
  if (to.offset.empty())
    to.offset.assign(to.shape.size(), 0);
  if (to.strides.empty())
    to.strides = rowMajor(to.shape);
  if (to.totalSize == Expr(0)) {
    to.totalSize = 1;
    for (const Expr &extent : to.shape)
      to.totalSize = to.totalSize * extent;
  }
  if (to.strides.size() != to.shape.size() || to.offset.size() != to.shape.size())
    return malformed("its shape has " + std::to_string(to.shape.size()) + " dimensions, its strides " +
                     std::to_string(to.strides.size()) + " and its offset " + std::to_string(to.offset.size()));
  return {};
}

/// A list of pairs of name and descriptor. What is no descriptor (a number, a symbol) is no container.
static Result<void> readMembers(Container &to) {
  const Json *members = to.attribute("members");
  if (!members || !members->array())
    return {};
  for (const Json &each : *members->array()) {
    const Array *pair = each.array();
    if (!pair || pair->size() != 2 || !(*pair)[0].string())
      return malformed("'members' is not a list of pairs of name and descriptor");
    if (!(*pair)[1].find("type"))
      continue;
    Result<Container> member = Container::fromJson(*(*pair)[0].string(), (*pair)[1]);
    if (!member)
      return malformed("member '" + *(*pair)[0].string() + "': " + member.error().message);
    to.members.push_back(std::move(*member));
  }
  return {};
}

Result<Container> Container::fromJson(std::string name, Json json) {
  Container result;
  result.name = std::move(name);
  if (!json.isObject())
    return malformed(std::string("not a descriptor but ") + json.kind());
  result.json = std::move(json);
  result.kind = containerKind(result.type());
  if (!result.kind)
    return malformed("no kind of container is called '" + result.type() + "'");
  std::string storage = result.stringAttribute("storage").value_or("Default");
  result.storage = storageKind(storage);
  if (!result.storage)
    return malformed("no storage type is called '" + storage + "'");
  result.transient = result.flagAttribute("transient");
  result.elementBytes = bytesOf(result.attribute("dtype"));
  if (Result<void> read = readLayout(result); !read)
    return read.error();
  if (Result<void> read = readMembers(result); !read)
    return read.error();
  return result;
}

std::string Container::elementType() const {
  const Json *type = attribute("dtype");
  if (!type || type->isNull())
    return "int32"; // DaCe leaves out its default
  return type->string() ? *type->string() : "";
}

std::optional<Expr> Container::bytes() const {
  if (!elementBytes)
    return std::nullopt;
  if (kind->shape == Shape::Scalar)
    return Expr(static_cast<std::int64_t>(*elementBytes));
  if (kind->shape == Shape::Array)
    return totalSize * Expr(static_cast<std::int64_t>(*elementBytes));
  return std::nullopt;
}

const Container *Container::member(std::string_view name) const {
  for (const Container &each : members)
    if (each.name == name)
      return &each;
  return nullptr;
}

void Container::setStorage(std::string_view name) {
  storage = storageKind(name);
  setAttribute("storage", std::string(name));
}

void Container::setTransient(bool to) {
  transient = to;
  setAttribute("transient", to);
}

} // namespace ferry::sdfg
