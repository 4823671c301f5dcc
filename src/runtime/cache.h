// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compilers made, kept from one process to the next in a folder: FERRY_CACHE, else $XDG_CACHE_HOME/ferry, else
// ~/.cache/ferry. FERRY_CACHE= keeps nothing. A folder that cannot be made or written keeps nothing either, which is no
// error. When its files are more than FERRY_CACHE_LIMIT together (512M), those go that were not used for longest.
//
// A file is named by its key, 64 hexadecimal digits; before its content it has the SHA-256 of the key and the content.
// It appears whole or not at all, also to processes that make the same one at the same time; one that is damaged is
// removed when it is read, and so is not there. Files with other names are left alone, and files of other users are not
// read.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ferry::runtime {

class Cache {
public:
  /// The one that the environment names.
  static Cache ofEnvironment();
  /// Keeps at most `limit` bytes in the folder; an empty name keeps nothing.
  Cache(std::string folder, int64_t limit) : folder(std::move(folder)), limit(limit) {}

  bool isOn() const { return !folder.empty(); }
  std::optional<std::string> load(const std::string &key) const;
  void store(const std::string &key, std::string_view content) const;

private:
  void trim() const;

  std::string folder;
  int64_t limit;
};

/// "512M" in bytes; nothing if it is no positive number with K, M, G or nothing behind it.
std::optional<int64_t> parseBytes(std::string_view text);

} // namespace ferry::runtime
