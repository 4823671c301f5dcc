// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled programs of OpenCL in the user's cache, by source, options, device and driver. A driver may refuse a binary
// that it wrote itself, or have none; then the source is compiled.

#pragma once

#include "runtime/cache.h"
#include "runtime/opencl/driver.h"

#include <string>

namespace ferry::runtime::opencl {

class Binaries {
public:
  Binaries(const Driver &cl, cl_context context, const Choice &choice, std::string buildOptions);

  /// The built program, or null.
  cl_program find(const char *source) const;
  /// Keeps what was built.
  void keep(const char *source, cl_program program) const;

private:
  std::string keyOf(const char *source) const;

  const Driver &cl;
  cl_context context;
  cl_device_id device;
  std::string buildOptions, names; ///< names: of device and driver
  Cache cache;
};

} // namespace ferry::runtime::opencl
