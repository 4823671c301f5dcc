// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface between generated code and the run-time.
//
// Conventions
//   * `ctx` is the context of the run; every pointer named `op` or `what` is a constant of the generated module and
//     outlives the run. Sizes are bytes, times are picoseconds of the virtual clock, all counts are signed 64-bit.
//   * An array in generated code is a descriptor (block, data, sizes, strides). `block` is what ferry_rt_alloc gave, or
//     NULL for memory that nobody counts (constants, arguments borrowed from the caller); `data` may point inside it.
//   * Failures do not return. They unwind by longjmp to the innermost runner (ferry::runtime::run, or the chunk that
//     ferry_rt_parallel_for is running), so generated code must hold no resource that is not a block of the context;
//     blocks that are live at a failure are given back when the context is destroyed.
//   * Unless said otherwise a function may be called from host code, from kernels of `sim`, and from chunk bodies.

#pragma once

#include <stdint.h>

#ifdef __cplusplus
#define FERRY_NORETURN [[noreturn]]
extern "C" {
#else
#define FERRY_NORETURN _Noreturn
#endif

typedef struct FerryContext FerryContext;

/// Where memory lives.
enum FerrySide {
  FERRY_HOST = 0,      ///< a host array: out of reach of kernels
  FERRY_DEVICE = 1,    ///< a device array: out of reach of host code
  FERRY_SCRATCH = 2,   ///< private memory of whoever allocates it, host code or kernel; neither counted nor protected
  FERRY_WORKSPACE = 3, ///< device memory that kernels hand each other within a launch; not counted
};

/// How messages and reports call one operation of the program: `map at f.fut:3:5`.
typedef struct FerryOperation {
  const char *name;
  const char *file;
  int32_t line;
  int32_t column;
} FerryOperation;

/// What one execution of an operation does, in the terms of placement::Work: in parallel, and by one thread alone.
typedef struct FerryWork {
  int64_t bytes; ///< read and written
  int64_t operations;
  int64_t sequential_operations;
  int64_t sequential_bytes;
} FerryWork;

// ---- Failures -------------------------------------------------------------------------------------------------------

/// What a program can do wrong, with the values that ferry_rt_fail takes for each.
enum FerryFailureKind {
  FERRY_FAIL_INDEX = 0,    ///< a: index, b: length
  FERRY_FAIL_INDEX_2D = 1, ///< a, b: indexes, c, d: lengths
  FERRY_FAIL_SLICE = 2,    ///< a, b: from and to, c: length
  FERRY_FAIL_SLICE_BY = 3, ///< a, b: from and to, c: stride, d: length
  FERRY_FAIL_DIVISION = 4,
  FERRY_FAIL_ASSERTION = 5, ///< text: the condition as written
  FERRY_FAIL_RANGE = 6,     ///< a: first, b: step, c: end; text: ".." (inclusive "...", "..<" or "..>")
  FERRY_FAIL_SHAPE = 7,     ///< a: length there is, b: length there must be; text: what has them, or NULL
  FERRY_FAIL_UNFLATTEN = 8, ///< a: length, b, c: dimensions
  FERRY_FAIL_EXPONENT = 9,  ///< a: the negative exponent
  FERRY_FAIL_NEGATIVE = 10, ///< a: the negative length
  FERRY_FAIL_TEXT = 11,     ///< text, with {0} to {3} replaced by a to d ({0:u} unsigned, {0:f} the bits of an f64)
};

typedef struct FerryFailure {
  int32_t kind; ///< FerryFailureKind
  int32_t line;
  int32_t column;
  int32_t reserved; ///< 0
  const char *file;
  const char *text; ///< or NULL, as its kind says
} FerryFailure;

FERRY_NORETURN void ferry_rt_fail(FerryContext *ctx, const FerryFailure *what, int64_t a, int64_t b, int64_t c,
                                  int64_t d);

// ---- Memory ---------------------------------------------------------------------------------------------------------

/// A block with one reference, 64-byte aligned, contents undefined. Zero bytes give a distinct block; a negative count
/// or one that cannot be met is a failure. `name` is the array's name in the source, or NULL. The block cannot be read
/// or written from the other side.
void *ferry_rt_alloc(FerryContext *ctx, int32_t side, int64_t bytes, const char *name);

/// The same for an array of the program: its name, and the place that makes it, which a failure then names.
void *ferry_rt_alloc_array(FerryContext *ctx, int32_t side, int64_t bytes, const FerryOperation *array);

/// Adds and drops a reference; the last one gives the block back. NULL is ignored. Safe from several threads.
void ferry_rt_retain(FerryContext *ctx, void *block);
void ferry_rt_release(FerryContext *ctx, void *block);

// ---- Transfers, from host code only ---------------------------------------------------------------------------------

/// Copies contiguous bytes between the sides; counted and priced as one transfer. Zero bytes: nothing happens, at no
/// price.
void ferry_rt_upload(FerryContext *ctx, void *device, const void *host, int64_t bytes, const char *name);
void ferry_rt_download(FerryContext *ctx, void *host, const void *device, int64_t bytes, const char *name);

/// The same, but `host` is neither read nor written until it was awaited; what becomes of the device's block meanwhile
/// changes nothing. All that a run began it awaits.
void ferry_rt_download_later(FerryContext *ctx, void *host, const void *device, int64_t bytes, const char *name);
void ferry_rt_await(FerryContext *ctx, const void *host);

/// Reads or writes a few bytes of a device array from the host, across the bus; `host` may be on the stack.
void ferry_rt_peek(FerryContext *ctx, void *host, const void *device, int64_t bytes, const char *name);
void ferry_rt_poke(FerryContext *ctx, void *device, const void *host, int64_t bytes, const char *name);

/// Leaves a scalar for kernels to come, at the price of an argument, which is no transfer: it rides with a launch.
void ferry_rt_pass(FerryContext *ctx, void *device, const void *host, int64_t bytes);

/// Copies contiguous bytes between two device arrays, priced as a kernel that reads and writes them.
void ferry_rt_device_copy(FerryContext *ctx, void *to, const void *from, int64_t bytes, const FerryOperation *op);

// ---- Kernels --------------------------------------------------------------------------------------------------------

enum FerryLaunchFlags {
  FERRY_ONE_THREAD_ALLOWED = 1, ///< the plan says that this many elements by one thread is what it wants
};

typedef struct FerryLaunch {
  const FerryOperation *op;
  int64_t elements; ///< of the SOAC; 1 for a region kernel; 0 or less: neither counted nor priced
  int64_t threads;  ///< that run it
  int32_t flags;    ///< FerryLaunchFlags
  int32_t reserved; ///< 0
  FerryWork work;   ///< all zero for a region kernel, whose operations price themselves with ferry_rt_tick
} FerryLaunch;

/// Runs `kernel(env)` on the device, from host code. The price is a launch and the work at the device's rates.
/// `env` is neither in host arrays nor in device arrays. More than one element by one thread without leave is a
/// failure.
void ferry_rt_launch(FerryContext *ctx, const FerryLaunch *launch, void (*kernel)(void *env), void *env);

/// A kernel in the language of a device that does not run host code.
typedef struct FerryKernel {
  const char *program;   ///< the text of all kernels of the module; one pointer for one module
  const char *name;      ///< of the kernel in it
  const char *arguments; ///< a letter for each: 'p' an address in device memory or NULL, 's' any other 8 bytes
  const FerryFailure *const *failures; ///< of the program, by the numbers that kernels leave
} FerryKernel;

/// Runs at least `items` items of it, or if `are_groups` is not 0 as many groups, of the device's size, whose items
/// work together, behind whatever was enqueued before. From the body of a launch.
void ferry_rt_enqueue(FerryContext *ctx, const FerryKernel *kernel, const int64_t *arguments, int64_t items,
                      int64_t are_groups);

/// Into how many groups to cut n points of which a group is to have at least `each` (0: as many as are worth a group);
/// at least one.
int64_t ferry_rt_groups(FerryContext *ctx, int64_t n, int64_t each);

/// How many items such a group has: 1 where many do not run at the same time.
int64_t ferry_rt_group_items(FerryContext *ctx);

/// What kernels have left for the host code of their launch, once they have ended; neither counted nor priced.
void ferry_rt_read(FerryContext *ctx, void *host, const void *device, int64_t bytes);

/// How many bytes of working memory each of so many items gets that run at the same time, where the program does not
/// say how much they need.
int64_t ferry_rt_heap(FerryContext *ctx, int64_t items);

/// Waits until the device has done everything asked of it, counted and priced as a synchronisation.
void ferry_rt_synchronize(FerryContext *ctx);

// ---- Time -----------------------------------------------------------------------------------------------------------

/// Begins an operation of host code, or one inside a region kernel: adds its price to the virtual clock, and has a
/// violation reported against it until the next one. Ignored in chunk bodies.
void ferry_rt_tick(FerryContext *ctx, const FerryOperation *op, int64_t picoseconds);

/// Counts that the run came by a site of the program, and a number found there. Ignored in chunk bodies. Sites are
/// small numbers, from 0.
void ferry_rt_observe(FerryContext *ctx, int64_t site, int64_t number);

/// What a kernel found at one site.
typedef struct FerryObservation {
  int64_t count;
  int64_t sum;
  int64_t least; ///< of the numbers; whatever if there are none
  int64_t most;
} FerryObservation;

/// The same for all that a kernel of the device's own came by.
void ferry_rt_observed(FerryContext *ctx, int64_t site, const FerryObservation *found);

/// Compares what is allocated on the device with what the plan says there is before the operation. From host code.
void ferry_rt_resident(FerryContext *ctx, const FerryOperation *op, int64_t least, int64_t most);

// ---- Parallel loops -------------------------------------------------------------------------------------------------

/// Into how many chunks to cut `n` iterations so that none is shorter than `grain` (one for a call inside a chunk
/// body): a function of n, grain and the number of threads alone. 0 if n <= 0.
int64_t ferry_rt_chunks(FerryContext *ctx, int64_t n, int64_t grain);

/// Calls `body(env, chunk, lo, hi)` once for each of `chunks` consecutive pieces of [0, n), in parallel, and waits.
/// Lengths differ by at most one. A call inside a chunk body runs its chunks one after another. If chunks fail, the
/// failure of the lowest one that ran is raised after all have ended.
void ferry_rt_parallel_for(FerryContext *ctx, void (*body)(void *env, int64_t chunk, int64_t lo, int64_t hi), void *env,
                           int64_t n, int64_t chunks);

#ifdef __cplusplus
}
#endif
