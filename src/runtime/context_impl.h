// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is behind FerryContext, for the run-time's own files.
//
// Failures unwind by longjmp, which runs no destructors. So whatever builds strings or holds locks is in a function
// that returns, and says by its result that it recorded a failure; only then does its caller, which holds nothing,
// unwind.

#pragma once

#include "runtime/block.h"
#include "runtime/context.h"
#include "runtime/host_heap.h"
#include "runtime/sim.h"
#include "runtime/threads.h"
#include "runtime/trace.h"

#include <csetjmp>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct FerryContext {
  int64_t clock = 0; ///< first, as abi.h promises

  explicit FerryContext(const ferry::runtime::ContextOptions &options) : options(options), threads(options.threads) {}

  ferry::runtime::ContextOptions options;
  std::atomic<const FerryOperation *> operation = nullptr; ///< that messages name
  bool inKernel = false;

  ferry::runtime::ThreadPool threads;
  ferry::runtime::HostHeap heap;
  std::unique_ptr<ferry::runtime::Device> device;                    ///< or null
  ferry::runtime::SimDevice *sim = nullptr;                          ///< the same, if it is one
  ferry::runtime::Arena *hostArena = nullptr;                        ///< of protected or checked host arrays, or null
  std::unique_ptr<ferry::runtime::Arena> ownHostArena, scratchArena; ///< of checked memory, or null
  std::unique_ptr<ferry::runtime::BlockTable> deviceTable, hostTable, scratchTable; ///< where there is such memory

  std::mutex mutex; ///< of the rest where blocks come and go; else it is the thread of the run that changes it
  ferry::runtime::BlockList deviceBlocks, tableHostBlocks, scratchBlocks; ///< those with records outside
  ferry::runtime::Report counters;                                        ///< without clock and hostTime
  std::unique_ptr<ferry::runtime::Trace> trace;                           ///< or null
  std::vector<const void *> arriving;                                     ///< host arrays that nobody awaited yet
};

namespace ferry::runtime {

// ---- Failures (failure.cpp)

/// Unwinds to the thread's innermost runner.
[[noreturn]] void unwind();

/// A frame to unwind to. Made on the stack of whoever calls code that may fail:
///   Runner runner; if (setjmp(runner.target) == 0) { code(); runner.leave(); } else { runner.error says why; }
/// `error` is written between setjmp and longjmp, after which C lets a local object keep its value only if it is
/// volatile. Here it does: its address is in a thread-local variable, so no copy of it is in a register.
struct Runner {
  Runner();
  void leave(); ///< after the code returned; unwinding leaves by itself
  std::jmp_buf target;
  ProgramError error;

private:
  friend void unwind();
  Runner *outer;
  int chunkDepth;
};

/// Records why it is about to be unwound to. The first form takes the current operation's place.
void recordFailure(FerryContext &context, std::string message);
void recordFailure(ProgramError error);
/// What the program did wrong, with the values of ferry_rt_fail.
void recordFailure(const FerryFailure &what, const int64_t (&values)[4]);
/// Whether no kernel that has ended failed; else false, with a recorded failure.
[[nodiscard]] bool kernelsSucceeded(FerryContext &context);
/// How deep the thread is in chunk bodies.
int &chunkDepth();

// ---- Faults (fault.cpp)

/// Takes the signals over, also from a handler that was installed since it was last called. Not from several threads.
void takeFaultSignals();

/// While it lives, faults in the context's protected memory become messages, and so do stack overflows on this thread.
class FaultScope {
public:
  explicit FaultScope(FerryContext &context);
  ~FaultScope();
  FaultScope(const FaultScope &) = delete;
  FaultScope &operator=(const FaultScope &) = delete;

private:
  FerryContext *outer;
};

/// Ends the process because the block's memory was left by an access that no page stopped.
[[noreturn]] void reportOverrun(FerryContext &context, const Block &block);
/// Ends the process because a block that has been given back is counted.
[[noreturn]] void reportDropped(FerryContext &context);

// ---- Clock and log (context.cpp)

/// Both are false, with a recorded failure, if the clock cannot hold the sum, or the price no 64 bits. `price` maps the
/// machine to picoseconds.
[[nodiscard]] bool addTime(FerryContext &context, int64_t picoseconds);
template <typename Price> [[nodiscard]] bool addPrice(FerryContext &context, Price price);
void recordClockOverflow(FerryContext &context);

/// Appends what happened since `from` to the log, if one is kept.
void logEvent(FerryContext &context, Report::Event::Kind kind, const char *name, const FerryOperation *operation,
              int64_t bytes, int64_t from);

/// `'xs' (400 bytes), 'ys' (40 bytes) and 3 more`, the largest first.
std::string residents(const BlockList &blocks);

std::string described(const FerryOperation &operation); ///< `map at f.fut:3:5`

template <typename Price> bool addPrice(FerryContext &context, Price price) {
  try {
    return addTime(context, price(context.options.machine));
  } catch (const placement::Overflow &) {
    recordClockOverflow(context);
    return false;
  }
}

} // namespace ferry::runtime
