// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/libraries.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace ferry::sdfg {

namespace {

/// Where an implementation can be called from.
struct Reach {
  bool host = false, device = false, kernel = false;
  bool from(Caller caller) const { return caller == Caller::Host ? host : caller == Caller::Device ? device : kernel; }
};
constexpr Reach kAnywhere{true, true, true}, kHost{true, false, false}, kDevice{false, true, false},
    kKernel{false, false, true}, kUnknown{};

struct Implementation {
  std::string_view name;
  Reach reach;
};

constexpr Implementation implementations[] = {
    {"pure", kAnywhere},
    {"pure-seq", kAnywhere},
    {"specialize", kAnywhere},
    {"default", kHost},
    {"MKL", kHost},
    {"OpenBLAS", kHost},
    {"OpenMP", kHost},
    {"HPTT", kHost},
    {"TTGT", kHost},
    {"MPI", kHost},
    {"PBLAS", kHost},
    {"MKLMPICH", kHost},
    {"MKLOpenMPI", kHost},
    {"ReferenceMPICH", kHost},
    {"ReferenceOpenMPI", kHost},
    {"cuBLAS", kDevice},
    {"cuSolverDn", kDevice},
    {"cuSPARSE", kDevice},
    {"cuFFT", kDevice},
    {"cuTENSOR", kDevice},
    {"rocBLAS", kDevice},
    {"CUB", kDevice},
    {"CUDA (device)", kDevice},
    {"GPUAuto", kDevice},
    {"CUDA (block)", kKernel},
    {"CUDA (block allreduce)", kKernel},
};

struct Kind {
  std::string_view library, name;
  std::string_view graph;  ///< The implementation that is a graph of DaCe's own and runs anywhere; empty: none.
  std::string_view device; ///< The device's library that is chosen for it; empty: none.
  bool hasDefault;         ///< `graph` is what DaCe takes where none is named, whatever is configured.
};

// DaCe 1.0.2 makes no code on the device of an Einsum, which becomes graphs in graphs, nor of an Inv, in whose
// expansion for it a symbol is not defined.
constexpr Kind kinds[] = {
    {"blas", "Axpy", "pure", "", false},
    {"blas", "BatchedMatMul", "pure", "cuBLAS", false},
    {"blas", "Dot", "pure", "cuBLAS", false},
    {"blas", "Gemm", "pure", "cuBLAS", false},
    {"blas", "Gemv", "pure", "cuBLAS", false},
    {"blas", "Ger", "pure", "", false},
    {"blas", "MatMul", "specialize", "", true},
    {"fft", "FFT", "pure", "cuFFT", true},
    {"fft", "IFFT", "pure", "cuFFT", true},
    {"lapack", "Getrf", "", "cuSolverDn", false},
    {"lapack", "Getrs", "", "cuSolverDn", false},
    {"lapack", "Potrf", "", "cuSolverDn", false},
    {"linalg", "Cholesky", "", "cuSolverDn", false},
    {"linalg", "Solve", "", "cuSolverDn", false},
    {"linalg", "TensorDot", "pure", "", false},
    {"sparse", "CSRMM", "pure", "cuSPARSE", false},
    {"sparse", "CSRMV", "pure", "cuSPARSE", false},
    {"standard", "Reduce", "pure", "", true},
    {"standard", "TensorTranspose", "pure", "", true},
    {"standard", "Transpose", "pure", "", true},
    {"stencil", "Stencil", "pure", "", true},
};

/// DaCe's own that the host alone runs.
constexpr std::string_view kHostLibraries[] = {"blas", "lapack", "linalg", "mpi", "pblas", "standard"};

std::string classOf(const Node &library) {
  const Json *path = library.json.find("classpath");
  return path && path->string() ? *path->string() : "";
}

/// "blas" and "Gemm" of dace.libraries.blas.nodes.gemm.Gemm; empty if it is not one of DaCe's.
std::pair<std::string, std::string> partsOf(const std::string &path) {
  constexpr std::string_view prefix = "dace.libraries.";
  if (!path.starts_with(prefix))
    return {};
  std::string rest = path.substr(prefix.size());
  return {rest.substr(0, rest.find('.')), rest.substr(rest.find_last_of('.') + 1)};
}

const Kind *kindOf(const Node &library) {
  auto [group, name] = partsOf(classOf(library));
  auto found = std::find_if(std::begin(kinds), std::end(kinds),
                            [&](const Kind &kind) { return kind.library == group && kind.name == name; });
  return found == std::end(kinds) ? nullptr : found;
}

Reach reachOf(std::string_view implementation) {
  for (const Implementation &each : implementations)
    if (each.name == implementation)
      return each.reach;
  return kUnknown;
}

std::string named(const Node &library) { return library.stringAttribute("implementation").value_or(""); }

bool isDaCesForTheHost(const Node &library) {
  auto [group, name] = partsOf(classOf(library));
  return std::find(std::begin(kHostLibraries), std::end(kHostLibraries), group) != std::end(kHostLibraries);
}

// ---- Operands

struct Operand {
  const Container *container = nullptr;
  const Subset *subset = nullptr;

  std::string type() const { return container ? container->elementType() : ""; }
  bool isIndex() const { return type() == "int32" || type() == "int64"; }

  /// Whether its rows are contiguous, one behind the other at a fixed distance.
  bool isPlain() const {
    if (!container || !subset || !container->isArray() || container->strides != rowMajor(container->shape))
      return false;
    const std::vector<SymbolicRange> &dims = subset->dims;
    bool hasSteps = std::any_of(dims.begin(), dims.end(), [](const SymbolicRange &dim) { return !(dim.step == 1); });
    return !hasSteps && (dims.size() == 1 || !(dims.back().begin == dims.back().end));
  }
};

std::vector<Operand> operands(const Sdfg &sdfg, const State &state, NodeId library) {
  std::vector<Operand> result;
  for (const DataEdge &edge : state.edges)
    if ((edge.from == library || edge.to == library) && !edge.memlet.isEmpty())
      result.push_back({sdfg.find(edge.memlet.container()), edge.memlet.subset ? &*edge.memlet.subset : nullptr});
  return result;
}

/// Whether all are of one type that the device's libraries compute in.
bool areFloats(const std::vector<Operand> &operands) {
  static const std::set<std::string> types = {"float32", "float64", "complex64", "complex128"};
  std::set<std::string> found;
  for (const Operand &each : operands)
    found.insert(each.type());
  return found.size() == 1 && types.contains(*found.begin());
}

bool arePlainFloats(const std::vector<Operand> &operands) {
  return areFloats(operands) &&
         std::all_of(operands.begin(), operands.end(), [](const Operand &each) { return each.isPlain(); });
}

/// Whether a device's library takes these operands: what its expansion in DaCe asks for, and no more than that.
bool takes(std::string_view implementation, const Sdfg &sdfg, const State &state, NodeId library) {
  std::vector<Operand> all = operands(sdfg, state, library);
  if (implementation == "cuBLAS")
    return arePlainFloats(all);
  if (implementation == "cuFFT") {
    const Json *factor = state.nodes[library].attribute("factor");
    bool isOne = factor && ((factor->string() && *factor->string() == "1") || factor->integer() == 1);
    return isOne && arePlainFloats(all) && all.front().type().starts_with("complex");
  }
  std::erase_if(all, [](const Operand &each) { return each.isIndex(); });
  return areFloats(all);
}

// ---- MatMul

/// What DaCe makes of a MatMul for the ranks of its operands, so that it can be one of the device's library.
struct Product {
  std::size_t left, right;
  std::string_view module, name;
  std::string_view connectors[3]; ///< For `_a`, `_b`, `_c`.
  bool transposed = false;
};

constexpr Product products[] = {
    {2, 2, "gemm", "Gemm", {"_a", "_b", "_c"}},
    {2, 3, "batched_matmul", "BatchedMatMul", {"_a", "_b", "_c"}},
    {3, 3, "batched_matmul", "BatchedMatMul", {"_a", "_b", "_c"}},
    {2, 1, "gemv", "Gemv", {"_A", "_x", "_y"}},
    {1, 2, "gemv", "Gemv", {"_x", "_A", "_y"}, true},
    {1, 1, "dot", "Dot", {"_x", "_y", "_result"}},
};

/// The dimensions of what an operand is handed; DaCe leaves out those of one element.
std::size_t rankOf(const DataEdge &edge) {
  if (!edge.memlet.subset)
    return 0;
  const std::vector<SymbolicRange> &dims = edge.memlet.subset->dims;
  return static_cast<std::size_t>(
      std::count_if(dims.begin(), dims.end(), [](const SymbolicRange &dim) { return !(dim.begin == dim.end); }));
}

void renameConnector(Node &node, std::optional<std::string> &connector, bool in, std::string_view name) {
  if (*connector == name)
    return;
  node.removeConnector(in, *connector);
  node.addConnector(in, std::string(name));
  connector = std::string(name);
}

/// Turns a MatMul that only writes its result into what DaCe would make of it. Nothing where that cannot be told.
void specialize(State &state, NodeId library) {
  static constexpr std::string_view connectors[] = {"_a", "_b", "_c"};
  DataEdge *edges[3] = {};
  for (DataEdge &edge : state.edges)
    for (int i = 0; i < 3; ++i)
      if ((i < 2 ? edge.to : edge.from) == library && (i < 2 ? edge.toConnector : edge.fromConnector) == connectors[i])
        edges[i] = &edge;
  Node &node = state.nodes[library];
  const Json *beta = node.attribute("beta");
  if (!edges[0] || !edges[1] || !edges[2] || edges[2]->memlet.wcr || (beta && beta->integer() != 0))
    return;
  auto found = std::find_if(std::begin(products), std::end(products), [&](const Product &product) {
    return product.left == rankOf(*edges[0]) && product.right == rankOf(*edges[1]);
  });
  if (found == std::end(products))
    return;
  for (int i = 0; i < 3; ++i)
    renameConnector(node, i < 2 ? edges[i]->toConnector : edges[i]->fromConnector, i < 2, found->connectors[i]);
  node.json.set("classpath",
                "dace.libraries.blas.nodes." + std::string(found->module) + "." + std::string(found->name));
  if (found->name == "Gemm")
    node.setAttribute("cin", false);
  if (found->transposed)
    node.setAttribute("transA", true);
}

} // namespace

bool namesDeviceImplementation(const Node &library) {
  Reach reach = reachOf(named(library));
  return reach.device && !reach.host;
}

std::string whyNoImplementation(const Node &library, Caller caller) {
  const Kind *kind = kindOf(library);
  Reach reach = reachOf(named(library));
  std::string type = classOf(library).substr(classOf(library).find_last_of('.') + 1);
  if (caller == Caller::Host)
    return "";
  std::string where = caller == Caller::Device ? "on the device" : "in a kernel";
  if (!kind)
    return reach.from(caller) && !isDaCesForTheHost(library) ? "" : "DaCe has no " + type + " " + where;
  bool has = !kind->graph.empty() || (caller == Caller::Device && !kind->device.empty());
  return has ? "" : "DaCe has no " + type + " " + where;
}

void chooseImplementation(const Sdfg &sdfg, State &state, NodeId library, Caller caller) {
  Node &node = state.nodes[library];
  std::string name = named(node);
  const Kind *kind = kindOf(node);
  if (caller == Caller::Device && name.empty() && kind && kind->name == "MatMul" &&
      takes("cuBLAS", sdfg, state, library)) {
    specialize(state, library);
    kind = kindOf(node);
  }
  Reach reach = reachOf(name);
  if (!kind || reach.from(caller))
    return;
  bool isOpen = name.empty();
  if (caller == Caller::Host) {
    bool isHosts = isOpen || !(reach.device || reach.kernel);
    if (!isHosts)
      node.setAttribute("implementation", kind->graph.empty() ? Json() : Json(std::string(kind->graph)));
  } else if (caller == Caller::Device && !kind->device.empty() && takes(kind->device, sdfg, state, library)) {
    node.setAttribute("implementation", std::string(kind->device));
  } else if (!kind->graph.empty() && !(isOpen && kind->hasDefault)) {
    node.setAttribute("implementation", std::string(kind->graph));
  }
}

} // namespace ferry::sdfg
