// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic linker takes files by their names alone. A file in memory has one in /proc, and nobody else can change or
// replace it. That name belongs to a descriptor, and two libraries of one name would be one library, so the descriptor
// stays open for as long as the code is loaded.

#include "runtime/shared_object.h"

#include "runtime/abi.h"
#include "runtime/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <utility>

namespace ferry::runtime {

static void *runtimeFunction(std::string_view name) {
#define FERRY_FUNCTION(function)                                                                                       \
  {                                                                                                                    \
    #function, reinterpret_cast<void *>(&(function))                                                                   \
  }
  static const std::pair<std::string_view, void *> functions[] = {
      FERRY_FUNCTION(ferry_rt_alloc_array),    FERRY_FUNCTION(ferry_rt_retain),
      FERRY_FUNCTION(ferry_rt_release),        FERRY_FUNCTION(ferry_rt_upload),
      FERRY_FUNCTION(ferry_rt_download),       FERRY_FUNCTION(ferry_rt_pass),
      FERRY_FUNCTION(ferry_rt_peek),           FERRY_FUNCTION(ferry_rt_poke),
      FERRY_FUNCTION(ferry_rt_launch),         FERRY_FUNCTION(ferry_rt_enqueue),
      FERRY_FUNCTION(ferry_rt_heap),           FERRY_FUNCTION(ferry_rt_read),
      FERRY_FUNCTION(ferry_rt_tick),           FERRY_FUNCTION(ferry_rt_observe),
      FERRY_FUNCTION(ferry_rt_observed),       FERRY_FUNCTION(ferry_rt_resident),
      FERRY_FUNCTION(ferry_rt_chunks),         FERRY_FUNCTION(ferry_rt_parallel_for),
      FERRY_FUNCTION(ferry_rt_groups),         FERRY_FUNCTION(ferry_rt_group_items),
      FERRY_FUNCTION(ferry_rt_fail),           FERRY_FUNCTION(ferry_rt_await),
      FERRY_FUNCTION(ferry_rt_download_later),
  };
#undef FERRY_FUNCTION
  const auto *found = std::ranges::find(functions, name, [](const auto &one) { return one.first; });
  return found == std::end(functions) ? nullptr : found->second;
}

// Code in it is mapped, never executed as a program. A system may insist that this is said (since Linux 6.3).
static int fileInMemory() {
  constexpr unsigned noProgram = 8; // MFD_NOEXEC_SEAL
  int file = memfd_create("ferry-code", MFD_CLOEXEC | noProgram);
  return file < 0 && errno == EINVAL ? memfd_create("ferry-code", MFD_CLOEXEC) : file;
}

bool SharedObject::open(std::string_view content, std::string &error) {
  if (file < 0 || !writeAll(file, content)) {
    error = std::string("no memory for compiled code: ") + std::strerror(errno);
    return false;
  }
  std::string name = "/proc/self/fd/" + std::to_string(file);
  handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle)
    return true;
  std::string_view said = dlerror();
  if (said.starts_with(name + ": "))
    said.remove_prefix(name.size() + 2);
  error = "compiled code cannot be loaded: " + std::string(said);
  return false;
}

bool SharedObject::resolveImports(std::string &error) const {
  for (auto *import = static_cast<Import *>(find(importTable)); import && import->name; ++import) {
    import->address = runtimeFunction(import->name);
    if (!import->address) {
      error = std::string("compiled code cannot be loaded: there is no '") + import->name + "'";
      return false;
    }
  }
  return true;
}

SharedObject::SharedObject() : file(fileInMemory()) {}

std::unique_ptr<SharedObject> SharedObject::load(std::string_view content, std::string &error) {
  std::unique_ptr<SharedObject> made(new SharedObject);
  return made->open(content, error) && made->resolveImports(error) ? std::move(made) : nullptr;
}

SharedObject::~SharedObject() {
  if (handle)
    dlclose(handle);
}

void *SharedObject::find(const std::string &symbol) const { return dlsym(handle, symbol.c_str()); }

} // namespace ferry::runtime
