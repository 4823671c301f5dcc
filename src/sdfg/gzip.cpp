// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/file.h"

#include <zlib.h>

#include <algorithm>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

/// Adding 16 asks zlib for gzip's header and trailer.
static constexpr int kGzipWindow = 15 + 16;
static constexpr std::size_t kMostText = std::size_t{1} << 31;

static void feed(z_stream &stream, std::string_view &input) {
  std::size_t size = std::min<std::size_t>(input.size(), std::size_t{1} << 30);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(input.data()));
  stream.avail_in = static_cast<uInt>(size);
  input.remove_prefix(size);
}

Result<std::string> compress(std::string_view text) {
  z_stream stream{};
  std::string out;
  if (deflateInit2(&stream, 9, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return Error{ErrorKind::Internal, "zlib cannot be used"};
  int status;
  char buffer[1 << 16];
  do {
    feed(stream, text);
    do {
      stream.next_out = reinterpret_cast<Bytef *>(buffer);
      stream.avail_out = sizeof(buffer);
      status = deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
      out.append(buffer, sizeof(buffer) - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!text.empty());
  deflateEnd(&stream);
  if (status != Z_STREAM_END)
    return Error{ErrorKind::Internal, "zlib cannot pack it"};
  return out;
}

Result<std::string> decompress(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK)
    return Error{ErrorKind::Internal, "zlib cannot be used"};
  std::string out;
  int status = Z_OK;
  char buffer[1 << 16];
  while (true) {
    if (stream.avail_in == 0 && !bytes.empty())
      feed(stream, bytes);
    stream.next_out = reinterpret_cast<Bytef *>(buffer);
    stream.avail_out = sizeof(buffer);
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, sizeof(buffer) - stream.avail_out);
    bool moreInput = stream.avail_in > 0 || !bytes.empty();
    if (status == Z_STREAM_END && moreInput && inflateReset(&stream) == Z_OK) // gzip files may be joined
      continue;
    if (status != Z_OK || out.size() > kMostText)
      break;
  }
  inflateEnd(&stream);
  if (status == Z_STREAM_END)
    return out;
  if (out.size() > kMostText)
    return Error{ErrorKind::Malformed, "the gzip data is longer than 2 GiB"};
  return Error{ErrorKind::Malformed, status == Z_BUF_ERROR ? "the gzip data ends early" : "the gzip data is damaged"};
}

} // namespace ferry::sdfg
