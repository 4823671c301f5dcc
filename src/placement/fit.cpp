// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rates of parallel work are means of the middle half. Which samples memory decides, and which arithmetic, follows
// from the rates, so that is repeated until nothing changes, from several beginnings; the rates that are least off, in
// the sum of the logarithms' distances, are taken. An outlier is in no middle half.
#include "placement/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace ferry::placement {

namespace {

/// The element at a fraction of the way through the sorted numbers, which are not empty.
double quantile(std::vector<double> numbers, double fraction) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[static_cast<std::size_t>(std::lround(fraction * static_cast<double>(numbers.size() - 1)))];
}

/// The geometric mean of the middle half of numbers above 0, which are not empty. Of a few that lie far apart the
/// median itself would be one or another from time to time.
double middle(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::size_t cut = numbers.size() / 4;
  double logarithms = 0;
  for (std::size_t i = cut; i < numbers.size() - cut; ++i)
    logarithms += std::log(numbers[i]);
  return std::exp(logarithms / static_cast<double>(numbers.size() - 2 * cut));
}

struct Rates {
  double byte = 0, operation = 0;
};

double predicted(const Rates &rates, const Work &work) {
  return std::max(rates.byte * static_cast<double>(work.bytes), rates.operation * static_cast<double>(work.operations));
}

double distance(const Rates &rates, std::span<const WorkSample> samples) {
  double sum = 0;
  for (const WorkSample &sample : samples)
    sum += std::abs(std::log(std::max(predicted(rates, sample.work), 1e-9) / sample.picoseconds));
  return sum;
}

Rates settled(Rates rates, std::span<const WorkSample> samples) {
  constexpr int most = 50;
  for (int i = 0; i < most; ++i) {
    std::vector<double> bytes, operations;
    for (const auto &[work, time] : samples) {
      double ofBytes = rates.byte * static_cast<double>(work.bytes);
      bool byMemory = ofBytes > 0 && ofBytes >= rates.operation * static_cast<double>(work.operations);
      if (byMemory)
        bytes.push_back(time / static_cast<double>(work.bytes));
      else if (work.operations > 0)
        operations.push_back(time / static_cast<double>(work.operations));
    }
    Rates next = {bytes.empty() ? rates.byte : middle(bytes),
                  operations.empty() ? rates.operation : middle(operations)};
    if (next.byte == rates.byte && next.operation == rates.operation)
      break;
    rates = next;
  }
  return rates;
}

Rates parallelRates(const std::vector<WorkSample> &samples, const Rates &otherwise) {
  std::vector<double> bytes, operations;
  for (const auto &[work, time] : samples) {
    if (work.bytes > 0)
      bytes.push_back(time / static_cast<double>(work.bytes));
    if (work.operations > 0)
      operations.push_back(time / static_cast<double>(work.operations));
  }
  Rates best = otherwise;
  std::optional<double> least;
  for (double i : {0.1, 0.25, 0.5, 0.75})
    for (double j : {0.1, 0.25, 0.5, 0.75}) {
      Rates rates = settled({bytes.empty() ? otherwise.byte : quantile(bytes, i),
                             operations.empty() ? otherwise.operation : quantile(operations, j)},
                            samples);
      double off = distance(rates, samples);
      if (!least || off < *least) {
        least = off;
        best = rates;
      }
    }
  return best;
}

Time wholeTime(double picoseconds) { return static_cast<Time>(std::llround(std::max(picoseconds, 0.0))); }

} // namespace

Rational rounded(double price) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", price);
  return Rational::fromDouble(std::strtod(text, nullptr)).value_or(Rational(0));
}

Link fitLink(std::span<const CopySample> samples) {
  // Divided by the time t, the equation latency + n * perByte = t is latency / t + n / t * perByte = 1.
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
  for (const CopySample &sample : samples) {
    double a = 1 / sample.picoseconds, b = static_cast<double>(sample.bytes) / sample.picoseconds;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a1 += a;
    b1 += b;
  }
  double determinant = aa * bb - ab * ab;
  double latency = (a1 * bb - b1 * ab) / determinant, perByte = (b1 * aa - a1 * ab) / determinant;
  if (!(latency > 0)) {
    latency = 0;
    perByte = b1 / bb;
  } else if (!(perByte > 0)) {
    perByte = 0;
    latency = a1 / aa;
  }
  return {wholeTime(latency), rounded(perByte)};
}

Roofline fitRoofline(std::span<const WorkSample> samples, const Roofline &otherwise) {
  Roofline roof = otherwise;
  std::vector<WorkSample> parallel;
  std::vector<double> alone, moved;
  for (const WorkSample &sample : samples) {
    const Work &work = sample.work;
    if (work.sequentialOps == 0 && (work.bytes > 0 || work.operations > 0))
      parallel.push_back(sample);
    else if (work.sequentialOps > 0)
      alone.push_back(sample.picoseconds / static_cast<double>(work.sequentialOps));
  }
  if (!parallel.empty()) {
    Rates rates = parallelRates(parallel, {otherwise.perByte.toDouble(), otherwise.perOperation.toDouble()});
    roof.perByte = rounded(rates.byte);
    roof.perOperation = rounded(rates.operation);
  }
  if (!alone.empty())
    roof.perSequentialOp = rounded(quantile(alone, 0.5));
  double each = roof.perSequentialOp.toDouble();
  for (const auto &[work, time] : samples)
    if (work.sequentialBytes > 0)
      moved.push_back((time - each * static_cast<double>(work.sequentialOps)) /
                      static_cast<double>(work.sequentialBytes));
  if (!moved.empty()) // one thread is no quicker than all of them
    roof.perSequentialByte = rounded(std::max(quantile(moved, 0.5), roof.perByte.toDouble()));
  return roof;
}

std::optional<std::string> implausible(const Machine &machine) {
  constexpr double second = 1e12;
  struct Price {
    const char *name;
    double picoseconds;
    bool mayBeFree = false;
  };
  auto latency = [](Time time) { return static_cast<double>(time); };
  const Price prices[] = {{"h2d: latency", latency(machine.h2d.latency)},
                          {"h2d: per_byte", machine.h2d.perByte.toDouble(), machine.sharedMemory},
                          {"d2h: latency", latency(machine.d2h.latency)},
                          {"d2h: per_byte", machine.d2h.perByte.toDouble(), machine.sharedMemory},
                          {"peek", latency(machine.peek)},
                          {"poke", latency(machine.poke)},
                          {"launch", latency(machine.launch)},
                          {"synchronize", latency(machine.synchronize)},
                          {"argument", latency(machine.argument)},
                          {"host: per_byte", machine.host.perByte.toDouble()},
                          {"host: per_operation", machine.host.perOperation.toDouble()},
                          {"host: per_sequential_operation", machine.host.perSequentialOp.toDouble()},
                          {"device: per_byte", machine.device.perByte.toDouble()},
                          {"device: per_operation", machine.device.perOperation.toDouble()},
                          {"device: per_sequential_operation", machine.device.perSequentialOp.toDouble()}};
  for (const auto &[name, picoseconds, mayBeFree] : prices) {
    bool isPrice = picoseconds > 0 && picoseconds <= second, isFree = mayBeFree && picoseconds == 0;
    if (!isPrice && !isFree)
      return std::string("'") + name + "' came out as " + std::to_string(picoseconds) + " ps";
  }
  return std::nullopt;
}

} // namespace ferry::placement
