// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

/// \file
/// Every storage type, schedule and kind of container of DaCe, from dace/dtypes.py and dace/data.py of 1.0.2 and of 2.0
/// (August 2026), and what each means here.
namespace ferry::sdfg {

/// Where a storage type is, or what a schedule runs on.
enum class Location : std::uint8_t {
  Open,     ///< Follows from what is around it ("Default").
  Host,     ///< Pinned memory included.
  Device,   ///< GPU memory; a kernel.
  InKernel, ///< Within a kernel: shared memory, thread blocks.
  Local,    ///< Registers and the stack, or code in one thread: wherever its scope is.
  Other,    ///< Another accelerator or another process: refused by name.
};

struct StorageKind {
  std::string_view name;
  Location location;
};

struct ScheduleKind {
  std::string_view name;
  Location location;
};

/// Null for a name that DaCe does not have.
const StorageKind *storageKind(std::string_view name);
const ScheduleKind *scheduleKind(std::string_view name);

enum class Shape : std::uint8_t { Scalar, Array, Stream, Structure, ContainerArray };
/// A view aliases the container it is connected to; a reference whatever it was last set to.
enum class Ownership : std::uint8_t { Owner, View, Reference };

struct ContainerKind {
  std::string_view name;
  Shape shape;
  Ownership ownership;
};

const ContainerKind *containerKind(std::string_view name);

/// Bytes of one element of a plain type ("float64"); 0 for one whose size is not known here.
unsigned plainTypeBytes(std::string_view name);

} // namespace ferry::sdfg
