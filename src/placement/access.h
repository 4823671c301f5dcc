// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/box.h"
#include "placement/number.h"

#include <cstdint>
#include <optional>
#include <string>

/// \file
/// What the two forms of a placement problem, the tree (problem.h) and the graph (graph.h), have in common: arrays and
/// how operations and controls use them.
namespace ferry::placement {

/// Index of an array in Problem::arrays or Graph::arrays. Lowering a problem to its graph keeps the indices.
using ArrayId = std::uint32_t;
/// None, of every kind of index in this library: arrays, points, edges, regions, slots, calls.
inline constexpr std::uint32_t kNone = 0xffffffffu;

/// A number the caller gives a statement to find it again in the plan. 0: not to be found.
using Tag = std::uint64_t;

enum class Side : std::uint8_t { Host, Device };
/// Where an operation runs. Both: once on each side, which only a pure operation may.
enum class Sides : std::uint8_t { Host, Device, Both };
enum class Direction : std::uint8_t { HostToDevice, DeviceToHost };

const char *toString(Side side);
const char *toString(Sides sides);
const char *toString(Direction direction);

/// An array, as one allocation with at most one copy on each side. Names that may share memory are one array: make one
/// of them the unit and let the others name it in `aliasOf`.
struct Array {
  std::string name;
  std::int64_t bytes = 0;
  /// Where an argument is valid at entry (there only), and where a result has to be valid at every exit.
  Side home = Side::Host;
  bool argument = false;
  bool result = false;
  /// Price of copying the whole array once, in picoseconds. Absent: what the machine asks for `bytes`.
  std::optional<Time> h2d, d2h;
  /// A scalar that rides to a kernel as a launch argument: a device read of it is content with the host copy, unless a
  /// write inside the same kernel reaches it. `h2d` is then the price of putting it into device memory all the same.
  bool byValue = false;
  /// The shape, from 0 in each dimension, for programs that say which elements they use. Absent: boxes on uses of this
  /// array are refused. `bytes` must be a multiple of the number of elements.
  std::optional<Box> extent;
  /// The unit that this array is a view of or may be the same as. Such an array has no copies, home or price of its
  /// own. `aliasBox` is the part of the unit it stands for; absent: any part. If it covers the unit, a whole write
  /// covers it too.
  std::optional<ArrayId> aliasOf;
  std::optional<Box> aliasBox;
};

/// Who reads an operand.
enum class Operand : std::uint8_t {
  Operation, ///< The side that the operation runs on.
  Host,      ///< The host whatever runs (a launch size, a BLAS scalar); the operation can be inside no kernel.
  Device,    ///< Device memory, whatever runs.
  Launcher,  ///< Whoever launches: the host, or the device when inside a region's kernel.
};

struct Read {
  ArrayId array = kNone;
  Operand operand = Operand::Operation;
  /// Price of the host fetching what it needs from a device copy across the bus. Absent: it cannot.
  std::optional<Time> peek;
  /// Price of fetching what a device read needs from the host copy: right before the operation, and for it alone. The
  /// device copy does not become valid by it; if it is not valid, nobody misses what was in its place. Only outside of
  /// regions' kernels, and not of what lives from trip to trip of a parallel loop around. Absent: it cannot.
  std::optional<Time> fetch;
  /// The elements read; absent: any.
  std::optional<Box> box;
};

struct Write {
  ArrayId array = kNone;
  /// Every element is overwritten, whatever happens (must-write). Otherwise a part is updated, and the rest keeps its
  /// value. An update is no read; if the operation also reads the array, say so.
  bool whole = false;
  /// Update only: price of the host also updating the device copy (poke), of the device also updating the host copy
  /// (push). Absent: it cannot.
  std::optional<Time> poke, push;
  /// The elements written, all of them; absent: all if `whole`, else unknown ones.
  std::optional<Box> box;
};

/// {destination: source} at a join or on a loop's edges: from here on `destination` is the value that `source` had. All
/// of an edge's assignments happen at once. A source may be named twice and may stay in use under its own name.
struct Rename {
  ArrayId destination = kNone;
  ArrayId source = kNone;
};

/// What running an operation, or evaluating a control, asks for.
struct Cost {
  Time host = 0;   ///< On the host.
  Time device = 0; ///< As a kernel of its own, without the launch. Unused for controls.
  Time inner = 0;  ///< Inside the kernel of the region around it.
  /// Of an operation's own kernel; absent: the machine's. 0 for what needs no launch, such as an allocation.
  std::optional<Time> launch;
};

} // namespace ferry::placement
