// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of the hardware become messages. An access to the wrong side is an error of the compiler, not of the program,
// so the process ends at once, with the array and the operation named, from whichever thread it happened on. What is
// not ours goes to whoever handled the signal before.
//
// Everything reachable from the handler only reads atomics and makes system calls.

#include "runtime/context_impl.h"

#include <algorithm>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
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

[[noreturn]] static void reportViolation(FerryContext &context, const void *address, bool deviceSide) {
  const BlockTable *table = deviceSide ? context.deviceTable.get() : context.hostTable.get();
  const Block *block = table ? table->holding(address) : nullptr;
  const char *who = context.sim->kernelRuns() ? "a kernel" : "host code";
  const char *side = deviceSide ? "device" : "host";
  char array[160];
  if (block)
    std::snprintf(array, sizeof array, "%s array '%s'", side, block->name ? block->name : "(unnamed)");
  else
    std::snprintf(array, sizeof array, "%s memory outside of any live array", side);
  const FerryOperation *op = context.operation;
  if (!op)
    endWith("error: sim: %s touched %s before any operation\n", who, array);
  char place[200];
  endWith("%serror: sim: %s touched %s in operation '%s'\n", placeBefore(*op, place), who, array, op->name);
}

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
        reportViolation(*context, info->si_addr, true);
      case SimDevice::Fault::hostArray:
        reportViolation(*context, info->si_addr, false);
      case SimDevice::Fault::elsewhere:
        break;
      }
    }
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
