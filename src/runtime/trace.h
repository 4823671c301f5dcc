// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run took in real time, by operation and by copy. Kernels and copies are waited for, so that each has a time
// of its own; host code belongs to the operation that last began, until something crosses the bus, is launched, or the
// run ends.

#pragma once

#include "runtime/abi.h"
#include "runtime/context.h"

#include <chrono>
#include <map>
#include <vector>

namespace ferry::runtime {

class Trace {
public:
  /// An operation of the host begins.
  void host(const FerryOperation &operation);

  /// The host stops computing, for what `crossed` or `launched` then names.
  void pause();
  /// Something is on the other side since the last pause. Of a peek or poke `operation` is the host's, which goes on.
  void crossed(Measured::Kind kind, const char *array, const FerryOperation *operation, int64_t bytes);
  /// A kernel has ended.
  void launched(const FerryOperation &operation, int64_t bytes);

  /// The run ends.
  void end();

  std::vector<Measured> take();

private:
  using Clock = std::chrono::steady_clock;
  Measured &at(Measured::Kind kind, const void *identity, const char *name, const FerryOperation *operation);
  void add(Measured &to, int64_t bytes);

  const FerryOperation *current = nullptr; ///< of the host, since `began`; null: none that has a name
  Clock::time_point began;
  std::map<std::pair<Measured::Kind, const void *>, size_t> places; ///< by what is a constant of the program
  std::vector<Measured> all;
};

} // namespace ferry::runtime
