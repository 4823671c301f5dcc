// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cache.h"

#include "runtime/descriptor.h"
#include "runtime/sha256.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace ferry::runtime {

static constexpr std::string_view magic = "ferry cache 1\n";
static constexpr size_t headerBytes = magic.size() + sizeof(Sha256::Digest);
static constexpr size_t keyDigits = 64;

namespace {

std::string readAll(int fd, size_t size) {
  std::string bytes(size, '\0');
  size_t filled = 0;
  while (filled < size) {
    ssize_t got = ::read(fd, bytes.data() + filled, size - filled);
    if (got <= 0)
      break;
    filled += static_cast<size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

std::string_view asText(const Sha256::Digest &digest) {
  return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

// A key, or a key and what tells apart a file that is still being written.
bool isOurs(std::string_view name) {
  auto isDigit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return name.size() >= keyDigits && std::ranges::all_of(name.substr(0, keyDigits), isDigit) &&
         (name.size() == keyDigits || name[keyDigits] == '.');
}

} // namespace

std::optional<int64_t> parseBytes(std::string_view text) {
  int64_t unit = 1, number = 0;
  if (size_t power = text.empty() ? std::string_view::npos : std::string_view("KMG").find(text.back());
      power != std::string_view::npos) {
    unit = int64_t{1} << (10 * (power + 1));
    text.remove_suffix(1);
  }
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || number <= 0 ||
      number > std::numeric_limits<int64_t>::max() / unit)
    return std::nullopt;
  return number * unit;
}

Cache Cache::ofEnvironment() {
  constexpr int64_t usualLimit = int64_t{512} << 20;
  auto variable = [](const char *name) -> std::optional<std::string> {
    const char *value = std::getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  int64_t limit = parseBytes(variable("FERRY_CACHE_LIMIT").value_or("")).value_or(usualLimit);
  if (auto folder = variable("FERRY_CACHE"))
    return {*folder, limit};
  if (auto caches = variable("XDG_CACHE_HOME"); caches && caches->starts_with('/'))
    return {*caches + "/ferry", limit};
  if (auto home = variable("HOME"); home && home->starts_with('/'))
    return {*home + "/.cache/ferry", limit};
  return {"", limit};
}

std::optional<std::string> Cache::load(const std::string &key) const {
  if (!isOn())
    return std::nullopt;
  std::string path = folder + "/" + key;
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts;
  if (file < 0 || ::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid())
    return std::nullopt;
  std::string bytes = readAll(file, static_cast<size_t>(facts.st_size));
  bool isWhole = bytes.size() >= headerBytes && bytes.starts_with(magic) &&
                 asText(Sha256().add(key).add(std::string_view(bytes).substr(headerBytes)).digest()) ==
                     std::string_view(bytes).substr(magic.size(), headerBytes - magic.size());
  if (!isWhole) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  ::futimens(file, nullptr); // used now
  bytes.erase(0, headerBytes);
  return bytes;
}

void Cache::store(const std::string &key, std::string_view content) const {
  std::error_code ignored;
  if (!isOn() || static_cast<int64_t>(content.size() + headerBytes) > limit)
    return;
  if (!std::filesystem::exists(folder, ignored)) {
    std::filesystem::create_directories(folder, ignored);
    ::chmod(folder.c_str(), S_IRWXU);
  }
  std::string temporary = folder + "/" + key + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file < 0)
    return;
  std::string header(magic);
  header += asText(Sha256().add(key).add(content).digest());
  bool isWritten = writeAll(file, header) && writeAll(file, content);
  if (!isWritten || ::rename(temporary.c_str(), (folder + "/" + key).c_str()) != 0) {
    ::unlink(temporary.c_str());
    return;
  }
  trim();
}

void Cache::trim() const {
  struct File {
    std::filesystem::file_time_type used;
    std::filesystem::path path;
    int64_t bytes;
  };
  std::vector<File> files;
  int64_t total = 0;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (!isOurs(at->path().filename().string()))
      continue;
    std::error_code gone; // another process may have removed it
    auto used = at->last_write_time(gone);
    auto bytes = gone ? 0 : static_cast<int64_t>(at->file_size(gone));
    if (gone)
      continue;
    files.push_back({used, at->path(), bytes});
    total += bytes;
  }
  std::ranges::sort(files, {}, &File::used);
  for (const File &file : files) {
    if (total <= limit)
      return;
    std::filesystem::remove(file.path, failed);
    total -= file.bytes;
  }
}

} // namespace ferry::runtime
