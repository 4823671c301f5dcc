// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/processor.h"

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace ferry::runtime {

namespace {

struct Feature {
  const char *name;
  bool isHere;
};

#if defined(__x86_64__)

std::vector<Feature> features() {
  __builtin_cpu_init();
#define FERRY_FEATURE(name) {name, __builtin_cpu_supports(name) != 0}
  return {
      FERRY_FEATURE("sse3"),         FERRY_FEATURE("ssse3"),
      FERRY_FEATURE("sse4.1"),       FERRY_FEATURE("sse4.2"),
      FERRY_FEATURE("popcnt"),       FERRY_FEATURE("lzcnt"),
      FERRY_FEATURE("bmi"),          FERRY_FEATURE("bmi2"),
      FERRY_FEATURE("movbe"),        FERRY_FEATURE("avx"),
      FERRY_FEATURE("f16c"),         FERRY_FEATURE("fma"),
      FERRY_FEATURE("avx2"),         FERRY_FEATURE("avxvnni"),
      FERRY_FEATURE("gfni"),         FERRY_FEATURE("avx512f"),
      FERRY_FEATURE("avx512cd"),     FERRY_FEATURE("avx512bw"),
      FERRY_FEATURE("avx512dq"),     FERRY_FEATURE("avx512vl"),
      FERRY_FEATURE("avx512ifma"),   FERRY_FEATURE("avx512vbmi"),
      FERRY_FEATURE("avx512vbmi2"),  FERRY_FEATURE("avx512vnni"),
      FERRY_FEATURE("avx512bf16"),   FERRY_FEATURE("avx512fp16"),
      FERRY_FEATURE("avx512bitalg"), FERRY_FEATURE("avx512vpopcntdq"),
  };
#undef FERRY_FEATURE
}

#elif defined(__aarch64__)

std::vector<Feature> features() {
  const unsigned long one = getauxval(AT_HWCAP), two = getauxval(AT_HWCAP2);
  auto has = [](unsigned long bits, unsigned long wanted) { return (bits & wanted) == wanted; };
  return {
      {"crc", has(one, HWCAP_CRC32)},    {"lse", has(one, HWCAP_ATOMICS)},
      {"rdm", has(one, HWCAP_ASIMDRDM)}, {"fullfp16", has(one, HWCAP_FPHP | HWCAP_ASIMDHP)},
      {"rcpc", has(one, HWCAP_LRCPC)},   {"dotprod", has(one, HWCAP_ASIMDDP)},
      {"sve", has(one, HWCAP_SVE)},      {"sve2", has(two, HWCAP2_SVE2)},
      {"bf16", has(two, HWCAP2_BF16)},   {"i8mm", has(two, HWCAP2_I8MM)},
  };
}

#else

std::vector<Feature> features() { return {}; }

#endif

} // namespace

#if defined(__x86_64__)
const char *const leastProcessor = "x86-64";
#else
const char *const leastProcessor = "generic";
#endif

std::vector<std::string> knownFeatures() {
  std::vector<std::string> names;
  for (const Feature &feature : features())
    names.emplace_back(feature.name);
  return names;
}

std::vector<std::string> processorFeatures() {
  std::vector<std::string> names;
  for (const Feature &feature : features())
    if (feature.isHere)
      names.emplace_back(feature.name);
  return names;
}

} // namespace ferry::runtime
