// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices from measurements that are made up, so that what must come out is known.

#include "placement/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ferry::placement {
namespace {

double near(const Rational &number, double expected) { return std::abs(number.toDouble() / expected - 1); }

TEST(Fit, ALinkIsTheLineThroughItsCopies) {
  std::vector<CopySample> samples;
  for (std::int64_t bytes : {1'000, 100'000, 10'000'000})
    samples.push_back({bytes, 7e6 + 80.0 * static_cast<double>(bytes)});
  Link link = fitLink(samples);
  EXPECT_EQ(link.latency, 7'000'000);
  EXPECT_EQ(link.perByte, Rational(80));
}

TEST(Fit, ALongCopyCountsNoMoreThanAShortOne) {
  // The long one is off by a tenth; by absolute squares the latency would be, too.
  std::vector<CopySample> samples = {{1'000, 7.08e6}, {2'000, 7.16e6}, {4'000, 7.32e6}, {10'000'000, 1.1 * 807e6}};
  EXPECT_NEAR(static_cast<double>(fitLink(samples).latency), 7e6, 7e5);
}

TEST(Fit, NoPartOfALinkIsNegative) {
  std::vector<CopySample> falling = {{1'000, 9e6}, {1'000'000, 8e6}};
  EXPECT_EQ(fitLink(falling).perByte, Rational(0));
  EXPECT_GT(fitLink(falling).latency, 8'000'000);
  std::vector<CopySample> throughBelow = {{1'000, 10}, {1'000'000, 1e6}};
  EXPECT_EQ(fitLink(throughBelow).latency, 0);
  EXPECT_GT(fitLink(throughBelow).perByte, Rational(0));
}

/// Work of both kinds on a machine of 50 ps a byte and 20 ps an operation.
std::vector<WorkSample> samplesOfBothKinds() {
  std::vector<WorkSample> samples;
  for (std::int64_t n : {1'000, 10'000, 100'000}) {
    samples.push_back({{8 * n, 2 * n, 0, 0}, 400.0 * static_cast<double>(n)});
    samples.push_back({{24 * n, n, 0, 0}, 1200.0 * static_cast<double>(n)});
    samples.push_back({{8 * n, 200 * n, 0, 0}, 4000.0 * static_cast<double>(n)});
    samples.push_back({{0, 50 * n, 0, 0}, 1000.0 * static_cast<double>(n)});
  }
  return samples;
}

TEST(Fit, TellsWhatMemoryDecidesFromWhatArithmeticDoes) {
  Roofline roof = fitRoofline(samplesOfBothKinds(), {});
  EXPECT_LT(near(roof.perByte, 50), 1e-3);
  EXPECT_LT(near(roof.perOperation, 20), 1e-3);
}

TEST(Fit, AnOutlierChangesNothing) {
  std::vector<WorkSample> samples = samplesOfBothKinds();
  samples[0].picoseconds *= 40;
  samples[3].picoseconds *= 40;
  Roofline roof = fitRoofline(samples, {});
  EXPECT_LT(near(roof.perByte, 50), 1e-3);
  EXPECT_LT(near(roof.perOperation, 20), 1e-3);
}

TEST(Fit, OneThreadsBytesAreWhatItsOperationsLeave) {
  std::vector<WorkSample> samples = {
      {{0, 0, 1'000, 0}, 400'000}, {{0, 0, 1'000, 0}, 500'000}, {{0, 0, 1'000, 2'000}, 600'000}};
  Roofline roof = fitRoofline(samples, {Rational(7), Rational(3), 0, 0});
  EXPECT_EQ(roof.perSequentialOp, Rational(500));
  EXPECT_EQ(roof.perSequentialByte, Rational(50));
  EXPECT_EQ(roof.perByte, Rational(7)) << "nothing says otherwise";
  EXPECT_EQ(roof.perOperation, Rational(3));
  samples.back().picoseconds = 1;
  EXPECT_EQ(fitRoofline(samples, {Rational(7), Rational(3), 0, 0}).perSequentialByte, Rational(7));
}

TEST(Fit, SaysWhatNoMachineCosts) {
  Machine machine = *machineByName("cpu");
  EXPECT_FALSE(implausible(machine));
  EXPECT_FALSE(implausible(*machineByName("integrated"))) << "its copies move nothing";
  machine.launch = 0;
  EXPECT_EQ(implausible(machine), "'launch' came out as 0.000000 ps");
  machine = *machineByName("a100");
  machine.h2d.perByte = 0;
  EXPECT_TRUE(implausible(machine)->starts_with("'h2d: per_byte'"));
}

TEST(Fit, RoundsToFourDigits) {
  EXPECT_EQ(rounded(0.123456), Rational(1235, 10000));
  EXPECT_EQ(rounded(98764), Rational(98760));
  EXPECT_EQ(rounded(std::numeric_limits<double>::infinity()), Rational(0));
}

} // namespace
} // namespace ferry::placement
