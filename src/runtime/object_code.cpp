// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections that a program needs go into one mapping, in three parts with rights of their own: code, constants,
// data. Behind the code comes a stub for each symbol from elsewhere, behind the constants a table with the addresses of
// all symbols, so that code reaches with 32 bits what is anywhere. Formats are those of the System V Application Binary
// Interface, AMD64 Architecture Processor Supplement, chapter 4.

#include "runtime/object_code.h"

#include "runtime/abi.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <limits>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace ferry::runtime {

// The run-time is linked into its program, which exports no names, so its functions are told one by one.
static void *runtimeFunction(std::string_view name) {
#define FERRY_FUNCTION(function)                                                                                       \
  {                                                                                                                    \
    #function, reinterpret_cast<void *>(&(function))                                                                   \
  }
  static const std::pair<std::string_view, void *> functions[] = {
      FERRY_FUNCTION(ferry_rt_alloc_array), FERRY_FUNCTION(ferry_rt_retain),   FERRY_FUNCTION(ferry_rt_release),
      FERRY_FUNCTION(ferry_rt_upload),      FERRY_FUNCTION(ferry_rt_download), FERRY_FUNCTION(ferry_rt_pass),
      FERRY_FUNCTION(ferry_rt_peek),        FERRY_FUNCTION(ferry_rt_poke),     FERRY_FUNCTION(ferry_rt_launch),
      FERRY_FUNCTION(ferry_rt_enqueue),     FERRY_FUNCTION(ferry_rt_heap),     FERRY_FUNCTION(ferry_rt_read),
      FERRY_FUNCTION(ferry_rt_tick),        FERRY_FUNCTION(ferry_rt_observe),  FERRY_FUNCTION(ferry_rt_observed),
      FERRY_FUNCTION(ferry_rt_resident),    FERRY_FUNCTION(ferry_rt_chunks),   FERRY_FUNCTION(ferry_rt_parallel_for),
      FERRY_FUNCTION(ferry_rt_fail),
  };
#undef FERRY_FUNCTION
  const auto *found = std::ranges::find(functions, name, [](const auto &one) { return one.first; });
  return found == std::end(functions) ? nullptr : found->second;
}

// Vector forms of libm's functions are in a library of their own, which nothing else loads.
static void *symbolOfProcess(const std::string &name) {
  if (void *found = runtimeFunction(name))
    return found;
  if (void *found = dlsym(RTLD_DEFAULT, name.c_str()))
    return found;
  static void *const vectorMath = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
  return vectorMath ? dlsym(vectorMath, name.c_str()) : nullptr;
}

class ObjectCode::Loader {
public:
  Loader(std::string_view file, ObjectCode &code, std::string &error) : file(file), code(code), error(error) {}

  bool load() { return readHeaders() && layOut() && resolve() && relocate() && protect(); }

private:
  enum Part { text, constants, data, parts };

  struct Section {
    Elf64_Shdr header;
    std::optional<Part> part; ///< none: not loaded
    size_t offset = 0;        ///< in the mapping
  };

  bool fail(std::string message) {
    error = "object file: " + std::move(message);
    return false;
  }

  bool isInside(uint64_t offset, uint64_t bytes) const {
    return offset <= file.size() && bytes <= file.size() - offset;
  }

  template <typename T> bool read(uint64_t offset, T &value) const {
    if (!isInside(offset, sizeof value))
      return false;
    std::memcpy(&value, file.data() + offset, sizeof value);
    return true;
  }

  std::string nameAt(const Section &strings, uint64_t offset) const {
    if (offset >= strings.header.sh_size)
      return "";
    const char *begin = file.data() + strings.header.sh_offset + offset;
    return std::string(begin, strnlen(begin, strings.header.sh_size - offset));
  }

  bool readHeaders() {
    Elf64_Ehdr header;
    if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_REL ||
        header.e_machine != EM_X86_64 || header.e_shentsize != sizeof(Elf64_Shdr))
      return fail("no relocatable ELF file for x86-64");
    sections.resize(header.e_shnum);
    for (size_t i = 0; i < sections.size(); ++i) {
      Elf64_Shdr &section = sections[i].header;
      if (!read(header.e_shoff + i * sizeof section, section) ||
          (section.sh_type != SHT_NOBITS && !isInside(section.sh_offset, section.sh_size)))
        return fail("truncated");
      if (section.sh_type == SHT_SYMTAB)
        symbolTable = &sections[i];
      // Nothing unwinds through generated code, so what tells how is left out.
      bool isLoaded = (section.sh_flags & SHF_ALLOC) && section.sh_type != SHT_X86_64_UNWIND;
      if (isLoaded)
        sections[i].part = section.sh_flags & SHF_EXECINSTR ? text : section.sh_flags & SHF_WRITE ? data : constants;
    }
    if (!symbolTable || symbolTable->header.sh_link >= sections.size() ||
        sections[symbolTable->header.sh_link].header.sh_type != SHT_STRTAB)
      return fail("without symbols");
    symbols.resize(symbolTable->header.sh_size / sizeof(Elf64_Sym));
    std::memcpy(symbols.data(), file.data() + symbolTable->header.sh_offset, symbols.size() * sizeof(Elf64_Sym));
    return true;
  }

  bool layOut() {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t end = 0;
    for (Part part : {text, constants, data}) {
      begins[part] = end = (end + page - 1) / page * page;
      for (Section &section : sections) {
        if (section.part != part)
          continue;
        size_t alignment = std::max<size_t>(1, section.header.sh_addralign);
        if (alignment > page || section.header.sh_size > largest)
          return fail("a section of such a size cannot be loaded");
        section.offset = (end + alignment - 1) / alignment * alignment;
        end = section.offset + section.header.sh_size;
      }
      if (part == text) {
        stubs = end = (end + stubBytes - 1) / stubBytes * stubBytes;
        end += symbols.size() * stubBytes;
      } else if (part == constants) {
        addresses = end = (end + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
        end += symbols.size() * sizeof(void *);
      }
    }
    code.size = begins[parts] = (end + page - 1) / page * page;
    if (code.size > largest)
      return fail("too large");
    void *memory = mmap(nullptr, code.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return fail("no memory for it");
    code.memory = memory;
    for (const Section &section : sections)
      if (section.part && section.header.sh_type != SHT_NOBITS)
        std::memcpy(at(section.offset), file.data() + section.header.sh_offset, section.header.sh_size);
    return true;
  }

  char *at(size_t offset) const { return static_cast<char *>(code.memory) + offset; }
  uint64_t addressAt(uint64_t offset) const { return reinterpret_cast<uint64_t>(code.memory) + offset; }
  char *addressSlot(size_t symbol) const { return at(addresses + symbol * sizeof(void *)); }

  // Fills in the table of addresses, and the stubs of symbols from elsewhere.
  bool resolve() {
    const Section &strings = sections[symbolTable->header.sh_link];
    for (size_t i = 1; i < symbols.size(); ++i) {
      const Elf64_Sym &symbol = symbols[i];
      uint64_t address = 0;
      if (symbol.st_shndx == SHN_UNDEF) {
        std::string name = nameAt(strings, symbol.st_name);
        void *found = name.empty() ? nullptr : symbolOfProcess(name);
        if (!found && !name.empty())
          return fail("there is no '" + name + "'");
        address = reinterpret_cast<uint64_t>(found);
        writeStub(i);
      } else if (symbol.st_shndx < sections.size() && sections[symbol.st_shndx].part) {
        address = addressAt(sections[symbol.st_shndx].offset + symbol.st_value);
        if (ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL)
          code.symbols[nameAt(strings, symbol.st_name)] =
              reinterpret_cast<void *>(address); // NOLINT(performance-no-int-to-ptr)
      }
      std::memcpy(addressSlot(i), &address, sizeof address);
    }
    return true;
  }

  // jmp *address(%rip)
  void writeStub(size_t symbol) {
    char *stub = at(stubs + symbol * stubBytes);
    auto distance = static_cast<int32_t>(addressSlot(symbol) - (stub + 6));
    stub[0] = '\xff';
    stub[1] = '\x25';
    std::memcpy(stub + 2, &distance, sizeof distance);
  }

  bool relocate() {
    for (const Section &list : sections) {
      if (list.header.sh_type != SHT_RELA || list.header.sh_info >= sections.size())
        continue;
      const Section &target = sections[list.header.sh_info];
      if (!target.part)
        continue;
      for (uint64_t i = 0; i < list.header.sh_size / sizeof(Elf64_Rela); ++i) {
        Elf64_Rela relocation;
        if (!read(list.header.sh_offset + i * sizeof relocation, relocation))
          return fail("truncated");
        if (!relocate(target, relocation))
          return false;
      }
    }
    return true;
  }

  bool relocate(const Section &target, const Elf64_Rela &relocation) {
    size_t symbol = ELF64_R_SYM(relocation.r_info);
    uint64_t type = ELF64_R_TYPE(relocation.r_info);
    size_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
    if (symbol >= symbols.size() || relocation.r_offset > target.header.sh_size ||
        width > target.header.sh_size - relocation.r_offset)
      return fail("a relocation is out of bounds");
    const size_t offset = target.offset + relocation.r_offset;
    bool isElsewhere = symbols[symbol].st_shndx == SHN_UNDEF;
    uint64_t address = 0;
    std::memcpy(&address, addressSlot(symbol), sizeof address);
    switch (type) {
    case R_X86_64_64:
      break;
    case R_X86_64_PC64:
      address -= addressAt(offset);
      break;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
      address = (isElsewhere ? addressAt(stubs + symbol * stubBytes) : address) - addressAt(offset);
      break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      address = addressAt(addresses + symbol * sizeof(void *)) - addressAt(offset);
      break;
    default:
      return fail("relocations of type " + std::to_string(type) + " are not known");
    }
    auto value = static_cast<int64_t>(address + static_cast<uint64_t>(relocation.r_addend));
    if (width == 4 && value != static_cast<int32_t>(value))
      return fail("a relocation does not reach its symbol");
    std::memcpy(at(offset), &value, width);
    return true;
  }

  bool protect() {
    constexpr int rights[] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
    for (Part part : {text, constants, data})
      if (begins[part + 1] > begins[part] &&
          mprotect(at(begins[part]), begins[part + 1] - begins[part], rights[part]) != 0)
        return fail("the system does not let this process make code");
    return true;
  }

  static constexpr size_t stubBytes = 8;
  static constexpr size_t largest = std::numeric_limits<int32_t>::max();

  std::string_view file;
  ObjectCode &code;
  std::string &error;
  std::vector<Section> sections;
  std::vector<Elf64_Sym> symbols;
  const Section *symbolTable = nullptr;
  std::array<size_t, parts + 1> begins{}; ///< of each part in the mapping, and its end
  size_t stubs = 0, addresses = 0;        ///< where they begin in the mapping, one a symbol
};

std::unique_ptr<ObjectCode> ObjectCode::load(std::string_view file, std::string &error) {
  std::unique_ptr<ObjectCode> made(new ObjectCode);
  return Loader(file, *made, error).load() ? std::move(made) : nullptr;
}

ObjectCode::~ObjectCode() {
  if (memory)
    munmap(memory, size);
}

void *ObjectCode::find(const std::string &symbol) const {
  auto found = symbols.find(symbol);
  return found == symbols.end() ? nullptr : found->second;
}

} // namespace ferry::runtime
