// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of two square matrices of floats in blocks of 4 rows and 16 columns with OpenMP: what Ferry's map of maps
// of sums is compared with.
//   product A B N RUNS   reads N x N floats each, prints an element of the product and the least time in seconds

#include "timing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { blockRows = 4, blockColumns = 16 };

typedef float Columns __attribute__((vector_size(blockColumns * sizeof(float)), aligned(4)));

static void block(const float *a, const float *b, float *c, int64_t n, int64_t row, int64_t column) {
  Columns sums[blockRows] = {0};
  for (int64_t k = 0; k < n; k++) {
    Columns right = *(const Columns *)(b + k * n + column);
    for (int64_t r = 0; r < blockRows; r++)
      sums[r] += right * a[(row + r) * n + k];
  }
  for (int64_t r = 0; r < blockRows; r++)
    *(Columns *)(c + (row + r) * n + column) = sums[r];
}

static void product(const float *a, const float *b, float *c, int64_t n) {
#pragma omp parallel for
  for (int64_t row = 0; row < n; row += blockRows)
    for (int64_t column = 0; column < n; column += blockColumns)
      block(a, b, c, n, row, column);
}

static float *matrix(const char *path, int64_t n) {
  float *numbers = malloc(n * n * sizeof *numbers);
  FILE *file = fopen(path, "rb");
  if (!numbers || !file || (int64_t)fread(numbers, sizeof *numbers, n * n, file) != n * n)
    exit(1);
  fclose(file);
  return numbers;
}

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  int64_t n = atoll(argv[3]), runs = atoll(argv[4]);
  if (n % blockRows || n % blockColumns)
    return 2;
  float *a = matrix(argv[1], n), *b = matrix(argv[2], n), *c = malloc(n * n * sizeof *c);
  double *times = malloc(runs * sizeof *times);
  if (!c || !times)
    return 1;
  for (int64_t r = 0; r < runs; r++) {
    double begin = now();
    product(a, b, c, n);
    times[r] = now() - begin;
  }
  qsort(times, runs, sizeof *times, ascending);
  printf("%g %.9f\n", c[n * n - 1], times[0]);
  return 0;
}
