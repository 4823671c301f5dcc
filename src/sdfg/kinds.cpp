// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/kinds.h"

#include <iterator>

namespace ferry::sdfg {

static constexpr StorageKind storages[] = {
    {"Default", Location::Open},         {"Register", Location::Local},           {"CPU_Pinned", Location::Host},
    {"CPU_Heap", Location::Host},        {"CPU_ThreadLocal", Location::Host},     {"GPU_Global", Location::Device},
    {"GPU_Shared", Location::InKernel},  {"FPGA_Global", Location::Other},        {"FPGA_Local", Location::Other},
    {"FPGA_Registers", Location::Other}, {"FPGA_ShiftRegister", Location::Other}, {"SVE_Register", Location::Other},
    {"Snitch_TCDM", Location::Other},    {"Snitch_L2", Location::Other},          {"Snitch_SSR", Location::Other},
};

static constexpr ScheduleKind schedules[] = {
    {"Default", Location::Open},
    {"Sequential", Location::Local},
    {"MPI", Location::Other},
    {"CPU_Multicore", Location::Host},
    {"CPU_Persistent", Location::Host},
    {"Unrolled", Location::Local},
    {"SVE_Map", Location::Other},
    {"GPU_Default", Location::Device},
    {"GPU_Device", Location::Device},
    {"GPU_ThreadBlock", Location::InKernel},
    {"GPU_ThreadBlock_Dynamic", Location::InKernel},
    {"GPU_Persistent", Location::Device},
    {"FPGA_Device", Location::Other},
    {"FPGA_Multi_Pumped", Location::Other},
    {"Snitch", Location::Other},
    {"Snitch_Multicore", Location::Other},
};

// `View` and `Reference` are what DaCe before 1.0 calls views and references of arrays.
static constexpr ContainerKind containers[] = {
    {"Scalar", Shape::Scalar, Ownership::Owner},
    {"Array", Shape::Array, Ownership::Owner},
    {"Stream", Shape::Stream, Ownership::Owner},
    {"Structure", Shape::Structure, Ownership::Owner},
    {"Tensor", Shape::Structure, Ownership::Owner},
    {"ContainerArray", Shape::ContainerArray, Ownership::Owner},
    {"View", Shape::Array, Ownership::View},
    {"ArrayView", Shape::Array, Ownership::View},
    {"StructureView", Shape::Structure, Ownership::View},
    {"ContainerView", Shape::ContainerArray, Ownership::View},
    {"Reference", Shape::Array, Ownership::Reference},
    {"ArrayReference", Shape::Array, Ownership::Reference},
    {"StructureReference", Shape::Structure, Ownership::Reference},
    {"ContainerArrayReference", Shape::ContainerArray, Ownership::Reference},
};

struct PlainType {
  std::string_view name;
  unsigned bytes;
};

static constexpr PlainType types[] = {
    {"bool", 1},        {"bool_", 1},    {"int8", 1},    {"int16", 2},   {"int32", 4},         {"int64", 8},
    {"uint8", 1},       {"uint16", 2},   {"uint32", 4},  {"uint64", 8},  {"float8_e4m3fn", 1}, {"float8_e5m2", 1},
    {"float16", 2},     {"bfloat16", 2}, {"float32", 4}, {"float64", 8}, {"complex64", 8},     {"complex128", 16},
    {"MPI_Request", 8}, {"pyobject", 8}, {"string", 8},
};

template <typename Kind, std::size_t size> static const Kind *named(const Kind (&table)[size], std::string_view name) {
  for (const Kind &kind : table)
    if (kind.name == name)
      return &kind;
  return nullptr;
}

const StorageKind *storageKind(std::string_view name) { return named(storages, name); }
const ScheduleKind *scheduleKind(std::string_view name) { return named(schedules, name); }
const ContainerKind *containerKind(std::string_view name) { return named(containers, name); }

unsigned plainTypeBytes(std::string_view name) {
  const PlainType *type = named(types, name);
  return type ? type->bytes : 0;
}

} // namespace ferry::sdfg
