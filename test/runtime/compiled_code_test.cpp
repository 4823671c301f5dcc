// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler compiled is called as it is: nothing is read before its first instruction. Seen to fail under
// -fsanitize=function, in a build with FERRY_SANITIZE=undefined.

#include "helpers.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace ferry::runtime;

namespace {

/// A function that returns at once, on the first bytes that can be read: the page before is out of reach.
class FirstOnAPage {
public:
  FirstOnAPage() : page(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    pages = mmap(nullptr, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(code(), page, PROT_READ | PROT_WRITE);
#if defined(__aarch64__)
    const uint32_t ret = 0xd65f03c0;
#else
    const unsigned char ret = 0xc3;
#endif
    std::memcpy(code(), &ret, sizeof ret);
    mprotect(code(), page, PROT_READ | PROT_EXEC);
    __builtin___clear_cache(code(), code() + sizeof ret);
  }
  ~FirstOnAPage() { munmap(pages, 2 * page); }

  template <typename Function> Function as() const { return reinterpret_cast<Function>(code()); }

private:
  char *code() const { return static_cast<char *>(pages) + page; }

  size_t page;
  void *pages;
};

TEST(CompiledCode, NothingIsReadBeforeAnEntry) {
  FirstOnAPage code;
  ProgramError error;
  EXPECT_TRUE(run(*make(onHost()), code.as<void (*)(FerryContext *, void *)>(), nullptr, error)) << error.text();
}

TEST(CompiledCode, NothingIsReadBeforeAChunk) {
  FirstOnAPage code;
  runs(make(onHost()), [&](FerryContext *c) {
    ferry_rt_parallel_for(c, code.as<void (*)(void *, int64_t, int64_t, int64_t)>(), nullptr, 8, 4);
  });
}

TEST(CompiledCode, NothingIsReadBeforeAKernel) {
  FirstOnAPage code;
  runs(make(onSim()), [&](FerryContext *c) { ferry_rt_launch(c, &mapLaunch, code.as<void (*)(void *)>(), nullptr); });
}

} // namespace
