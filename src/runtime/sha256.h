// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256, as libmd computes it.

#pragma once

#include <array>
#include <cstdint>
#include <sha2.h>
#include <string>
#include <string_view>

namespace ferry::runtime {

class Sha256 {
public:
  Sha256();
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
  SHA2_CTX state;
};

} // namespace ferry::runtime
