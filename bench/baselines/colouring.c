// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Greedy partial distance-2 colouring of the Brusselator's pattern, as examples/sparse_jacobian does it, in C: what Ferry's host code is compared with.
// Prints the number of colours and the least time in seconds. With CHECKED, every access checks its bounds.

#include "timing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static _Noreturn void out_of_bounds(int64_t index, int64_t length) {
  fprintf(stderr, "index %lld out of bounds for length %lld\n", (long long)index, (long long)length);
  exit(1);
}

#ifdef CHECKED
#define AT(array, index, length) (array[(uint64_t)(index) < (uint64_t)(length) ? (index) : (out_of_bounds((index), (length)), 0)])
#else
#define AT(array, index, length) (array[index])
#endif

static int64_t colour_columns(int64_t columns, int64_t entries, const int64_t *row_start, const int32_t *row_columns, const int64_t *column_start,
                              const int32_t *column_rows, int32_t *colours, int32_t *seen_by) {
  int64_t used = 0;
  for (int64_t c = 0; c < columns; c++)
    colours[c] = -1;
  for (int64_t c = 0; c <= columns; c++)
    seen_by[c] = -1;
  for (int64_t c = 0; c < columns; c++) {
    for (int64_t p = AT(column_start, c, columns + 1); p < AT(column_start, c + 1, columns + 1); p++) {
      int64_t row = AT(column_rows, p, entries);
      for (int64_t q = AT(row_start, row, columns + 1); q < AT(row_start, row + 1, columns + 1); q++) {
        int64_t other = AT(row_columns, q, entries);
        int32_t colour = AT(colours, other, columns);
        if (colour >= 0)
          AT(seen_by, colour, columns + 1) = (int32_t)c;
      }
    }
    int64_t colour = 0;
    while (AT(seen_by, colour, columns + 1) == c)
      colour++;
    colours[c] = (int32_t)colour;
    if (colour + 1 > used)
      used = colour + 1;
  }
  return used;
}

int main(int argc, char **argv) {
  int64_t n = argc > 1 ? atoll(argv[1]) : 500, runs = argc > 2 ? atoll(argv[2]) : 5;
  int64_t cells = n * n, columns = 2 * cells, entries = 6 * columns;
  int64_t *start = malloc((columns + 1) * sizeof *start);
  int32_t *index = malloc(entries * sizeof *index), *colours = malloc(columns * sizeof *colours), *seen_by = malloc((columns + 1) * sizeof *seen_by);
  double *times = malloc(runs * sizeof *times);
  if (!start || !index || !colours || !seen_by || !times)
    return 1;
  for (int64_t k = 0; k < columns; k++) {
    int64_t species = k / cells, cell = k % cells, i = cell / n, j = cell % n;
    int64_t up = (i + n - 1) % n, down = (i + 1) % n, left = (j + n - 1) % n, right = (j + 1) % n;
    int64_t of[6] = {cell, cells + cell, species * cells + up * n + j, species * cells + down * n + j, species * cells + i * n + left,
                     species * cells + i * n + right};
    for (int w = 0; w < 6; w++)
      index[6 * k + w] = (int32_t)of[w];
  }
  for (int64_t k = 0; k <= columns; k++)
    start[k] = 6 * k;
  int64_t used = 0;
  for (int64_t r = 0; r < runs; r++) {
    double begin = now();
    used = colour_columns(columns, entries, start, index, start, index, colours, seen_by);
    times[r] = now() - begin;
  }
  qsort(times, runs, sizeof *times, ascending);
  printf("%lld %.9f\n", (long long)used, times[0]);
  return 0;
}
