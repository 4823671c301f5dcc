// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expression evaluates to while a program is lowered. Functions, records and arrays of records exist only here;
// scalars and arrays of scalars are SSA values.
#pragma once

#include "futhark/types/typed.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>
#include <memory>

namespace ferry::futhark::lowering {

using types::Binding;
using types::Prim;
using types::TypeRef;

class Environment;
struct Closure;
struct ConcreteType;
using ConcreteRef = std::shared_ptr<const ConcreteType>;

/// A value, arrays of records being records of arrays. `[n](a, [m]b)` is
///   array(n, record{leaf of [n]a, array(m, leaf of [n][m]b)}):
/// a leaf is an SSA value with one dimension for each array around it within this value. The unit `()` is a record with
/// a leaf of its own, a bool, so that the sizes of arrays of it are known wherever their leaves are.
struct Value {
  enum class Kind : uint8_t { Leaf, Array, Record, Function };
  Kind kind = Kind::Record;
  /// A leaf's SSA value; an array's size, an i64, or null where only the leaves tell.
  mlir::Value handle;
  std::vector<Value> parts; ///< An array's element; a record's fields; a sum's tag and payloads.
  std::shared_ptr<const Closure> closure;

  static Value leaf(mlir::Value value);
  static Value array(mlir::Value size, Value element);
  static Value record(std::vector<Value> fields);
  static Value function(Closure closure);

  bool isLeaf() const { return kind == Kind::Leaf; }
  bool isArray() const { return kind == Kind::Array; }
  bool isFunction() const { return kind == Kind::Function; }
};

/// A type argument: no type parameters, sizes evaluated. Sizes that are not known are null.
struct ConcreteType {
  struct Array {
    mlir::Value size;
    ConcreteRef element;
  };
  struct Record {
    std::vector<ConcreteRef> fields;
  };
  struct Sum {
    std::vector<std::vector<ConcreteRef>> constructors;
  };
  struct Function {};
  std::variant<Prim, Array, Record, Sum, Function> node;
};

/// Whether it is the type of `()`.
bool isUnit(const ConcreteType &type);

/// A function with what it needs, short of some arguments.
struct Closure {
  /// Exactly one of the two is set.
  const typed::Function *function = nullptr;
  const Binding *intrinsic = nullptr;

  const typed::Definition *definition = nullptr; ///< If the function is of the top level.
  Environment *environment = nullptr;            ///< Of the function's definition.
  bool checked = true;                           ///< False if written under `#[unsafe]`.
  llvm::SmallVector<ConcreteRef, 2> typeArguments;
  llvm::SmallVector<mlir::Value, 2> sizeArguments; ///< Null where not known.
  std::vector<Value> arguments;                    ///< Fewer than it has parameters.
};

/// The names in scope in one evaluation of a function's body.
class Environment {
public:
  explicit Environment(const Environment *outer) : outer(outer) {}

  void bind(const Binding *name, Value value) { values[name] = std::move(value); }
  void bind(const types::TypeParam *name, ConcreteRef type) { typeArguments[name] = std::move(type); }
  /// Null if the name has no value.
  const Value *find(const Binding *name) const;
  ConcreteRef find(const types::TypeParam *name) const;

private:
  const Environment *outer;
  /// Most hold a few names, and there may be one for each of a million applications.
  llvm::SmallDenseMap<const Binding *, Value, 4> values;
  llvm::SmallDenseMap<const types::TypeParam *, ConcreteRef, 2> typeArguments;
};

/// The first leaf in `value`, and the number of arrays of `value` around it. Null if there is none.
struct LeafAt {
  mlir::Value leaf;
  unsigned arrays = 0;
};
LeafAt firstLeaf(const Value &value);

/// The leaves in order. False if there is a function among them.
bool appendLeaves(const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves);

/// The same structure with other leaves, taken from the front of `leaves`. Sizes stay if `keep` says so.
Value withLeaves(const Value &shape, mlir::ValueRange &leaves, llvm::function_ref<bool(mlir::Value)> keep);

/// The same structure and sizes, each leaf replaced.
Value eachLeaf(const Value &value, llvm::function_ref<mlir::Value(mlir::Value)> replace);

} // namespace ferry::futhark::lowering
