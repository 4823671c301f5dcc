// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is a variable, written where it is computed; a constant is written where it is used. What a loop carries, or
// a branch gives, is a variable that its body assigns to. Integers are signed where they are stored; arithmetic that
// may wrap goes through the unsigned type, since overflow of signed numbers is undefined in C.

#include "codegen/opencl/Text.h"
#include "codegen/KernelForm.h"
#include "codegen/Locations.h"
#include "codegen/opencl/Operations.h"
#include "codegen/opencl/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::codegen::opencl {

namespace {

// What each program begins with. See runtime/kernel_status.h.
constexpr char prelude[] = R"(#pragma OPENCL FP_CONTRACT OFF
#define FAIL(order, number, a, b, c, d) do { ferry_leave(status, launch, order, number, a, b, c, d); return; } while (0)
void ferry_leave(__global long *status, long launch, long item, long number, long a, long b, long c, long d) {
  bool done = false;
  while (!done)
    if (atomic_cmpxchg((volatile __global int *)status, 0, 1) == 0) {
      if (status[1] == 0 || item < status[2]) {
        status[1] = launch;
        status[2] = item;
        status[3] = number;
        status[4] = a;
        status[5] = b;
        status[6] = c;
        status[7] = d;
      }
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg((volatile __global int *)status, 0);
      done = true;
    }
}
)";

// The heap of an item: pieces one behind the other, each with its bytes and its references before it.
constexpr char heapPrelude[] = R"(
__global uchar *ferry_alloc(__global uchar *heap, long bytes, long asked) {
  long need = ((asked + 15) & ~15L) + 16;
  long at = 0;
  while (at < bytes) {
    __global long *piece = (__global long *)(heap + at);
    if (piece[1] == 0) {
      while (at + piece[0] < bytes && ((__global long *)(heap + at + piece[0]))[1] == 0)
        piece[0] += ((__global long *)(heap + at + piece[0]))[0];
      if (piece[0] >= need) {
        if (piece[0] > need) {
          __global long *rest = (__global long *)(heap + at + need);
          rest[0] = piece[0] - need;
          rest[1] = 0;
          piece[0] = need;
        }
        piece[1] = 1;
        return heap + at + 16;
      }
    }
    at += piece[0];
  }
  return 0;
}
void ferry_count(__global uchar *heap, long bytes, __global uchar *block, long by) {
  if (block >= heap && block < heap + bytes)
    ((__global long *)(block - 16))[1] += by;
}
)";

// Of kernels whose items work in groups of GROUP_SIZE, which the program is built with. In what an item does apart it
// goes on behind that if it fails; the group ends where it meets next.
constexpr char groupPrelude[] = R"(
#ifndef GROUP_SIZE
#define GROUP_SIZE 256
#endif
#if GROUP_SIZE == 1
#define BARRIER()
#else
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
#define FAIL_APART(end, order, number, a, b, c, d) \
  do { ferry_leave(status, launch, order, number, a, b, c, d); group_failed = 1; goto end; } while (0)
#define BARRIER_OR_END() \
  do { BARRIER(); bool has_failed = group_failed; BARRIER(); if (has_failed) return; } while (0)
)";

class Writer {
public:
  explicit Writer(llvm::raw_ostream &out) : out(out) {}

  bool kernel(LLVM::LLVMFuncOp function) {
    auto kinds = cast<StringAttr>(function->getAttr(kKernel)).getValue();
    Place place = placeOf(function.getLoc());
    out << "\n";
    if (!place.file.empty())
      out << "// " << place.file << ":" << place.line << ":" << place.column << "\n";
    auto group = function->getAttrOfType<IntegerAttr>(kGroup);
    out << "__kernel " << (group ? "__attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))\n" : "") << "void "
        << function.getName() << "(";
    Block &setup = function.getBody().front();
    std::string prologue;
    for (auto [index, kind] : llvm::enumerate(kinds)) {
      Value argument = setup.getArgument(index + 1);
      std::string name = "a" + std::to_string(index);
      names[argument] = name;
      if (kind == 'p') {
        spaces[argument] = Space::global;
        out << "__global uchar *" << name << "_block, long " << name << "_offset, ";
        prologue += "  __global uchar *" + name + " = " + name + "_block + " + name + "_offset;\n";
      } else {
        out << "long " << name << "_bits, ";
        prologue += "  " + typeName(argument.getType()) + " " + name + " = " +
                    fromBits(argument.getType(), name + "_bits") + ";\n";
      }
    }
    names[setup.getArgument(0)] = "item";
    out << "__global long *status, long launch, long items) {\n" << prologue;
    if (group)
      beginGroup(function, group.getInt());
    else
      out << "  long item = get_global_id(0);\n  if (item >= items)\n    return;\n";
    out << "  if (status[1] != 0 && status[1] != launch)\n    return;\n";
    depth = 1;
    if (auto heap = function->getAttrOfType<IntegerAttr>(kHeap)) {
      auto number = [&](int64_t more) { return "a" + std::to_string(heap.getInt() + more); };
      out << "  __global uchar *heap = " << number(0) << " + item * " << number(1) << ";\n"
          << "  long heap_bytes = " << number(1) << ";\n"
          << "  for (; item < " << number(2) << "; item += items) {\n"
          << (group ? "  BARRIER();\n  if (get_local_id(0) == 0) {\n" : "  {\n")
          << "    ((__global long *)heap)[0] = heap_bytes;\n    ((__global long *)heap)[1] = 0;\n  }\n";
      hasHeap = true;
    }
    for (Block &part : function.getBody())
      block(part);
    out << (hasHeap ? "  }\n}\n" : "}\n");
    return !hasFailed;
  }

private:
  enum class Space { global, group, item };

  void beginGroup(LLVM::LLVMFuncOp function, int64_t bytes) {
    bool canFail = false;
    function.walk([&](LLVM::CallOp call) { canFail |= call.getCallee() == kBarrierOrEnd; });
    if (bytes > 0)
      out << "  __local long group_memory[" << (bytes + 7) / 8 << "];\n";
    if (canFail)
      out << "  __local int group_failed;\n";
    out << "  long item = get_group_id(0);\n";
    if (canFail)
      out << "  if (get_local_id(0) == 0)\n    group_failed = 0;\n  BARRIER();\n";
  }

  llvm::raw_ostream &line() { return out.indent(2 * depth); }

  std::string fresh(Value value) { return names[value] = "x" + std::to_string(count++); }

  std::string typeOf(Value value) {
    if (!isa<LLVM::LLVMPointerType>(value.getType()))
      return typeName(value.getType());
    return spaceOf(value) + "uchar *";
  }

  std::string name(Value value) {
    if (auto known = value.getDefiningOp<arith::ConstantOp>())
      return literal(known.getValue());
    if (value.getDefiningOp<LLVM::ZeroOp>())
      return "0";
    auto found = names.find(value);
    return found == names.end() ? fail(value.getDefiningOp()) : found->second;
  }

  std::string fail(Operation *op) {
    if (op && !hasFailed)
      op->emitError() << "'" << op->getName() << "' has no form in OpenCL C";
    hasFailed = true;
    return "?";
  }

  void block(Block &block) {
    for (Operation &op : block)
      operation(op);
  }

  // Assigns to several variables at once: what is assigned may be one of them.
  void assign(ValueRange to, ValueRange from) {
    SmallVector<std::string> sources;
    for (auto [target, source] : llvm::zip(to, from)) {
      std::string text = name(source);
      bool isOverwritten = to.size() > 1 && llvm::is_contained(to, source) && source != target;
      if (isOverwritten) {
        std::string copy = "x" + std::to_string(count++);
        line() << typeOf(target) << " " << copy << " = " << text << ";\n";
        text = copy;
      }
      sources.push_back(text);
    }
    for (auto [target, source] : llvm::zip(to, sources))
      if (name(target) != source)
        line() << name(target) << " = " << source << ";\n";
  }

  void declare(Value value, Value like) {
    if (like)
      spaces[value] = spaces.lookup(like);
    std::string type = typeOf(value), own = fresh(value);
    line() << type << " " << own << ";\n";
  }

  void operation(Operation &op) {
    if (isOpTriviallyDead(&op))
      return;
    llvm::TypeSwitch<Operation *>(&op)
        .Case<arith::ConstantOp, LLVM::ZeroOp, LLVM::BrOp, LLVM::ReturnOp, scf::YieldOp, scf::ConditionOp>([](auto) {})
        .Case<LLVM::PoisonOp, LLVM::InsertElementOp>([](auto) {}) // what a spread begins with
        .Case<LLVM::ShuffleVectorOp>([&](LLVM::ShuffleVectorOp shuffle) { spreadNumber(shuffle); })
        .Case<scf::ForOp>([&](scf::ForOp loop) { forLoop(loop); })
        .Case<scf::WhileOp>([&](scf::WhileOp loop) { whileLoop(loop); })
        .Case<scf::IfOp>([&](scf::IfOp branch) { ifElse(branch); })
        .Case<scf::ExecuteRegionOp>([&](scf::ExecuteRegionOp region) { apart(region); })
        .Case<LLVM::LoadOp>([&](LLVM::LoadOp load) {
          define(load.getResult(), loaded(load.getType(), spaceOf(load.getAddr()), name(load.getAddr())));
        })
        .Case<LLVM::StoreOp>([&](LLVM::StoreOp store) {
          line() << stored(store.getValue().getType(), spaceOf(store.getAddr()), name(store.getAddr()),
                           name(store.getValue()))
                 << ";\n";
        })
        .Case<LLVM::GEPOp>([&](LLVM::GEPOp address) { element(address); })
        .Case<LLVM::AllocaOp>([&](LLVM::AllocaOp slots) { stack(slots); })
        .Case<LLVM::MemcpyOp>([&](LLVM::MemcpyOp copy) {
          line() << "for (long i = 0; i < " << name(copy.getLen()) << "; ++i)\n";
          line() << "  " << name(copy.getDst()) << "[i] = " << name(copy.getSrc()) << "[i];\n";
        })
        .Case<LLVM::CallOp>([&](LLVM::CallOp call) { callOf(call); })
        .Default([&](Operation *other) {
          SmallVector<std::string> operands;
          for (Value operand : other->getOperands())
            operands.push_back(name(operand));
          std::optional<std::string> text = expressionOf(*other, operands);
          if (!text || other->getNumResults() != 1)
            fail(other);
          else if (isReassociable(*other))
            regroup(other->getResult(0), *text);
          else
            define(other->getResult(0), *text);
        });
  }

  void define(Value value, const std::string &text) {
    std::string type = typeOf(value);
    line() << type << " " << fresh(value) << " = " << text << ";\n";
  }

  // OpenCL C has a flag for it only for whole programs; the pragma is clang's, which drivers compile with. Vectors go
  // side by side already.
  static bool isReassociable(Operation &op) {
    auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
    auto flags = fast ? fast.getFastMathFlagsAttr() : nullptr; // conversions may have none
    return flags && !isa<VectorType>(op.getResult(0).getType()) &&
           bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::reassoc);
  }

  void regroup(Value value, const std::string &text) {
    declare(value, {});
    line() << "{\n";
    out << "#pragma clang fp reassociate(on)\n";
    line() << "  " << name(value) << " = " << text << ";\n";
    line() << "}\n";
  }

  void spreadNumber(LLVM::ShuffleVectorOp shuffle) {
    auto inserted = shuffle.getV1().getDefiningOp<LLVM::InsertElementOp>();
    if (!inserted || llvm::any_of(shuffle.getMask(), [](int32_t lane) { return lane != 0; }))
      fail(shuffle);
    else
      define(shuffle.getResult(), spread(shuffle.getType(), name(inserted.getValue())));
  }

  std::string spaceOf(Value address) {
    switch (spaces.lookup(address)) {
    case Space::global:
      return "__global ";
    case Space::group:
      return "__local ";
    default:
      return "";
    }
  }

  void element(LLVM::GEPOp address) {
    spaces[address.getResult()] = spaces.lookup(address.getBase());
    int64_t bytes = (address.getElemType().getIntOrFloatBitWidth() + 7) / 8;
    auto index = address.getIndices()[0];
    auto known = dyn_cast<IntegerAttr>(index);
    std::string offset = known ? std::to_string(known.getInt() * bytes)
                               : name(cast<Value>(index)) + (bytes == 1 ? "" : " * " + std::to_string(bytes));
    define(address.getResult(), name(address.getBase()) + " + " + offset);
  }

  void stack(LLVM::AllocaOp slots) {
    spaces[slots.getResult()] = Space::item;
    auto count = slots.getArraySize().getDefiningOp<arith::ConstantIntOp>();
    if (!count) {
      fail(slots);
      return;
    }
    std::string storage = "x" + std::to_string(this->count++);
    line() << "long " << storage << "[" << count.value() << "];\n";
    define(slots.getResult(), "(uchar *)" + storage);
  }

  void callOf(LLVM::CallOp call) {
    StringRef callee = call.getCallee().value_or("");
    SmallVector<std::string> arguments;
    for (Value operand : call.getArgOperands())
      arguments.push_back(name(operand));
    if (callee == kFail) {
      line() << (endOfApart.empty() ? "FAIL(" : "FAIL_APART(" + endOfApart + ", ") << llvm::join(arguments, ", ")
             << ");\n";
      return;
    }
    if (callee == kBarrier || callee == kBarrierOrEnd) {
      line() << (callee == kBarrier ? "BARRIER();\n" : "BARRIER_OR_END();\n");
      return;
    }
    if (callee.starts_with(kAtomicAdd) || callee.starts_with(kCompareExchange)) {
      atomic(call, callee.starts_with(kAtomicAdd) ? "add" : "cmpxchg", arguments);
      return;
    }
    if (callee == kLocalId || callee == kGroupSize) {
      define(call.getResult(), callee == kLocalId ? "GROUP_SIZE == 1 ? 0 : get_local_id(0)" : "GROUP_SIZE");
      return;
    }
    if (callee == kLocalMemory) {
      spaces[call.getResult()] = Space::group;
      define(call.getResult(), "(__local uchar *)group_memory");
      return;
    }
    if (callee == kAllocate) {
      spaces[call.getResult()] = Space::global;
      define(call.getResult(), "ferry_alloc(heap, heap_bytes, " + arguments[2] + ")");
      return;
    }
    if (callee == kOffset) {
      define(call.getResult(), "(long)(" + arguments[1] + " - " + arguments[0] + ")");
      return;
    }
    if (callee == kRetain || callee == kRelease) {
      if (hasHeap)
        line() << "ferry_count(heap, heap_bytes, " << arguments[0] << ", " << (callee == kRetain ? "1" : "-1")
               << ");\n";
      return;
    }
    std::optional<std::string> function = libraryFunction(callee);
    if (!function || call.getNumResults() != 1)
      fail(call);
    else
      define(call.getResult(), (call.getResult().getType().isF16() ? "ferry_half(" : "(") + *function + "(" +
                                   llvm::join(arguments, ", ") + "))");
  }

  // The functions for 64 bits, of an extension, have names of their own.
  void atomic(LLVM::CallOp call, const std::string &name, SmallVector<std::string> arguments) {
    bool isWide = call.getArgOperands().back().getType().isInteger(64);
    arguments[0] =
        "(volatile " + spaceOf(call.getArgOperands().front()) + (isWide ? "long *)(" : "int *)(") + arguments[0] + ")";
    std::string text = (isWide ? "atom_" : "atomic_") + name + "(" + llvm::join(arguments, ", ") + ")";
    if (call.getNumResults() == 1)
      define(call.getResult(), text);
    else
      line() << text << ";\n";
  }

  void apart(scf::ExecuteRegionOp region) {
    bool canFail = false;
    region.walk([&](LLVM::CallOp call) { canFail |= call.getCallee() == kFail; });
    if (canFail)
      endOfApart = "end_" + std::to_string(count++);
    line() << "{\n";
    ++depth;
    block(region.getRegion().front());
    --depth;
    line() << "}\n";
    if (canFail)
      line() << endOfApart << ":;\n";
    endOfApart.clear();
  }

  void ifElse(scf::IfOp branch) {
    scf::YieldOp yield = branch.thenYield();
    // An address from both arms: its space is that of either.
    for (auto [result, value] : llvm::zip(branch.getResults(), yield.getOperands())) {
      preview(branch.getThenRegion(), value);
      declare(result, value);
    }
    line() << "if (" << name(branch.getCondition()) << ") {\n";
    arm(branch.getThenRegion().front(), branch.getResults());
    if (!branch.getElseRegion().empty()) {
      line() << "} else {\n";
      arm(branch.getElseRegion().front(), branch.getResults());
    }
    line() << "}\n";
  }

  // The space of an address that an arm not yet written gives.
  void preview(Region &region, Value value) {
    if (!isa<LLVM::LLVMPointerType>(value.getType()) || names.contains(value))
      return;
    Value origin = value;
    while (auto address = origin.getDefiningOp<LLVM::GEPOp>())
      origin = address.getBase();
    spaces[value] = origin.getDefiningOp<LLVM::AllocaOp>() ? Space::item
                    : names.contains(origin)               ? spaces.lookup(origin)
                                                           : Space::global;
  }

  void arm(Block &body, ValueRange results) {
    ++depth;
    block(body);
    assign(results, body.getTerminator()->getOperands());
    --depth;
  }

  // A loop's arguments, as variables that begin with the initial values.
  void begin(ValueRange arguments, ValueRange initial) {
    for (auto [argument, init] : llvm::zip(arguments, initial)) {
      spaces[argument] = spaces.lookup(init);
      define(argument, name(init));
    }
  }

  // What a loop gives is in its arguments' variables.
  void rename(ValueRange results, ValueRange arguments) {
    for (auto [result, argument] : llvm::zip(results, arguments)) {
      spaces[result] = spaces.lookup(argument);
      names[result] = names.lookup(argument);
    }
  }

  void forLoop(scf::ForOp loop) {
    begin(loop.getRegionIterArgs(), loop.getInitArgs());
    std::string index = fresh(loop.getInductionVar()), type = typeName(loop.getInductionVar().getType());
    std::string before = loop.getUnsignedCmp() ? "(u" + type + ")" : "";
    if (auto copies = loop->getAttrOfType<IntegerAttr>(kUnroll))
      out << "#pragma unroll " << copies.getInt() << "\n";
    line() << "for (" << type << " " << index << " = " << name(loop.getLowerBound()) << "; " << before << index << " < "
           << before << name(loop.getUpperBound()) << "; " << index << " += " << name(loop.getStep()) << ") {\n";
    ++depth;
    block(*loop.getBody());
    assign(loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOperands());
    --depth;
    line() << "}\n";
    rename(loop.getResults(), loop.getRegionIterArgs());
  }

  void whileLoop(scf::WhileOp loop) {
    begin(loop.getBeforeArguments(), loop.getInits());
    scf::ConditionOp condition = loop.getConditionOp();
    for (auto [argument, passed] : llvm::zip(loop.getAfterArguments(), condition.getArgs())) {
      preview(loop.getBefore(), passed);
      declare(argument, passed);
    }
    rename(loop.getResults(), loop.getAfterArguments());
    line() << "while (true) {\n";
    ++depth;
    block(*loop.getBeforeBody());
    assign(loop.getAfterArguments(), condition.getArgs());
    line() << "if (!" << name(condition.getCondition()) << ")\n";
    line() << "  break;\n";
    block(*loop.getAfterBody());
    assign(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
    --depth;
    line() << "}\n";
  }

  llvm::raw_ostream &out;
  llvm::DenseMap<Value, std::string> names;
  llvm::DenseMap<Value, Space> spaces;
  unsigned depth = 0, count = 0;
  bool hasFailed = false, hasHeap = false;
  std::string endOfApart; // the label behind what an item of a group does by itself, if that can fail
};

} // namespace

static std::string wideOf(StringRef name) { return name.str() + "64"; }

// What is in front of the kernels depends on what they use.
static std::string preludeOf(ModuleOp module) {
  bool hasHalf = false, hasDouble = false, hasHeap = false, hasGroups = false, isNarrowed = false, hasAtomics = false;
  auto note = [&](Type type) {
    hasHalf |= type.isF16();
    hasDouble |= type.isF64();
  };
  for (LLVM::LLVMFuncOp function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!function->hasAttr(kKernel))
      continue;
    hasHeap |= function->hasAttr(kHeap);
    hasGroups |= function->hasAttr(kGroup);
    llvm::for_each(function.getArgumentTypes(), note);
    function.walk([&](Operation *op) {
      llvm::for_each(op->getResultTypes(), note);
      auto call = dyn_cast<LLVM::CallOp>(op);
      hasAtomics |= call && llvm::is_contained({wideOf(kAtomicAdd), wideOf(kCompareExchange)}, call.getCallee());
      auto narrowed = dyn_cast<arith::TruncFOp>(op);
      isNarrowed |= narrowed && narrowed.getType().isF16() && narrowed.getIn().getType().isF64();
    });
  }
  std::string text;
  for (auto [isUsed, part] : {std::pair<bool, const char *>(hasDouble, doublePrelude),
                              {hasAtomics, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"},
                              {true, prelude},
                              {hasHalf, halfPrelude},
                              {isNarrowed, doubleToHalfPrelude},
                              {hasHeap, heapPrelude},
                              {hasGroups, groupPrelude}})
    if (isUsed)
      text += part;
  return text;
}

std::optional<std::string> textOfKernels(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (LLVM::LLVMFuncOp function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!function->hasAttr(kKernel))
      continue;
    if (text.empty())
      out << preludeOf(module);
    if (!Writer(out).kernel(function))
      return std::nullopt;
  }
  return text;
}

} // namespace ferry::codegen::opencl
