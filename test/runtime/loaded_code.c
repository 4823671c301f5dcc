// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shared_object_test.cpp loads: code with constants, data, memory that is 0 at first, pointers, and calls to
// elsewhere.

#include "runtime/abi.h"

#include <math.h>
#include <stddef.h>

static int64_t calls;
static const char *const words[] = {"one", "two", "three"};
static int64_t triple(int64_t x) { return 3 * x; }
static int64_t (*operation)(int64_t) = triple;
double factor = 2.5;

int64_t countCalls(void) { return ++calls; }
int64_t applied(int64_t x) { return operation(x); }
const char *word(int64_t i) { return words[i]; }
double scaledPower(double x, double y) { return factor * pow(x, y); }

struct {
  const char *name;
  void *address;
} ferry_imports[] = {{"ferry_rt_retain", NULL}, {"ferry_rt_fail", NULL}, {NULL, NULL}};

void ferry_entry_failing(FerryContext *context, void *slots) {
  static const FerryFailure failure = {FERRY_FAIL_TEXT, 3, 5, 0, "loaded.fut", "seven is {0}"};
  (void)slots;
  ((void (*)(FerryContext *, const FerryFailure *, int64_t, int64_t, int64_t, int64_t))ferry_imports[1].address)(
      context, &failure, 7, 0, 0, 0);
}
