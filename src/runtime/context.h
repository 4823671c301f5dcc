// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context: the device, the memory, the clock and the counters of one or more runs of compiled code. Whoever calls the
// code makes one, calls `run`, and reads the report; the code itself sees it through abi.h.

#pragma once

#include "placement/machine.h"
#include "runtime/abi.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::runtime {

enum class DeviceKind { none, sim, opencl, cuda };

/// Whether each block has pages of its own, after or before which nothing can be touched, so that an access outside of
/// every block ends the process with a message; blocks that were dropped cannot be touched either. Slow.
enum class MemoryCheck { none, after, before };

struct ContextOptions {
  DeviceKind device = DeviceKind::none; ///< none: FERRY_DEVICE memory, transfers and launches are failures
  std::string whichDevice;              ///< opencl, cuda: as of OpenClDevice::make, CudaDevice::make
  placement::Machine machine;           ///< whose prices the virtual clock adds up
  bool protect = true;                  ///< sim: keep each side out of reach of the other, and poison what is dropped
  int64_t groupItems = 0;               ///< as of OpenClDevice::make
  int64_t deviceMemory = 0;             ///< a limit in bytes on what is allocated on the device; 0: the machine's
  int threads = 0;                      ///< of parallel loops; 0: as of ThreadPool
  bool events = false;                  ///< keep the log of Report::events
  bool trace = false;                   ///< measure real time (trace.h): each kernel is waited for
  MemoryCheck checkMemory = MemoryCheck::none; ///< none: what FERRY_CHECK_MEMORY says, 'after', 'before' or nothing
};

/// What happened since the context was made, all exact. Device work includes launches and what kernels tick.
struct Report {
  int64_t clock = 0; ///< picoseconds, as are the next three, which add up to it
  int64_t hostTime = 0;
  int64_t deviceTime = 0;
  int64_t busTime = 0; ///< transfers, peeks, pokes, waiting

  int64_t uploads = 0, uploadBytes = 0;
  int64_t downloads = 0, downloadBytes = 0;
  int64_t peeks = 0, peekBytes = 0;
  int64_t pokes = 0, pokeBytes = 0;
  int64_t launches = 0;
  int64_t synchronizations = 0;

  /// Of blocks with a side; scratch is not counted.
  int64_t deviceBytes = 0, devicePeak = 0;
  int64_t hostBytes = 0, hostPeak = 0;

  /// By site of the program: how often the run came by, and the numbers found there.
  struct Observation {
    int64_t count = 0;
    int64_t sum = 0; ///< wraps
    int64_t least = 0, most = 0;
  };
  std::vector<Observation> observations;

  /// How often the bytes on the device were compared with the plan's, how often they differed, and where first.
  int64_t residencies = 0, residenciesOff = 0;
  std::string firstResidencyOff;

  int64_t blocks = 0; ///< that are not given back yet, scratch included

  /// In order of `from`. A residency lasts from the allocation to the last release, or to now.
  struct Event {
    enum Kind { residency, upload, download, peek, poke, launch, host } kind;
    int32_t side; ///< of a residency, FerrySide
    std::string name;
    std::string location; ///< `f.fut:3:5`, empty if unknown
    int64_t bytes;
    int64_t from, to; ///< virtual clock
  };
  std::vector<Event> events;
  int64_t eventsLeftOut = 0; ///< of a log that would be longer than anyone reads; residencies are always in it
};

/// Real time, in all executions together, of one operation or of what crossed the bus under one name.
struct Measured {
  enum Kind { host, launch, upload, download, peek, poke, argument } kind;
  std::string name;     ///< of the operation, which for peeks and pokes is the host's; of an array that was copied
  std::string location; ///< of the operation, `f.fut:3:5`
  int64_t count = 0, bytes = 0, nanoseconds = 0;
};

/// A failure of the program: its place is empty (file "", line 0) if it has none.
struct ProgramError {
  std::string message;
  std::string file;
  int32_t line = 0;
  int32_t column = 0;
  /// `f.fut:3:5: error: message`, or `error: message`
  std::string text() const;
};

/// Exit status of a process that a violation (an access to the wrong side, a stack overflow) ends.
inline constexpr int violationExitStatus = 70;

struct ContextDeleter {
  void operator()(FerryContext *context) const;
};
using Context = std::unique_ptr<FerryContext, ContextDeleter>;

/// Null, with a line in `error`, if the device cannot be had.
Context makeContext(const ContextOptions &options, std::string &error);

/// Calls entry(context, argument). True if it returned; false if it failed, with the reason in `error`. Its blocks that
/// are still live belong to the context. Runs on one context do not overlap.
bool run(FerryContext &context, void (*entry)(FerryContext *, void *), void *argument, ProgramError &error);

Report report(const FerryContext &context);

/// What the device calls itself; empty if there is none.
std::string_view deviceName(const FerryContext &context);

/// What was measured since the context was made or this was last called, in the order in which it first ran; nothing
/// if no trace is kept.
std::vector<Measured> takeTrace(FerryContext &context);

/// Of a context whose memory is checked, while none of its blocks should be live: a line that names those that are, or
/// nothing.
std::string heldBlocks(const FerryContext &context);

/// Whether host arrays live where they can be protected or checked, so that arguments should be in blocks as well.
bool hasHostArena(const FerryContext &context);

/// The bytes of a host block may be read and written by the caller between runs; this gives the block back.
void releaseBlock(FerryContext &context, void *block);

/// A host block for an argument, or null if there is no memory.
void *hostBlock(FerryContext &context, int64_t bytes, const char *name);

} // namespace ferry::runtime
