// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/unify.h"

namespace ferry::futhark::types {

namespace {

// Joins two types part by part; the same two differing sizes become the same unknown size.
class Joiner {
public:
  Joiner(typed::Arena &arena, Unifier &unifier, const std::function<const Binding *()> &unknown)
      : arena(arena), unifier(unifier), unknown(unknown) {}

  TypeRef join(TypeRef left, TypeRef right) {
    left = withoutUnique(left);
    right = withoutUnique(right);
    if (left == right)
      return left;
    if (const auto *leftArray = as<ArrayType>(left))
      if (const auto *rightArray = as<ArrayType>(right)) {
        TypeRef element = join(leftArray->element, rightArray->element);
        return element ? arena.array(joinSizes(leftArray->size, rightArray->size), element) : nullptr;
      }
    if (const auto *leftRecord = as<RecordType>(left))
      if (const auto *rightRecord = as<RecordType>(right))
        if (TypeRef result = joinRecords(*leftRecord, *rightRecord))
          return result;
    if (const auto *leftSum = as<SumType>(left))
      if (const auto *rightSum = as<SumType>(right))
        if (TypeRef result = joinSums(*leftSum, *rightSum))
          return result;
    if (isOpenSum(left) && is<SumType>(right))
      return joinOpenSum(left, right, [&](TypeRef closed) { return join(closed, right); });
    if (is<SumType>(left) && isOpenSum(right))
      return joinOpenSum(right, left, [&](TypeRef closed) { return join(left, closed); });
    return unifier.unify(left, right) ? left : nullptr;
  }

private:
  Size joinSizes(const Size &left, const Size &right) {
    Size a = resolve(left), b = resolve(right);
    if (equal(a, b))
      return a;
    if (a.kind == Size::Kind::Inferred || b.kind == Size::Kind::Inferred) {
      Unifier attempt = unifier;
      if (attempt.unifySizes(a, b))
        return resolve(a);
    }
    for (const auto &[first, second, joined] : pairs)
      if (equal(first, a) && equal(second, b))
        return variableSize(joined);
    const Binding *joined = unknown();
    pairs.emplace_back(a, b, joined);
    return variableSize(joined);
  }

  // Null if the fields differ or cannot be joined.
  TypeRef joinRecords(const RecordType &left, const RecordType &right) {
    if (left.fields.size() != right.fields.size())
      return nullptr;
    RecordType result;
    for (size_t i = 0; i < left.fields.size(); ++i) {
      TypeRef type =
          left.fields[i].name == right.fields[i].name ? join(left.fields[i].type, right.fields[i].type) : nullptr;
      if (!type)
        return nullptr;
      result.fields.push_back({left.fields[i].name, type});
    }
    return arena.type(std::move(result));
  }

  static bool isOpenSum(TypeRef type) {
    const auto *inferred = as<InferredType>(type);
    return inferred && !inferred->variable->constructors.empty();
  }

  // A type known by some constructors only becomes the other sum with sizes of its own, which are joined.
  TypeRef joinOpenSum(TypeRef open, TypeRef sum, const std::function<TypeRef(TypeRef)> &joinClosed) {
    unsigned level = as<InferredType>(open)->variable->level;
    TypeRef closed = mapSizes(arena, sum, [&](const Size &) { return inferredSize(arena.sizeVariable({}, level)); });
    return unifier.unify(open, closed) ? joinClosed(closed) : nullptr;
  }

  TypeRef joinSums(const SumType &left, const SumType &right) {
    if (left.constructors.size() != right.constructors.size())
      return nullptr;
    SumType result = left;
    for (size_t i = 0; i < left.constructors.size(); ++i) {
      const Constructor &a = left.constructors[i], &b = right.constructors[i];
      if (a.name != b.name || a.payload.size() != b.payload.size())
        return nullptr;
      for (size_t j = 0; j < a.payload.size(); ++j) {
        TypeRef type = join(a.payload[j], b.payload[j]);
        if (!type)
          return nullptr;
        result.constructors[i].payload[j] = type;
      }
    }
    return arena.type(std::move(result));
  }

  typed::Arena &arena;
  Unifier &unifier;
  const std::function<const Binding *()> &unknown;
  std::vector<std::tuple<Size, Size, const Binding *>> pairs;
};

} // namespace

TypeRef Unifier::join(TypeRef left, TypeRef right, const std::function<const Binding *()> &unknown) {
  return Joiner(arena, *this, unknown).join(left, right);
}

} // namespace ferry::futhark::types
