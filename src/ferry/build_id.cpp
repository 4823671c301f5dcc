// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/build_id.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <memory>
#include <sys/stat.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <fstream>
#include <sys/auxv.h>
#endif

namespace ferry {

static std::string idInNotes(const std::string &notes) {
  size_t at = 0;
  Elf64_Nhdr note;
  auto padded = [](size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (at + sizeof note <= notes.size()) {
    std::memcpy(&note, notes.data() + at, sizeof note);
    size_t name = at + sizeof note, content = name + padded(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && content + note.n_descsz <= notes.size() &&
        notes.compare(name, 4, "GNU", 4) == 0)
      return notes.substr(content, note.n_descsz);
    at = content + padded(note.n_descsz);
  }
  return "";
}

std::string buildIdOf(const std::string &path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  auto read = [&](uint64_t offset, void *to, size_t bytes) {
    return std::fseek(file.get(), static_cast<long>(offset), SEEK_SET) == 0 &&
           std::fread(to, 1, bytes, file.get()) == bytes;
  };
  Elf64_Ehdr header;
  if (!file || !read(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return "";
  constexpr size_t mostNotes = 1 << 16;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read(header.e_phoff + i * sizeof segment, &segment, sizeof segment))
      return "";
    std::string notes(segment.p_type == PT_NOTE && segment.p_filesz < mostNotes ? segment.p_filesz : 0, '\0');
    if (notes.empty() || !read(segment.p_offset, notes.data(), notes.size()))
      continue;
    if (std::string id = idInNotes(notes); !id.empty())
      return id;
  }
  return "";
}

std::string processorId() {
  std::string id;
#if defined(__x86_64__)
  constexpr std::pair<unsigned, unsigned> leaves[] = {{0, 0}, {1, 0}, {7, 0}, {7, 1}, {0x80000001, 0}};
  for (auto [leaf, subleaf] : leaves) {
    unsigned registers[4] = {};
    __get_cpuid_count(leaf, subleaf, &registers[0], &registers[1], &registers[2], &registers[3]);
    if (leaf == 1)
      registers[1] = 0; // the number of the core that answers
    id.append(reinterpret_cast<const char *>(registers), sizeof registers);
  }
#elif defined(__aarch64__)
  id = std::to_string(getauxval(AT_HWCAP)) + " " + std::to_string(getauxval(AT_HWCAP2)) + " ";
  std::string model;
  std::ifstream("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1") >> model;
  id += model;
#endif
  return id;
}

std::string stampOf(const std::string &file) {
  struct stat facts;
  if (::stat(file.c_str(), &facts) != 0)
    return "";
  return std::to_string(facts.st_size) + " " + std::to_string(facts.st_mtim.tv_sec) + "." +
         std::to_string(facts.st_mtim.tv_nsec);
}

} // namespace ferry
