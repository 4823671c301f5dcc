// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/element.h"
#include "sdfg/kinds.h"
#include "sdfg/subset.h"

#include <optional>
#include <string>
#include <vector>

namespace ferry::sdfg {

/// A data descriptor (dace/data.py) with its name. The members are as DaCe has them after reading: what the file leaves
/// out is filled in with DaCe's defaults. They are for reading; the functions change them together with the JSON.
struct Container : Element {
  std::string name;
  const ContainerKind *kind = nullptr;
  const StorageKind *storage = nullptr;
  bool transient = false;
  std::vector<Expr> shape;
  std::vector<Expr> strides, offset;    ///< Arrays and container arrays, and views and references of them.
  Expr totalSize;                       ///< In elements, of the allocation.
  std::optional<unsigned> elementBytes; ///< Absent where DaCe's type does not say: structures, opaque types.
  std::vector<Container> members;       ///< Of a structure.

  bool isArray() const { return kind->shape == Shape::Array; }
  bool isScalar() const { return kind->shape == Shape::Scalar; }
  bool isStream() const { return kind->shape == Shape::Stream; }
  bool isView() const { return kind->ownership == Ownership::View; }
  bool isReference() const { return kind->ownership == Ownership::Reference; }
  /// Whether its storage says so.
  bool isOnDevice() const { return storage && storage->location == Location::Device; }
  /// In bytes; absent where `elementBytes` is. Of a scalar, one element.
  std::optional<Expr> bytes() const;
  /// DaCe's name of the type of its elements, "float64"; empty if they are of none of its plain types.
  std::string elementType() const;
  const Container *member(std::string_view name) const;

  /// `name` must be a storage type of DaCe.
  void setStorage(std::string_view name);
  void setTransient(bool to);

  /// From a descriptor object; the message of an error says what is wrong, not of which container.
  static placement::Result<Container> fromJson(std::string name, Json json);
};

/// What is taken to be known of the symbols in a container's shape: sizes are 0 or more.
Assumptions sizesOf(const Container &container);

/// Row-major strides of a shape.
std::vector<Expr> rowMajor(const std::vector<Expr> &shape);

} // namespace ferry::sdfg
