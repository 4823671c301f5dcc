// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/binaries.h"

#include "runtime/sha256.h"

namespace ferry::runtime::opencl {

Binaries::Binaries(const Driver &cl, cl_context context, const Choice &choice, std::string buildOptions)
    : cl(cl), context(context), device(choice.device), buildOptions(std::move(buildOptions)),
      cache(Cache::ofEnvironment()) {
  names = choice.platformName + "\n" + choice.deviceName + "\n" + choice.version + "\n" + choice.driverVersion;
}

std::string Binaries::keyOf(const char *source) const {
  return Sha256().field("OpenCL binary").field(source).field(buildOptions).field(names).text();
}

cl_program Binaries::find(const char *source) const {
  auto binary = cache.isOn() ? cache.load(keyOf(source)) : std::nullopt;
  if (!binary)
    return nullptr;
  const auto *bytes = reinterpret_cast<const unsigned char *>(binary->data());
  size_t size = binary->size();
  cl_int state = CL_SUCCESS, code = CL_SUCCESS;
  cl_program program = cl.clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &state, &code);
  if (!program)
    return nullptr;
  if (code == CL_SUCCESS && state == CL_SUCCESS &&
      cl.clBuildProgram(program, 1, &device, buildOptions.c_str(), nullptr, nullptr) == CL_SUCCESS)
    return program;
  cl.clReleaseProgram(program);
  return nullptr;
}

void Binaries::keep(const char *source, cl_program program) const {
  size_t size = 0;
  if (!cache.isOn() ||
      cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS || size == 0)
    return;
  std::string binary(size, '\0');
  char *bytes = binary.data();
  if (cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, static_cast<void *>(&bytes), nullptr) ==
      CL_SUCCESS)
    cache.store(keyOf(source), binary);
}

} // namespace ferry::runtime::opencl
