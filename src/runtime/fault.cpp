// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of the hardware become messages. An access to the wrong side is an error of the compiler, not of the program,
// so the process ends at once, with the array and the operation named, from whichever thread it happened on. What is
// not ours goes to whoever handled the signal before.
//
// What the handler does is to read atomics, to format into a buffer and to make system calls. Of a guarded arena it
// also takes the lock: no thread that holds it touches addresses that the arena may have closed, so it is not this one.

#include "runtime/context_impl.h"

#include <algorithm>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace ferry::runtime {

static thread_local FerryContext *running = nullptr;
static thread_local uintptr_t stackLow = 0;
static struct sigaction previousSegv, previousBus;

[[noreturn, gnu::format(printf, 1, 2)]] static void endWith(const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  int length =
      std::clamp(std::vsnprintf(message, sizeof message, format, arguments), 0, static_cast<int>(sizeof message) - 1);
  va_end(arguments);
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, message, static_cast<size_t>(length));
  _exit(violationExitStatus);
}

// `f.fut:3:5: `, or nothing for an operation without a place.
static const char *placeBefore(const FerryOperation &op, char (&text)[200]) {
  if (!op.file || !*op.file)
    return "";
  std::snprintf(text, sizeof text, "%s:%d:%d: ", op.file, op.line, op.column);
  return text;
}

static const char *nameOf(const Block &block) { return block.name ? block.name : "(unnamed)"; }

static const char *sideOf(const Block &block) {
  return block.side == FERRY_DEVICE ? "device" : block.side == FERRY_HOST ? "host" : "scratch";
}

// What is at the address: `host array 'xs'`, or where memory is checked `byte 400 of host array 'xs' of 400 bytes`.
static void describe(const FerryContext &context, const BlockTable &table, const char *side, const void *address,
                     char (&text)[160]) {
  constexpr uintptr_t nearby = uintptr_t(1) << 16;
  if (const Block *block = table.holding(address)) {
    std::snprintf(text, sizeof text, "%s array '%s'", sideOf(*block), nameOf(*block));
    return;
  }
  const Block *block = context.options.checkMemory == MemoryCheck::none ? nullptr : table.near(address, nearby);
  if (!block) {
    std::snprintf(text, sizeof text, "%s memory outside of any live array", side);
    return;
  }
  std::snprintf(text, sizeof text, "byte %td of %s array '%s' of %td bytes",
                static_cast<const char *>(address) - static_cast<const char *>(block->data), sideOf(*block),
                nameOf(*block), static_cast<ptrdiff_t>(block->bytes));
}

// Ends the process: `what` happened in the current operation.
[[noreturn]] static void endInOperation(FerryContext &context, const char *what) {
  const char *who = context.sim ? "sim: " : "";
  const FerryOperation *op = context.operation;
  if (!op)
    endWith("error: %s%s before any operation\n", who, what);
  char place[200];
  endWith("%serror: %s%s in operation '%s'\n", placeBefore(*op, place), who, what, op->name);
}

[[noreturn]] static void reportViolation(FerryContext &context, const void *address, const BlockTable *table,
                                         const char *side) {
  const char *who = context.sim && context.sim->kernelRuns() ? "a kernel" : "host code";
  char array[160], what[200];
  describe(context, *table, side, address, array);
  std::snprintf(what, sizeof what, "%s touched %s", who, array);
  endInOperation(context, what);
}

void reportOverrun(FerryContext &context, const Block &block) {
  char what[200];
  std::snprintf(what, sizeof what, "something wrote right outside of %s array '%s', dropped", sideOf(block),
                nameOf(block));
  endInOperation(context, what);
}

void reportDropped(FerryContext &context) { endInOperation(context, "a dropped array is used"); }

static void onFault(int signal, siginfo_t *info, void *) {
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (FerryContext *context = running) {
    if (context->sim) {
      switch (context->sim->judge(info->si_addr)) {
      case SimDevice::Fault::repaired:
        if (signal == SIGBUS)
          endWith("error: sim: no memory is left for host arrays\n");
        return;
      case SimDevice::Fault::deviceArray:
        if (signal == SIGBUS)
          endWith("error: sim: no memory is left for device arrays\n");
        reportViolation(*context, info->si_addr, context->deviceTable.get(), "device");
      case SimDevice::Fault::hostArray:
        reportViolation(*context, info->si_addr, context->hostTable.get(), "host");
      case SimDevice::Fault::elsewhere:
        break;
      }
    }
    if (context->scratchArena && context->scratchArena->addresses().contains(info->si_addr))
      reportViolation(*context, info->si_addr, context->scratchTable.get(), "scratch");
    if (context->ownHostArena && context->ownHostArena->addresses().contains(info->si_addr))
      reportViolation(*context, info->si_addr, context->hostTable.get(), "host");
    // A frame larger than the guard page may land well below it.
    constexpr uintptr_t reach = uintptr_t(1) << 20;
    if (signal == SIGSEGV && address < stackLow + 4096 && address + reach > stackLow) {
      const FerryOperation *op = context->operation;
      if (!op)
        endWith("error: stack overflow\n");
      char place[200];
      endWith("%serror: stack overflow in operation '%s'\n", placeBefore(*op, place), op->name);
    }
  }
  // Not ours: the instruction runs again, under the handler that was there before.
  sigaction(signal, signal == SIGBUS ? &previousBus : &previousSegv, nullptr);
}

void takeFaultSignals() {
  struct sigaction action = {};
  if (sigaction(SIGSEGV, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == onFault)
    return;
  action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previousSegv);
  sigaction(SIGBUS, &action, &previousBus);
}

namespace {
// A stack for the handler to run on when the thread's own has overflowed; kept until the thread ends.
class HandlerStack {
public:
  HandlerStack() {
    stack_t current = {};
    sigaltstack(nullptr, &current);
    if (!(current.ss_flags & SS_DISABLE))
      return; // someone else provided one
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return;
    stack_t own = {};
    own.ss_sp = memory;
    own.ss_size = bytes;
    sigaltstack(&own, nullptr);
  }
  ~HandlerStack() {
    if (memory == MAP_FAILED)
      return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory, bytes);
  }

private:
  static constexpr size_t bytes = size_t(64) << 10;
  void *memory = MAP_FAILED;
};
} // namespace

static void prepareThread() {
  static thread_local HandlerStack stack;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  void *low = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  stackLow = reinterpret_cast<uintptr_t>(low);
}

FaultScope::FaultScope(FerryContext &context) : outer(running) {
  if (stackLow == 0)
    prepareThread();
  running = &context;
}

FaultScope::~FaultScope() { running = outer; }

} // namespace ferry::runtime
