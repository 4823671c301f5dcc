// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside `subset` and `other_subset` a file has `src_subset` and `dst_subset`, the same by their ends, and
// `num_accesses`, the volume. DaCe does not read these back; they are kept the same here, so that other readers are not
// misled.

#include "sdfg/memlet.h"

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

static Error malformed(std::string what) { return {ErrorKind::Malformed, std::move(what)}; }

static Result<std::optional<Subset>> readSubset(const Memlet &memlet, const char *attribute) {
  const Json *json = memlet.attribute(attribute);
  if (!json || json->isNull())
    return std::optional<Subset>();
  Result<Subset> subset = subsetFromJson(*json);
  if (!subset)
    return malformed(std::string("'") + attribute + "': " + subset.error().message);
  return std::optional(std::move(*subset));
}

Result<Memlet> Memlet::fromJson(Json json) {
  Memlet result;
  if (!json.isObject())
    return malformed(std::string("not a memlet but ") + json.kind());
  result.json = std::move(json);
  if (result.type() != "Memlet")
    return malformed("not a memlet but a '" + result.type() + "'");
  if (const Json *data = result.attribute("data"); data && !data->isNull()) {
    if (!data->string())
      return malformed(std::string("'data' is not a name but ") + data->kind());
    result.data = *data->string();
  }
  for (auto [to, attribute] : {std::pair(&result.subset, "subset"), {&result.otherSubset, "other_subset"}}) {
    Result<std::optional<Subset>> subset = readSubset(result, attribute);
    if (!subset)
      return subset.error();
    *to = std::move(*subset);
  }
  result.wcr = result.stringAttribute("wcr");
  result.dynamic = result.flagAttribute("dynamic");
  if (const Json *source = result.attribute("is_data_src"); source && source->boolean())
    result.dataIsSource = *source->boolean();
  if (const Json *volume = result.attribute("volume")) {
    std::string text = volume->string()   ? *volume->string()
                       : volume->number() ? volume->number()->spelling
                                          : std::string();
    Result<Expr> expr = Expr::parse(text);
    if (!expr)
      return malformed("'volume': " + expr.error().message);
    result.volume = *expr;
  }
  return result;
}

static Json subsetJson(const std::optional<Subset> &subset, Dialect dialect) {
  return subset ? toJson(*subset, dialect) : Json();
}

void Memlet::setData(const std::string &name) {
  data = name;
  setAttribute("data", name);
}

void Memlet::setSubset(std::optional<Subset> to, Dialect dialect) {
  subset = std::move(to);
  setAttribute("subset", subsetJson(subset, dialect));
  setAttribute(dataIsSource.value_or(true) ? "src_subset" : "dst_subset", subsetJson(subset, dialect));
}

void Memlet::setOtherSubset(std::optional<Subset> to, Dialect dialect) {
  otherSubset = std::move(to);
  setAttribute("other_subset", subsetJson(otherSubset, dialect));
  setAttribute(dataIsSource.value_or(true) ? "dst_subset" : "src_subset", subsetJson(otherSubset, dialect));
}

void Memlet::setVolume(const Expr &elements, Dialect dialect) {
  volume = elements;
  setAttribute("volume", volume.toString(dialect));
  setAttribute("num_accesses", dynamic ? Json(-1) : Json(volume.toString(dialect)));
}

Memlet Memlet::empty() {
  Memlet result;
  result.json = Object{{"type", "Memlet"}, {"attributes", Object{{"volume", "1"}}}};
  result.volume = 1;
  return result;
}

Memlet Memlet::of(const std::string &data, const Subset &subset, Dialect dialect) {
  Memlet result = empty();
  result.setData(data);
  result.setSubset(subset, dialect);
  result.setVolume(elements(subset), dialect);
  return result;
}

} // namespace ferry::sdfg
