// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What object_code_test.cpp loads: code with constants, data, memory that is 0 at first, pointers, and calls to elsewhere.

#include <math.h>
#include <stdint.h>
#include <string.h>

static int64_t calls;
static const char *const words[] = {"one", "two", "three"};
static int64_t triple(int64_t x) { return 3 * x; }
static int64_t (*operation)(int64_t) = triple;
double factor = 2.5;

int64_t countCalls(void) { return ++calls; }
int64_t applied(int64_t x) { return operation(x); }
const char *word(int64_t i) { return words[i]; }
double scaledPower(double x, double y) { return factor * pow(x, y); }
void copied(char *to, const char *from, int64_t bytes) { memcpy(to, from, (size_t)bytes); }
double (*addressOf(void))(double) { return floor; }
