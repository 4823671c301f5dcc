// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 (NIST FIPS 180-4).

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::runtime {

class Sha256 {
public:
  /// Appends bytes.
  Sha256 &add(std::string_view bytes);
  /// Appends a text or number so that no other sequence of fields gives the same bytes.
  Sha256 &field(std::string_view text);
  Sha256 &field(int64_t number);

  using Digest = std::array<uint8_t, 32>;
  /// Of all that was added; nothing may be added after it.
  Digest digest();
  /// The same as 64 hexadecimal digits.
  std::string text();

private:
  void takeBlock(const uint8_t *block);

  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending{};
  uint64_t length = 0; ///< in bytes
};

} // namespace ferry::runtime
