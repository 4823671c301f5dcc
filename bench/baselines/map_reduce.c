// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of x * x + 1 over floats with OpenMP: what Ferry's fused map-reduce is compared with.
//   map_reduce generate N FILE   writes N floats as a Futhark binary value
//   map_reduce FILE RUNS         prints the sum and the least time in seconds

#include "timing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { headerBytes = 15 };

static int generate(int64_t n, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return 1;
  fwrite("b\x02\x01 f32", 1, 7, file);
  fwrite(&n, sizeof n, 1, file);
  for (int64_t i = 0; i < n; i++) {
    float x = (float)(i % 1000) * 1e-3f;
    fwrite(&x, sizeof x, 1, file);
  }
  return fclose(file) != 0;
}

static float sum_of_squares(const float *xs, int64_t n) {
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int64_t i = 0; i < n; i++)
    sum += xs[i] * xs[i] + 1.0f;
  return sum;
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "generate") == 0)
    return generate(atoll(argv[2]), argv[3]);
  if (argc != 3)
    return 2;
  FILE *file = fopen(argv[1], "rb");
  int64_t n = 0, runs = atoll(argv[2]);
  if (!file || fseek(file, headerBytes - 8, SEEK_SET) || fread(&n, sizeof n, 1, file) != 1)
    return 1;
  float *xs = malloc(n * sizeof *xs);
  double *times = malloc(runs * sizeof *times);
  if (!xs || !times || (int64_t)fread(xs, sizeof *xs, n, file) != n)
    return 1;
  float sum = 0;
  for (int64_t r = 0; r < runs; r++) {
    double begin = now();
    sum = sum_of_squares(xs, n);
    times[r] = now() - begin;
  }
  qsort(times, runs, sizeof *times, ascending);
  printf("%g %.9f\n", sum, times[0]);
  return 0;
}
