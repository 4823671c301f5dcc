// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sha256.h"

#include <cstring>

namespace ferry::runtime {

Sha256::Sha256() { SHA256Init(&state); }

Sha256 &Sha256::add(std::string_view bytes) {
  SHA256Update(&state, reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  return *this;
}

Sha256 &Sha256::field(int64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  return add({bytes, sizeof bytes});
}

Sha256 &Sha256::field(std::string_view text) { return field(static_cast<int64_t>(text.size())).add(text); }

Sha256::Digest Sha256::digest() {
  Digest digest;
  SHA256Final(digest.data(), &state);
  return digest;
}

std::string Sha256::text() {
  std::string text;
  for (uint8_t byte : digest()) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

} // namespace ferry::runtime
