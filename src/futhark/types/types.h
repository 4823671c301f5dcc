// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, sizes and bindings of a checked program.
//
// A type may mention the type parameters and sizes of the definitions around it. Whoever evaluates a definition keeps
// an environment that gives every `TypeParam` a type without type parameters, and every size `Binding` an i64.
// Types are immutable once a program is checked, are shared, and live as long as the `typed::Program`.
#pragma once

#include "futhark/syntax/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ferry::futhark::typed {
struct Expr;
struct Definition;
} // namespace ferry::futhark::typed

namespace ferry::futhark::types {

enum class Prim : uint8_t { I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, Bool };

std::string_view name(Prim prim);
std::optional<Prim> primNamed(std::string_view name);
bool isSigned(Prim prim);   ///< i8 to i64
bool isUnsigned(Prim prim); ///< u8 to u64
bool isInteger(Prim prim);
bool isFloat(Prim prim);
unsigned bitWidth(Prim prim); ///< 8 for bool

/// What a type variable may stand for, from the narrowest: no functions and no unknown sizes; no functions; anything.
enum class Lifting : uint8_t { Unlifted, SizeLifted, FullyLifted };

struct Binding;
struct Type;
using TypeRef = const Type *;

/// A type parameter `'t` of a definition, or one that inference added.
struct TypeParam {
  uint32_t id;
  std::string name;
  Lifting lifting = Lifting::Unlifted;
  SourceRange range;
};

struct SizeVariable; ///< Inference's own; not in checked programs.

/// An array size.
struct Size {
  enum class Kind : uint8_t {
    Constant,   ///< `constant`
    Variable,   ///< the value of `variable`, of type i64
    Expression, ///< the value of `expression`, of type i64, which consumes nothing and binds no names
    Inferred,   ///< not in checked programs
  };
  Kind kind = Kind::Constant;
  int64_t constant = 0;
  const Binding *variable = nullptr;
  const typed::Expr *expression = nullptr;
  SizeVariable *inferred = nullptr;
};

struct ArrayType {
  Size size;
  TypeRef element;
};
struct Field {
  std::string name;
  TypeRef type;
};
/// Fields are sorted: numbers by value, then names. A tuple has the fields "0", "1", ...; `()` has none.
struct RecordType {
  std::vector<Field> fields;
};
struct Constructor {
  std::string name; ///< Without `#`.
  std::vector<TypeRef> payload;
};
/// Constructors are sorted by name.
struct SumType {
  std::vector<Constructor> constructors;
};
/// `(parameterName: parameter) -> ?[existentials].result`. The result's sizes may mention `parameterName`, which is
/// null if the parameter has no name. `Unique` types occur in `result` only.
struct FunctionType {
  const Binding *parameterName;
  bool consumes; ///< The argument may not be used after the call.
  TypeRef parameter;
  std::vector<const Binding *> existentials;
  TypeRef result;
};
struct ParamType {
  const TypeParam *param;
};
/// A type whose definition a module hides.
struct AbstractType {
  uint32_t id;
  std::string name; ///< Qualified as at its definition.
  Lifting lifting = Lifting::Unlifted;
  std::vector<const TypeParam *> typeParams; ///< Parameters in `representation`, in order.
  std::vector<const Binding *> sizeParams;
  TypeRef representation = nullptr; ///< Null only in bodies of unapplied parametric modules, which are not lowered.
};
struct AbstractRef {
  const AbstractType *type;
  std::vector<TypeRef> typeArguments;
  std::vector<Size> sizeArguments;
};
/// `*t` in a function's result.
struct UniqueType {
  TypeRef inner;
};
struct TypeVariable; ///< Inference's own; not in checked programs.
struct InferredType {
  TypeVariable *variable;
};

struct Type {
  std::variant<Prim, ArrayType, RecordType, SumType, FunctionType, ParamType, AbstractRef, UniqueType, InferredType>
      node;
};

template <typename Alternative> bool is(TypeRef type) { return std::holds_alternative<Alternative>(type->node); }
/// Null if the type is of another alternative.
template <typename Alternative> const Alternative *as(TypeRef type) { return std::get_if<Alternative>(&type->node); }

/// `forall typeParams sizeParams. type`.
struct Scheme {
  std::vector<const TypeParam *> typeParams;
  std::vector<const Binding *> sizeParams;
  TypeRef type = nullptr;
};

/// A name for a value. Two bindings of the same name are two objects; identity is the address.
struct Binding {
  enum class Kind : uint8_t {
    Definition, ///< top level, also of a module: `definition` is set
    Local,      ///< parameter, `let`, `loop`, `match`
    Size,       ///< size parameter or unknown size; of type i64
    Intrinsic,  ///< built-in operation named `name`, e.g. "map", "f64.sqrt"
  };
  uint32_t id = 0;
  Kind kind = Kind::Local;
  std::string name; ///< For messages; definitions in modules and intrinsics are qualified: "m.x".
  SourceRange range;
  Scheme scheme;
  const typed::Definition *definition = nullptr;
};

bool isTuple(const RecordType &record);
/// The type without `Unique` at its root.
TypeRef withoutUnique(TypeRef type);
/// As in source, e.g. "[n][3](i32, {x: f64})".
std::string toString(TypeRef type);
std::string toString(const Size &size);

} // namespace ferry::futhark::types
