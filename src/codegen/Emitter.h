// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes one function of the array dialect as functions on pointers: arrays become a block, an address, extents and
// strides; SOACs become loops, cut into chunks for the run-time's threads where they are not inside another one. What
// comes out has scf, arith and math for scalars and the llvm dialect for memory and calls of the run-time.

#pragma once

#include "array/LoopExtents.h"
#include "array/Ownership.h"
#include "codegen/KernelForm.h"
#include "runtime/abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <list>

namespace ferry::codegen {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

/// An array in emitted code. Element (i, j, …) is at data + i * strides[0] + j * strides[1] + …, in elements; a bool
/// takes a byte. Without strides the array is row-major.
struct Buffer {
  mlir::Type element; ///< of the array value
  Value block;        ///< what ferry_rt_alloc gave, or a null pointer for memory that somebody else keeps alive
  Value data;
  Values sizes;
  Values strides;

  bool isContiguous() const { return strides.empty(); }
  int64_t rank() const { return sizes.size(); }
};

/// A scalar, or a row of an array.
struct Element {
  Value scalar;
  std::optional<Buffer> row;
};

/// A function being written. What it uses of the function that calls it is passed in `slots`, eight bytes each.
struct Frame {
  Frame *parent = nullptr;
  mlir::LLVM::LLVMFuncOp function;
  Value context, environment;
  bool isParallel = false;                     ///< whether a SOAC met now is cut into chunks
  bool isLaunch = false;                       ///< host code that enqueues kernels: chunks are items of them
  bool isKernel = false;                       ///< one item of a device's kernel; what it uses are its arguments
  bool isPoint = false;                        ///< of a kernel that has an item for each point of a grid
  bool isGroup = false;                        ///< what all items of a group do alike
  Value localId, groupSize;                    ///< of a kernel that runs in groups
  Value order;                                 ///< in a kernel: of several failures the one of the lowest stays
  int64_t localBytes = 0;                      ///< of the group's memory that are in use
  std::optional<std::pair<Value, Value>> heap; ///< of a kernel that makes arrays: each item's memory, and how much
  llvm::SmallVector<Value> heapNeeds;          ///< bytes of each array that a kernel makes

  llvm::DenseMap<Value, Value> scalars;       ///< of the array dialect's function → here
  llvm::DenseMap<Value, Buffer> buffers;      ///< likewise
  llvm::DenseMap<Value, Buffer> destinations; ///< memory that the maker of a fresh array is to write into
  llvm::DenseMap<Value, Buffer> cells;        ///< of scalars that only the device knows: arrays of rank 0
  llvm::DenseMap<Value, Value> captured;      ///< of the parent's function → here
  llvm::DenseMap<mlir::Attribute, Value> constants;
  /// Of each result of the map whose chunk this is, none for one of rows: nothing that the chunk reads is in its
  /// memory.
  llvm::SmallVector<mlir::Attribute> outputs;
  llvm::SmallVector<Value> slots; ///< the parent's values, null where this function leaves a result
};

/// Puts off reading scalars that come from the device to where they are used. Before anything is known of who owns
/// what.
void delayScalars(mlir::func::FuncOp function);

class Emitter {
public:
  /// Chunks have at least `grain` points; 0: as many as are worth a thread. `kernels`: launches enqueue kernels that
  /// are written as functions with the attribute kKernel, for a device that does not run host code.
  Emitter(mlir::ModuleOp module, int64_t grain, KernelLanguage kernels = KernelLanguage::none);

  /// Writes `void ferry_entry_NAME(context, slots)` beside the function. A scalar takes a slot; an array argument the
  /// slots data, extents; an array result the slots block, data, extents and a reference. Arguments come first.
  mlir::LogicalResult emitEntry(mlir::func::FuncOp function);

  /// Replaces declared functions on scalars by functions of libm.
  void declareLibrary();

  /// Makes the text of all kernels known to what enqueues them. `text` as of opencl::textOfKernels or
  /// cuda::ptxOfKernels.
  void defineKernels(llvm::StringRef text);

private:
  // ---- Scalars and memory (Emitter.cpp)
  Value constant(mlir::TypedAttr value);
  Value constant(int64_t value) { return constant(b.getI64IntegerAttr(value)); }
  Value nullPointer();
  Value scalar(Value source);
  Values scalars(mlir::ValueRange sources);
  Buffer buffer(Value source);
  llvm::SmallVector<Buffer> buffers(mlir::ValueRange sources);
  Value capture(Value outer);
  Value capture(Frame &frame, Value outer);
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value less(Value x, Value y);
  Value minimum(Value x, Value y);
  Value maximum(Value x, Value y);
  Value quotient(Value x, Value y); ///< of no negative x by a positive y
  Value product(mlir::ValueRange factors);
  mlir::Type storage(mlir::Type element);
  int64_t byteSize(mlir::Type element);
  Value bytesOf(const Buffer &array);
  Value address(const Buffer &array, Value offset);
  Value offsetOf(const Buffer &array, mlir::ValueRange indices);
  Value strideOf(const Buffer &array, int64_t dimension);
  Value load(const Buffer &array, Value offset);
  mlir::LLVM::StoreOp store(const Buffer &array, Value offset, Value value);
  Values loadAll(llvm::ArrayRef<Buffer> arrays, Value index);
  void storeAll(llvm::ArrayRef<Buffer> arrays, Value index, mlir::ValueRange values);
  void storeOutput(const Buffer &array, Value offset, Value value, size_t output);
  Buffer rowOf(const Buffer &array, mlir::ValueRange indices);
  Buffer rowAt(const Buffer &array, Value offset, int64_t leading);
  Value stackSlots(int64_t count);
  Value slotAddress(Value slots, int64_t index);
  void setInSetup(llvm::function_ref<void()> write);

  // ---- The run-time (Runtime.cpp)
  mlir::LLVM::LLVMFuncOp runtimeFunction(llvm::StringRef name, mlir::Type result, llvm::ArrayRef<mlir::Type> arguments);
  Value call(llvm::StringRef name, mlir::Type result, mlir::ValueRange arguments);
  void call(llvm::StringRef name, mlir::ValueRange arguments);
  Value text(llvm::StringRef text); ///< ended by a zero
  Value bytes(llvm::StringRef bytes);
  mlir::LLVM::GlobalOp recordOf(llvm::ArrayRef<mlir::Attribute> members);
  Value record(llvm::ArrayRef<mlir::Attribute> members);
  Value operationRecord(mlir::Operation *op);
  void check(Value holds, FerryFailureKind kind, mlir::Location location, llvm::StringRef text,
             mlir::ValueRange values);
  void fail(FerryFailureKind kind, mlir::Location location, llvm::StringRef text, mlir::ValueRange values);
  int32_t sideFor(mlir::Operation *op);
  Value bytesToAllocate(mlir::Type element, mlir::ValueRange sizes);
  Buffer allocate(int32_t side, llvm::StringRef name, mlir::Type element, mlir::ValueRange sizes);
  Buffer makeResult(Value source, mlir::ValueRange sizes);
  void retain(const Buffer &array);
  void release(const Buffer &array);

  // ---- Control (Control.cpp)
  void emitOperations(mlir::Block &block);
  void emitBody(mlir::Block &block, llvm::function_ref<void(mlir::Operation *terminator)> end);
  void emit(mlir::Operation &op);
  void releaseAfter(mlir::Operation *op);
  void emitLibraryCall(mlir::func::CallOp op);
  void emitScalarOperation(mlir::Operation &op);
  void emitIf(mlir::scf::IfOp op);
  void emitFor(mlir::scf::ForOp op);
  void emitWhile(mlir::scf::WhileOp op);
  void emitSelect(mlir::arith::SelectOp op);
  Values emitArm(mlir::Block &block, unsigned first, mlir::ValueRange carried);
  Buffer takeOver(mlir::OpOperand &operand);
  void handOver(mlir::OpOperand &operand, Value carried, Values &out);
  Values handOverAll(llvm::MutableArrayRef<mlir::OpOperand> operands, mlir::ValueRange carried);
  void appendTypes(Value carried, llvm::SmallVectorImpl<mlir::Type> &types);
  llvm::SmallVector<mlir::Type> typesOf(mlir::ValueRange carried);
  void receive(Value carried, mlir::ValueRange values, size_t &at);
  void receiveAll(mlir::ValueRange carried, mlir::ValueRange values);

  // ---- Downloads (Awaits.cpp)
  mlir::Operation *awaitedBefore(array::TransferOp op);
  void emitAwaits(mlir::Operation *before);

  // ---- Loops and functions (Loops.cpp)
  using PointBody = llvm::function_ref<Values(mlir::ValueRange indices, Value flat, mlir::ValueRange carried)>;
  using LoopBody = llvm::function_ref<Values(Value index, mlir::ValueRange carried)>;
  Values loop(Value from, Value to, mlir::ValueRange carried, LoopBody body) {
    return loopBy(constant(1), from, to, carried, body);
  }
  Values loopBy(Value step, Value from, Value to, mlir::ValueRange carried, LoopBody body);
  Values gridLoop(mlir::ValueRange sizes, Value from, Value to, mlir::ValueRange carried, PointBody body);
  Values wholeGrid(mlir::ValueRange sizes, mlir::ValueRange carried, PointBody body);
  void when(Value condition, llvm::function_ref<void()> body);
  Values eitherWay(Value condition, mlir::TypeRange types, llvm::function_ref<Values()> whereTrue,
                   llvm::function_ref<Values()> otherwise);
  Value chunkCount(Value points, Value worthAThread);
  Value chunkCount(Value points, int64_t worthAThread) { return chunkCount(points, constant(worthAThread)); }
  Value partCount(Value points, Value worthAThread);
  int32_t scratchSide() const { return frame->isLaunch ? FERRY_WORKSPACE : FERRY_SCRATCH; }
  void inChunks(Value points, Value chunks, llvm::function_ref<void(Value chunk, Value from, Value to)> body);
  Frame &inFunction(llvm::StringRef name, bool isParallel, mlir::TypeRange arguments,
                    llvm::function_ref<void(mlir::ValueRange arguments)> body, bool isKernel = false);
  Value passSlots(const Frame &callee);
  Value here(Value value);
  Buffer here(const Buffer &array);
  llvm::SmallVector<Buffer> hereAll(llvm::ArrayRef<Buffer> arrays);
  std::pair<Value, Value> partOf(Value points, Value parts, Value part);
  void inItems(Value points, Value chunks, llvm::function_ref<void(Value chunk, Value from, Value to)> body);
  void inGrid(mlir::ValueRange sizes, int64_t grain, llvm::ArrayRef<Buffer> arrays,
              llvm::function_ref<void(llvm::ArrayRef<Buffer> arrays, mlir::ValueRange indices)> body);
  void copyElements(const Buffer &to, const Buffer &from);
  void fill(const Buffer &to, Value value);

  // ---- Copies that transpose (Transpose.cpp)
  std::optional<int64_t> transposedDimension(const Buffer &to, const Buffer &from);
  void transpose(const Buffer &to, const Buffer &from, int64_t along);
  void copySquares(Value height, Value width, llvm::function_ref<void(Value row, Value column)> copy);

  // ---- Arrays (Arrays.cpp)
  bool emitArray(mlir::Operation &op);
  void checkIndices(const Buffer &array, mlir::ValueRange sources, mlir::Operation *op);
  bool isInRange(Value source, Value size);
  void checkBox(const Buffer &array, mlir::ValueRange starts, mlir::ValueRange lengths, mlir::ValueRange strides,
                mlir::Operation *op);
  Buffer boxOf(const Buffer &array, mlir::ValueRange starts, mlir::ValueRange lengths, mlir::ValueRange strides);
  void emitUpdate(array::UpdateOp op);
  void emitInsertSlice(array::InsertSliceOp op);
  void emitSlice(array::SliceOp op);
  void emitPermute(array::PermuteOp op);
  void emitReshape(array::ReshapeOp op);
  void emitIota(array::IotaOp op);
  void emitReplicate(array::ReplicateOp op);
  void emitLiteral(array::LiteralOp op);
  std::optional<std::string> constantBytes(array::LiteralOp op);
  void emitConcat(array::ConcatOp op);
  void emitAssert(array::AssertOp op);

  // ---- SOACs (Soacs.cpp, RowReduce.cpp, Prefix.cpp, Scattered.cpp)
  /// What is reduced or scanned, in whatever function is being written.
  struct Operands {
    llvm::SmallVector<mlir::Type> types;
    bool isCommutative;
    std::function<Values()> neutral;
    std::function<Values(Value point)> at;
    std::function<Values(mlir::ValueRange left, mlir::ValueRange right)> combine;
  };
  struct Tile;
  using UsePoint = llvm::function_ref<void(Value point, mlir::ValueRange values)>;
  bool emitSoac(mlir::Operation &op);
  bool emitSoacAsIs(mlir::Operation &op);
  bool isBetterInRuns(array::MapOp op);
  void emitMap(array::MapOp op);
  void emitReduce(array::ReduceOp op);
  void atPoint(mlir::Operation *soac, Value point, llvm::function_ref<void(mlir::ValueRange indices, Value flat)> body);
  Operands operandsOf(mlir::Operation *soac, mlir::ValueRange neutral, bool isCommutative);
  void emitScalarReduce(array::ReduceOp op);
  void emitRowReduce(array::ReduceOp op);
  using UseElements = llvm::function_ref<void(llvm::ArrayRef<Element> elements)>;
  using ElementsAt = llvm::function_ref<void(mlir::ValueRange indices, Value flat, UseElements use)>;
  Values foldRows(array::ReduceOp op, llvm::ArrayRef<std::optional<Buffer>> rows,
                  llvm::function_ref<Values(mlir::ValueRange initial, PointBody body)> repeat, ElementsAt elementsAt);
  Values reduceRows(array::ReduceOp op, llvm::ArrayRef<std::optional<Buffer>> rows, Value from, Value to);
  Values reduceRowsInChunks(array::ReduceOp op, llvm::ArrayRef<std::optional<Buffer>> rows, Value points, Value chunks);
  void emitScan(array::ScanOp op);
  void emitScalarScan(array::ScanOp op);
  void scanByGroups(array::ScanOp op, const Operands &operands, Value size);
  void emitRowScan(array::ScanOp op);
  void emitFilter(array::FilterOp op);
  Value keepElement(array::FilterOp op, llvm::ArrayRef<Buffer> results, Value point, Value place);
  Value filterTogether(array::FilterOp op, const Operands &kept, llvm::ArrayRef<Buffer> results, Value size);
  void filterByGroups(array::FilterOp op, const Operands &kept, llvm::ArrayRef<Buffer> results, Value size);
  Value keepElements(array::FilterOp op, llvm::ArrayRef<Buffer> kept, Value from, Value to, Value first);
  void filterInChunks(array::FilterOp op, llvm::ArrayRef<Buffer> results, Value size, Value chunks);
  void emitScatter(array::ScatterOp op);
  void emitHist(array::HistOp op);
  void emitChunkedHist(array::HistOp op);
  bool hasAtomicBins(array::HistOp op);
  void emitAtomicHist(array::HistOp op);
  void histTogether(array::HistOp op, Value from, Value to);
  void addPointsAtomically(array::HistOp op, const Buffer &bins, Value from, Value to);
  void addAtomically(mlir::Block &combiner, const Buffer &bins, Value offset, Value added);
  void addToBin(array::HistOp op, llvm::ArrayRef<Buffer> bins, mlir::ValueRange indices, llvm::ArrayRef<Element> added);
  void addPoint(array::HistOp op, llvm::ArrayRef<Buffer> bins, mlir::ValueRange grid, Value flat);
  void atBin(array::HistOp op, const Buffer &bins, mlir::ValueRange grid, Value flat,
             llvm::function_ref<void(mlir::ValueRange indices, mlir::ValueRange values)> use);
  void unrollLast();
  void setToNeutral(const Buffer &bins, Value neutral);
  void gatherBins(array::HistOp op, llvm::ArrayRef<Buffer> privates, Value bins, Value chunks);
  Value isInside(mlir::ValueRange indices, const Buffer &array);
  void bindPoint(mlir::Block &body, mlir::ValueRange inputs, mlir::ValueRange indices, Value flat);
  Buffer elementRow(const Buffer &array, mlir::ValueRange indices, Value flat);
  void passDestinations(mlir::Operation *yield, size_t skip, llvm::ArrayRef<std::optional<Buffer>> rows);
  void writeElement(Value source, const Buffer &array, Value offset, const std::optional<Buffer> &row);
  llvm::SmallVector<std::optional<Buffer>> outputRows(mlir::ValueRange results, mlir::ValueRange yielded,
                                                      mlir::ValueRange indices, Value flat);
  static bool isCommutative(mlir::Block &combiner);
  Values combine(mlir::Block &combiner, mlir::ValueRange left, mlir::ValueRange right);
  Element elementFrom(Value source);
  Values combineRows(mlir::Block &combiner, llvm::ArrayRef<Element> left, llvm::ArrayRef<Element> right,
                     llvm::ArrayRef<std::optional<Buffer>> to, bool canOverwrite = true);

  // ---- How much work (Work.cpp)
  Value tripsOf(mlir::Operation &op, mlir::Operation *soac);
  Value workOf(mlir::Block &block, mlir::Operation *soac);
  Value grainOf(mlir::Operation *soac);
  bool isCheap(mlir::Block &body);
  bool isForGroups(mlir::Operation *soac, llvm::ArrayRef<mlir::Type> types);
  Values overOrInside(mlir::Operation *soac, Value points, Value grain, mlir::TypeRange types,
                      llvm::function_ref<Values()> over, llvm::function_ref<Values()> inside);

  // ---- Shapes of rows (Shapes.cpp)
  Values rowSizes(Value row, mlir::Operation *soac);
  std::optional<Value> sizeOutside(Value array, int64_t dimension, mlir::Operation *soac);
  void settleSizes(Value carried, Buffer &array);
  std::optional<Value> scalarOutside(Value source, mlir::Operation *soac);
  Values measureFirst(Value row, mlir::Operation *soac);

  // ---- The device (Device.cpp)
  bool emitDevice(mlir::Operation &op);
  Value nameText(Value array);
  std::optional<Value> elementsOf(mlir::Operation *op, array::LaunchOp launch);
  Value elementsOf(array::LaunchOp op);
  void emitLaunch(array::LaunchOp op);
  void emitTransfer(array::TransferOp op);
  void emitPass(array::PassOp op);
  void emitPeek(array::PeekOp op);
  void emitPoke(array::PokeOp op);

  // ---- Kernels of a device with code of its own (Kernels.cpp)
  enum class Items { points, parts, groups };
  void onDevice(Value items, Items kind, llvm::function_ref<void(Value item)> body);
  Values onOneItem(mlir::ValueRange results, llvm::function_ref<Values()> body);
  void enqueue(Frame &kernel, Items kind, Value items);
  Buffer workspace(mlir::Type element, mlir::ValueRange sizes);
  void releaseWorkspaces(size_t left);
  void makeCell(Value scalar);
  Value readNumbers(const Buffer &numbers, int64_t count);
  Values readBack(const Buffer &numbers, int64_t count);
  Buffer allocateInKernel(mlir::Type element, mlir::ValueRange sizes);
  std::optional<Value> inLaunch(Frame &kernel, Value value);
  void provideHeap(Frame &kernel, Items kind, Value &items);
  void emitLaunchBody(array::LaunchOp launch);
  void emitAlone(llvm::ArrayRef<mlir::Operation *> operations, array::LaunchOp launch);
  llvm::SetVector<Value> endingIn(llvm::ArrayRef<mlir::Operation *> operations);
  void keepOutside(Value result);
  void describe(Value result, const Buffer &description);
  void clearObservations(const Buffer &numbers, int64_t count);
  void observeInKernel(array::ObserveOp observe, Value number);
  void reportObservations();
  Buffer fetchDescribed(Value result, const Buffer &description, const Buffer &heaps);
  bool isOfHost(mlir::Operation &op);
  Value failureNumber(mlir::LLVM::GlobalOp record);

  // ---- Kernels whose items work in groups (Groups.cpp, GroupPrefix.cpp)
  void beginGroup(Value group);
  bool haveMet();
  void apartAtOnce(llvm::function_ref<void()> body);
  void apart(llvm::function_ref<void()> body);
  void byFirst(llvm::function_ref<void()> body);
  void onceInGroup(llvm::function_ref<void()> body);
  void eachByTurns(Value count, llvm::function_ref<void(Value element)> body);
  Values byTurns(Value from, Value to, mlir::ValueRange carried, LoopBody body);
  Buffer localMemory(mlir::Type element, int64_t count);
  llvm::SmallVector<Buffer> localArrays(mlir::TypeRange types, int64_t count);
  Value allocateFromHeap(Value bytes);
  Value allocateForGroup(Value bytes);
  bool runsApart(mlir::Operation *soac);
  bool isWrittenInPlace(Value made, mlir::Operation *yield);
  Value groupCount(Value points);
  Value hasGroupsOfOne();
  Value isGroupOfOne();
  Value isFirst();
  Values byDoubling(mlir::ValueRange carried, LoopBody body);
  int64_t elementsOfRun(llvm::ArrayRef<mlir::Type> types);
  Tile makeTile(llvm::ArrayRef<mlir::Type> types);
  void fillTile(const Tile &tile, const Operands &operands, Value from, Value count);
  void inRuns(const Tile &tile, Value count, llvm::function_ref<void(Value from, Value to)> body);
  Values reduceTogether(const Operands &operands, Value from, Value to);
  Values reduceTiles(const Operands &operands, Value from, Value to, llvm::ArrayRef<Buffer> own);
  void reduceItems(const Operands &operands, llvm::ArrayRef<Buffer> own);
  void scanTogether(const Operands &operands, Value from, Value to, mlir::ValueRange before, UsePoint use);
  void scanTiles(const Operands &operands, Value from, Value to, mlir::ValueRange before, UsePoint use);
  Value scanItems(const Operands &operands, llvm::ArrayRef<Buffer> own);
  llvm::SmallVector<Buffer> reduceParts(const Operands &operands, Value points, Value groups);
  llvm::SmallVector<Buffer> sumsOfParts(llvm::ArrayRef<mlir::Type> types, Value groups);
  void scanParts(const Operands &operands, Value points, Value groups, llvm::ArrayRef<Buffer> before);
  Values reduceByGroups(const Operands &operands, Value points, mlir::ValueRange results);
  Operands on(const Operands &operands, llvm::ArrayRef<Buffer> arrays);

  mlir::ModuleOp module;
  mlir::ImplicitLocOpBuilder b;
  mlir::Type i1, i8, i32, i64, pointer;
  std::unique_ptr<array::Ownership> ownership;
  std::unique_ptr<array::LoopExtents> extents;
  llvm::DenseMap<mlir::Operation *, Values> awaits; ///< the downloads to wait for before an operation
  std::list<Frame> frames;
  Frame *frame = nullptr;
  llvm::StringMap<mlir::LLVM::GlobalOp> texts;
  llvm::DenseMap<mlir::Attribute, mlir::LLVM::GlobalOp> records;
  mlir::func::FuncOp source;
  int64_t grain;
  int64_t functions = 0;
  KernelLanguage kernels;
  llvm::SmallVector<mlir::LLVM::GlobalOp> kernelFailures; ///< by the numbers that kernels leave
  llvm::SmallVector<Buffer> workspaces;                   ///< of the launch being written
  llvm::SmallVector<array::ObserveOp> observed;           ///< in the kernel being written
  std::optional<Buffer> observations;                     ///< what it leaves of them
  std::optional<Buffer> heapsOfKernel;                    ///< of the one enqueued last
  llvm::DenseSet<Value> onlyOnDevice; ///< values of the launch being written that the host cannot compute
  bool isReassociable = false;        ///< the scalar operations written now may be regrouped
  bool hasFailed = false;
};

} // namespace ferry::codegen
