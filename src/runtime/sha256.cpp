// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ferry::runtime {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static constexpr uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void Sha256::takeBlock(const uint8_t *block) {
  uint32_t words[64];
  for (size_t i = 0; i < 16; ++i)
    words[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 | uint32_t(block[4 * i + 2]) << 8 |
               uint32_t(block[4 * i + 3]);
  for (int i = 16; i < 64; ++i) {
    uint32_t before = words[i - 15], last = words[i - 2];
    words[i] = words[i - 16] + (std::rotr(before, 7) ^ std::rotr(before, 18) ^ before >> 3) + words[i - 7] +
               (std::rotr(last, 17) ^ std::rotr(last, 19) ^ last >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    uint32_t one =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + words[i];
    uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one;
    d = c, c = b, b = a, a = one + two;
  }
  const uint32_t mixed[] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i)
    state[i] += mixed[i];
}

Sha256 &Sha256::add(std::string_view bytes) {
  while (!bytes.empty()) {
    size_t filled = length % 64, taken = std::min(bytes.size(), 64 - filled);
    std::memcpy(pending.data() + filled, bytes.data(), taken);
    length += taken;
    bytes.remove_prefix(taken);
    if (length % 64 == 0)
      takeBlock(pending.data());
  }
  return *this;
}

Sha256 &Sha256::field(int64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  return add({bytes, sizeof bytes});
}

Sha256 &Sha256::field(std::string_view text) { return field(static_cast<int64_t>(text.size())).add(text); }

Sha256::Digest Sha256::digest() {
  const uint64_t bits = length * 8;
  add("\x80");
  constexpr char zero = 0;
  while (length % 64 != 56)
    add({&zero, 1});
  char bytes[8];
  for (int i = 0; i < 8; ++i)
    bytes[i] = static_cast<char>(bits >> (56 - 8 * i));
  add({bytes, sizeof bytes});
  Digest digest;
  for (int i = 0; i < 32; ++i)
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
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
