// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cuda/staging.h"

#include <algorithm>
#include <cstring>

namespace ferry::runtime::cuda {

static constexpr int64_t bufferBytes = int64_t(4) << 20;

Result Staging::open(StreamHandle on) {
  stream = on;
  Result code = success;
  for (Buffer &buffer : buffers) {
    if (code == success)
      code = cuda.cuMemAllocHost(&buffer.memory, static_cast<size_t>(bufferBytes));
    if (code == success)
      code = cuda.cuEventCreate(&buffer.used, withoutTime);
  }
  return code;
}

void Staging::close() {
  for (Buffer &buffer : buffers) {
    if (buffer.used)
      cuda.cuEventDestroy(buffer.used);
    if (buffer.memory)
      cuda.cuMemFreeHost(buffer.memory);
  }
}

Result Staging::finish(Buffer &buffer) {
  if (!buffer.isInUse)
    return success;
  buffer.isInUse = false;
  Result code = cuda.cuEventSynchronize(buffer.used);
  if (code == success && buffer.host)
    std::memcpy(buffer.host, buffer.memory, buffer.bytes);
  return code;
}

Result Staging::next(Buffer *&buffer) {
  last = 1 - last;
  buffer = &buffers[last];
  return finish(*buffer);
}

Result Staging::send(Buffer &buffer) {
  Result code = cuda.cuEventRecord(buffer.used, stream);
  buffer.isInUse = code == success;
  return code;
}

Result Staging::upload(Address to, const void *host, int64_t bytes) {
  for (int64_t done = 0; done < bytes; done += bufferBytes) {
    auto size = static_cast<size_t>(std::min(bytes - done, bufferBytes));
    Buffer *buffer = nullptr;
    Result code = next(buffer);
    if (code != success)
      return code;
    std::memcpy(buffer->memory, static_cast<const char *>(host) + done, size);
    buffer->host = nullptr;
    code = cuda.cuMemcpyHtoDAsync(to + static_cast<Address>(done), buffer->memory, size, stream);
    if (code == success)
      code = send(*buffer);
    if (code != success)
      return code;
  }
  return success;
}

Result Staging::beginDownload(void *host, Address from, int64_t bytes) {
  Result code = success;
  for (int64_t done = 0; done < bytes && code == success; done += bufferBytes) {
    Buffer *buffer = nullptr;
    code = next(buffer);
    if (code != success)
      break;
    buffer->host = static_cast<char *>(host) + done;
    buffer->bytes = static_cast<size_t>(std::min(bytes - done, bufferBytes));
    code = cuda.cuMemcpyDtoHAsync(buffer->memory, from + static_cast<Address>(done), buffer->bytes, stream);
    if (code == success)
      code = send(*buffer);
  }
  if (code != success)
    finish(); // so that nobody writes to `host` after this has returned
  return code;
}

Result Staging::finish() {
  Result code = success;
  for (Buffer *buffer : {&buffers[1 - last], &buffers[last]})
    if (Result other = finish(*buffer); code == success)
      code = other;
  return code;
}

} // namespace ferry::runtime::cuda
