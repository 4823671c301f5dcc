// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as one writes them by hand, which Ferry's are compared with; opencl_kernels.c launches them. Those named ...0
// are for GPUs: groups of GROUP items that read neighbours together and put results together in local memory. Those
// named ...1 are for processors: no local memory, an item has a long run of elements or a block of the result. Sizes
// are multiples of 64.

#define GROUP 256
#define BINS 256
#define TILE 32  // a group transposes a square of so many, each item TILE * TILE / GROUP of them
#define SIDE 64  // of the square of a product that a group computes,
#define DEPTH 16 // in steps of so many terms;
#define EACH 4   // an item has a square of so many
#define BLOCK 8  // an item transposes a square of so many

// What all items of a group have, added up; all of them know it.
float groupSum(float mine, __local float *shared) {
  int l = get_local_id(0);
  shared[l] = mine;
  for (int width = GROUP / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < width)
      shared[l] += shared[l + width];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float all = shared[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return all;
}

// What an item and those before it in the group have, added up.
float groupScan(float mine, __local float *shared) {
  int l = get_local_id(0);
  shared[l] = mine;
  for (int width = 1; width < GROUP; width *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float before = l < width ? 0 : shared[l - width];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] = mine += before;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return mine;
}

// What a processor adds up of a run: eight sums at a time, so that it need not wait for one.
float runSum(__global const float *xs, int from, int to) {
  float8 parts = 0;
  int i = from;
  for (; i + 8 <= to; i += 8)
    parts += vload8(0, xs + i);
  float4 four = parts.lo + parts.hi;
  float all = (four.x + four.y) + (four.z + four.w);
  for (; i < to; i++)
    all += xs[i];
  return all;
}

// --- Sum: first one for each group or item, then of those.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void sum0(__global const float *xs, __global float *sums,
                                                                      int n) {
  __local float shared[GROUP];
  float4 mine = 0;
  for (int i = get_global_id(0); i < n / 4; i += get_global_size(0))
    mine += vload4(i, xs);
  float all = groupSum((mine.x + mine.y) + (mine.z + mine.w), shared);
  if (get_local_id(0) == 0)
    sums[get_group_id(0)] = all;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void all0(__global float *sums, int count) {
  __local float shared[GROUP];
  float mine = 0;
  for (int i = get_local_id(0); i < count; i += GROUP)
    mine += sums[i];
  float all = groupSum(mine, shared);
  if (get_local_id(0) == 0)
    sums[count] = all;
}

__kernel void sum1(__global const float *xs, __global float *sums, int n, int each) {
  int from = get_global_id(0) * each;
  sums[get_global_id(0)] = runSum(xs, min(from, n), min(n, from + each));
}

__kernel void all1(__global float *sums, int count) {
  float all = 0;
  for (int i = 0; i < count; i++)
    all += sums[i];
  sums[count] = all;
}

// --- Scan: the sum of each group's or item's run, for each run what is before it, and then each run by itself.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void sums0(__global const float *xs, __global float *sums,
                                                                       int n, int each) {
  __local float shared[GROUP];
  int from = get_group_id(0) * each, to = min(n, from + each);
  float mine = 0;
  for (int i = from + get_local_id(0); i < to; i += GROUP)
    mine += xs[i];
  float all = groupSum(mine, shared);
  if (get_local_id(0) == 0)
    sums[get_group_id(0)] = all;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void before0(__global float *sums, int count) {
  __local float shared[GROUP];
  int l = get_local_id(0);
  float before = 0;
  for (int i = 0; i < count; i += GROUP) {
    float mine = i + l < count ? sums[i + l] : 0, all = groupScan(mine, shared);
    if (i + l < count)
      sums[i + l] = before + all - mine;
    before += shared[GROUP - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
scan0(__global const float *xs, __global const float *sums, __global float *out, int n, int each) {
  __local float shared[GROUP];
  int from = get_group_id(0) * each, to = min(n, from + each), l = get_local_id(0);
  float before = sums[get_group_id(0)];
  for (int i = from; i < to; i += 4 * GROUP) {
    int at = i + 4 * l;
    float4 mine = at < to ? vload4(0, xs + at) : 0;
    mine.y += mine.x;
    mine.z += mine.y;
    mine.w += mine.z;
    float all = groupScan(mine.w, shared);
    if (at < to)
      vstore4(mine + (before + all - mine.w), 0, out + at);
    before += shared[GROUP - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

__kernel void before1(__global float *sums, int count) {
  float all = 0;
  for (int i = 0; i < count; i++) {
    float mine = sums[i];
    sums[i] = all;
    all += mine;
  }
}

__kernel void scan1(__global const float *xs, __global const float *sums, __global float *out, int n, int each) {
  int from = get_global_id(0) * each, to = min(n, from + each);
  float all = sums[get_global_id(0)];
  for (int i = from; i < to; i++)
    out[i] = all += xs[i];
}

// --- Histogram: each group or item its own, which it adds to the one of all.

__kernel void clear(__global int *counts) { counts[get_global_id(0)] = 0; }

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void histogram0(__global const int *xs,
                                                                            __global int *counts, int n) {
  __local int own[BINS];
  for (int i = get_local_id(0); i < BINS; i += GROUP)
    own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&own[xs[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < BINS; i += GROUP)
    atomic_add(&counts[i], own[i]);
}

__kernel void histogram1(__global const int *xs, __global int *counts, int n, int each) {
  int from = get_global_id(0) * each, to = min(n, from + each);
  int own[BINS];
  for (int i = 0; i < BINS; i++)
    own[i] = 0;
  for (int i = from; i < to; i++)
    own[xs[i]]++;
  for (int i = 0; i < BINS; i++)
    atomic_add(&counts[i], own[i]);
}

// --- Transposition of n by n.

__kernel __attribute__((reqd_work_group_size(TILE, GROUP / TILE, 1))) void transposed0(__global const float *xs,
                                                                                       __global float *out, int n) {
  __local float shared[TILE][TILE + 1];
  int x = get_local_id(0), column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  for (int y = get_local_id(1); y < TILE; y += GROUP / TILE)
    shared[y][x] = xs[(row + y) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int y = get_local_id(1); y < TILE; y += GROUP / TILE)
    out[(column + y) * n + row + x] = shared[x][y];
}

// Rows that are a power of two apart push each other out of a cache, so each is read once, and few at a time.
__kernel void transposed1(__global const float *xs, __global float *out, int n) {
  int column = get_global_id(0) * BLOCK, row = get_global_id(1) * BLOCK;
  float own[BLOCK][BLOCK];
  for (int y = 0; y < BLOCK; y++)
    for (int x = 0; x < BLOCK; x++)
      own[x][y] = xs[(column + y) * n + row + x];
  for (int y = 0; y < BLOCK; y++)
    for (int x = 0; x < BLOCK; x++)
      out[(row + y) * n + column + x] = own[y][x];
}

// --- Product of n by n.

__kernel __attribute__((reqd_work_group_size(SIDE / EACH, SIDE / EACH, 1))) void
product0(__global const float *a, __global const float *b, __global float *out, int n) {
  __local float left[DEPTH][SIDE], right[DEPTH][SIDE];
  int x = get_local_id(0), y = get_local_id(1), l = y * (SIDE / EACH) + x;
  int column = get_group_id(0) * SIDE, row = get_group_id(1) * SIDE;
  float all[EACH][EACH] = {{0}};
  for (int k = 0; k < n; k += DEPTH) {
    for (int i = l; i < DEPTH * SIDE; i += GROUP) {
      left[i % DEPTH][i / DEPTH] = a[(row + i / DEPTH) * n + k + i % DEPTH];
      right[i / SIDE][i % SIDE] = b[(k + i / SIDE) * n + column + i % SIDE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < DEPTH; i++)
      for (int p = 0; p < EACH; p++)
        for (int q = 0; q < EACH; q++)
          all[p][q] += left[i][y + p * (SIDE / EACH)] * right[i][x + q * (SIDE / EACH)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int p = 0; p < EACH; p++)
    for (int q = 0; q < EACH; q++)
      out[(row + y + p * (SIDE / EACH)) * n + column + x + q * (SIDE / EACH)] = all[p][q];
}

// Four rows of sixteen columns.
__kernel void product1(__global const float *a, __global const float *b, __global float *out, int n) {
  int column = get_global_id(0) * 16, row = get_global_id(1) * 4;
  float16 first = 0, second = 0, third = 0, fourth = 0;
  for (int k = 0; k < n; k++) {
    float16 right = vload16(0, b + k * n + column);
    first += a[row * n + k] * right;
    second += a[(row + 1) * n + k] * right;
    third += a[(row + 2) * n + k] * right;
    fourth += a[(row + 3) * n + k] * right;
  }
  vstore16(first, 0, out + row * n + column);
  vstore16(second, 0, out + (row + 1) * n + column);
  vstore16(third, 0, out + (row + 2) * n + column);
  vstore16(fourth, 0, out + (row + 3) * n + column);
}
