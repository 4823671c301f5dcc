// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between the host's arrays and a GPU through pinned memory: two buffers, so that one is filled or emptied while
// the other is on the bus.

#pragma once

#include "runtime/cuda/driver.h"
#include "runtime/device.h"

#include <array>

namespace ferry::runtime::cuda {

class Staging {
public:
  explicit Staging(const Driver &cuda) : cuda(cuda) {}

  /// Both in the current context; the stream outlives what is between them.
  Result open(StreamHandle stream);
  void close();

  /// Returns when `host` has been read; the bytes are in device memory when the stream has come that far.
  Result upload(Address to, const void *host, int64_t bytes);
  /// The last bytes, as many as the buffers hold, are in `host` when `finish` has returned; those before them now.
  Result beginDownload(void *host, Address from, int64_t bytes);
  /// Waits for what is in the buffers, with everything that the stream was given before.
  Result finish();

private:
  struct Buffer {
    void *memory = nullptr;
    EventHandle used = nullptr; ///< when the bus is done with it
    bool isInUse = false;
    void *host = nullptr; ///< where its bytes go then, or null
    size_t bytes = 0;
  };
  /// The one that was not used last, empty.
  Result next(Buffer *&buffer);
  Result finish(Buffer &buffer);
  Result send(Buffer &buffer);

  const Driver &cuda;
  StreamHandle stream = nullptr;
  std::array<Buffer, 2> buffers;
  size_t last = 0;
};

} // namespace ferry::runtime::cuda
