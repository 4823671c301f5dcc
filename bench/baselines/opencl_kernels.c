// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of opencl_kernels.cl on the OpenCL device that Ferry takes by default: the first GPU, or else the first.
//   opencl_kernels FILE.cl NAME VARIANT RUNS INPUT...   prints the least time in seconds of NAME's launches
//
// An INPUT is a file of 32-bit numbers, on the device before the clock starts. The launches of one run are waited for
// together. The result is compared with what a sequential loop computes.

#define CL_TARGET_OPENCL_VERSION 120
#include "timing.h"

#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { group = 256, bins = 256, tile = 32, side = 64, each = 4, block = 8 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static size_t units;

typedef struct {
  void *host;
  cl_mem device;
  size_t count;
} Array;

typedef struct {
  cl_kernel kernel;
  cl_uint dimensions;
  size_t items[2], groups[2]; // of no items: as the driver likes
} Launch;

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  fprintf(stderr, "opencl_kernels: %s: %d\n", what, status);
  exit(1);
}

static void expect(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "opencl_kernels: %s\n", what);
  exit(1);
}

static cl_device_id chosen(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_device_id device;
  check(clGetPlatformIDs(16, platforms, &count), "platforms");
  for (int any = 0; any < 2; any++)
    for (cl_uint i = 0; i < count && i < 16; i++)
      if (clGetDeviceIDs(platforms[i], any ? CL_DEVICE_TYPE_ALL : CL_DEVICE_TYPE_GPU, 1, &device, NULL) == CL_SUCCESS)
        return device;
  check(CL_DEVICE_NOT_FOUND, "device");
  return NULL;
}

static void *contents(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  expect(file && fseek(file, 0, SEEK_END) == 0, path);
  *bytes = (size_t)ftell(file);
  rewind(file);
  char *all = calloc(*bytes + 1, 1);
  expect(all && fread(all, 1, *bytes, file) == *bytes, path);
  fclose(file);
  return all;
}

static void begin(const char *path) {
  cl_device_id device = chosen();
  cl_uint found;
  cl_int status;
  size_t bytes;
  const char *source = contents(path, &bytes);
  check(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof found, &found, NULL), "units");
  units = found;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "context");
  queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
  program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  check(status, "program");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
}

static Array empty(size_t count) {
  cl_int status;
  Array made = {calloc(count, 4), clCreateBuffer(context, CL_MEM_READ_WRITE, count * 4, NULL, &status), count};
  check(status, "buffer");
  return made;
}

static Array input(const char *path) {
  size_t bytes;
  void *values = contents(path, &bytes);
  Array made = empty(bytes / 4);
  memcpy(made.host, values, bytes);
  check(clEnqueueWriteBuffer(queue, made.device, CL_TRUE, 0, bytes, values, 0, NULL, NULL), "write");
  return made;
}

static void *result(Array of) {
  void *to = malloc(of.count * 4);
  check(clEnqueueReadBuffer(queue, of.device, CL_TRUE, 0, of.count * 4, to, 0, NULL, NULL), "read");
  return to;
}

/// A kernel with its arguments: `buffers` arrays, then numbers.
static cl_kernel kernel(const char *name, int variant, int buffers, const Array *arrays, int numbers,
                        const size_t *values) {
  char full[32];
  cl_int status;
  snprintf(full, sizeof full, variant < 0 ? "%s" : "%s%d", name, variant);
  cl_kernel made = clCreateKernel(program, full, &status);
  check(status, full);
  for (int i = 0; i < buffers; i++)
    check(clSetKernelArg(made, (cl_uint)i, sizeof(cl_mem), &arrays[i].device), full);
  for (int i = 0; i < numbers; i++) {
    cl_int value = (cl_int)values[i];
    check(clSetKernelArg(made, (cl_uint)(buffers + i), sizeof value, &value), full);
  }
  return made;
}

static double least(int runs, int count, const Launch *launches) {
  double best = INFINITY;
  for (int run = 0; run <= runs; run++) { // the first compiles
    double began = now();
    for (int i = 0; i < count; i++)
      check(clEnqueueNDRangeKernel(queue, launches[i].kernel, launches[i].dimensions, NULL, launches[i].items,
                                   launches[i].groups[0] ? launches[i].groups : NULL, 0, NULL, NULL),
            "launch");
    check(clFinish(queue), "finish");
    if (run > 0)
      best = fmin(best, now() - began);
  }
  return best;
}

static int near(double found, double wanted) { return fabs(found - wanted) <= 1e-4 * fabs(wanted); }

static double sum(int variant, int runs, const Array *xs) {
  size_t parts = variant ? 4 * units : 8 * units, run = (xs->count + parts - 1) / parts;
  Array arrays[] = {*xs, empty(parts + 1)};
  Launch launches[] = {
      {kernel("sum", variant, 2, arrays, variant ? 2 : 1, (size_t[]){xs->count, run}),
       1,
       {variant ? parts : parts * group},
       {variant ? 1 : group}},
      {kernel("all", variant, 1, &arrays[1], 1, &parts), 1, {variant ? 1 : group}, {variant ? 1 : group}}};
  double took = least(runs, 2, launches), all = 0;
  for (size_t i = 0; i < xs->count; i++)
    all += ((float *)xs->host)[i];
  expect(near(((float *)result(arrays[1]))[parts], all), "a wrong sum");
  return took;
}

static double scan(int variant, int runs, const Array *xs) {
  size_t most = variant ? 4 * units : 8 * units, run = (xs->count + most - 1) / most;
  run = (run + 4 * group - 1) / (4 * group) * (4 * group);
  size_t parts = (xs->count + run - 1) / run, items = variant ? parts : parts * group, numbers[] = {xs->count, run};
  Array arrays[] = {*xs, empty(parts), empty(xs->count)};
  Launch launches[] = {
      {kernel(variant ? "sum" : "sums", variant, 2, arrays, 2, numbers), 1, {items}, {variant ? 1 : group}},
      {kernel("before", variant, 1, &arrays[1], 1, &parts), 1, {variant ? 1 : group}, {variant ? 1 : group}},
      {kernel("scan", variant, 3, arrays, 2, numbers), 1, {items}, {variant ? 1 : group}}};
  double took = least(runs, 3, launches), all = 0;
  float *found = result(arrays[2]);
  for (size_t i = 0; i < xs->count; i++) {
    all += ((float *)xs->host)[i];
    expect(near(found[i], all), "a wrong scan");
  }
  return took;
}

static double histogram(int variant, int runs, const Array *xs) {
  size_t parts = variant ? 4 * units : 8 * units, run = (xs->count + parts - 1) / parts;
  Array arrays[] = {*xs, empty(bins)};
  Launch launches[] = {{kernel("clear", -1, 1, &arrays[1], 0, NULL), 1, {bins}, {0}},
                       {kernel("histogram", variant, 2, arrays, variant ? 2 : 1, (size_t[]){xs->count, run}),
                        1,
                        {variant ? parts : parts * group},
                        {variant ? 1 : group}}};
  double took = least(runs, 2, launches);
  int wanted[bins] = {0};
  for (size_t i = 0; i < xs->count; i++)
    wanted[((int *)xs->host)[i]]++;
  expect(memcmp(wanted, result(arrays[1]), sizeof wanted) == 0, "a wrong histogram");
  return took;
}

static size_t sideOf(const Array *square) { return (size_t)lrint(sqrt((double)square->count)); }

static double transposed(int variant, int runs, const Array *xs) {
  size_t n = sideOf(xs);
  Array arrays[] = {*xs, empty(xs->count)};
  cl_kernel made = kernel("transposed", variant, 2, arrays, 1, &n);
  Launch launch = variant ? (Launch){made, 2, {n / block, n / block}, {0}}
                          : (Launch){made, 2, {n, n / (tile * tile / group)}, {tile, group / tile}};
  double took = least(runs, 1, &launch);
  float *found = result(arrays[1]);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      expect(found[i * n + j] == ((float *)xs->host)[j * n + i], "a wrong transposition");
  return took;
}

static double product(int variant, int runs, const Array *factors) {
  size_t n = sideOf(factors);
  Array arrays[] = {factors[0], factors[1], empty(n * n)};
  cl_kernel made = kernel("product", variant, 3, arrays, 1, &n);
  Launch launch = variant ? (Launch){made, 2, {n / 16, n / 4}, {0}}
                          : (Launch){made, 2, {n / each, n / each}, {side / each, side / each}};
  double took = least(runs, 1, &launch);
  float *a = factors[0].host, *b = factors[1].host, *found = result(arrays[2]);
  double *row = malloc(n * sizeof *row);
  for (size_t i = 0; i < n; i++) {
    memset(row, 0, n * sizeof *row);
    for (size_t k = 0; k < n; k++)
      for (size_t j = 0; j < n; j++)
        row[j] += (double)a[i * n + k] * b[k * n + j];
    for (size_t j = 0; j < n; j++)
      expect(near(found[i * n + j], row[j]), "a wrong product");
  }
  return took;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    double (*run)(int variant, int runs, const Array *inputs);
    int inputs;
  } all[] = {{"sum", sum, 1},
             {"scan", scan, 1},
             {"histogram", histogram, 1},
             {"transposed", transposed, 1},
             {"product", product, 2}};
  for (size_t i = 0; argc >= 5 && i < sizeof all / sizeof *all; i++)
    if (strcmp(argv[2], all[i].name) == 0 && argc == 5 + all[i].inputs) {
      begin(argv[1]);
      Array inputs[2];
      for (int k = 0; k < all[i].inputs; k++)
        inputs[k] = input(argv[5 + k]);
      printf("%.9f\n", all[i].run(atoi(argv[3]), atoi(argv[4]), inputs));
      return 0;
    }
  fprintf(stderr, "usage: opencl_kernels FILE.cl sum|scan|histogram|transposed|product 0|1 RUNS INPUT...\n");
  return 2;
}
