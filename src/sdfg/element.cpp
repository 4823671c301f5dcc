// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/element.h"

namespace ferry::sdfg {

const Json &Element::attributes() const {
  static const Json none = Object{};
  const Json *found = json.find("attributes");
  return found && found->isObject() ? *found : none;
}

std::optional<std::string> Element::stringAttribute(std::string_view name) const {
  const Json *found = attribute(name);
  return found && found->string() ? std::optional(*found->string()) : std::nullopt;
}

bool Element::flagAttribute(std::string_view name, bool otherwise) const {
  const Json *found = attribute(name);
  return found && found->boolean() ? *found->boolean() : otherwise;
}

void Element::setAttribute(std::string_view name, Json value) {
  if (Json *found = json.find("attributes"); found && found->isObject())
    found->set(name, std::move(value));
  else
    json.set("attributes", Object{{std::string(name), std::move(value)}});
}

void Element::dropAttribute(std::string_view name) {
  if (Json *found = json.find("attributes"))
    found->erase(name);
}

std::string Element::type() const {
  const Json *found = json.find("type");
  return found && found->string() ? *found->string() : std::string();
}

std::optional<Code> Code::fromJson(const Json *json) {
  const Json *text = json ? json->find("string_data") : nullptr;
  if (!text || !text->string())
    return std::nullopt;
  Code code{*text->string()};
  if (const Json *language = json->find("language"); language && language->string())
    code.language = *language->string();
  return code;
}

} // namespace ferry::sdfg
