// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine's numbers, boxes and machine profiles.
#include "placement/box.h"
#include "placement/machine.h"
#include "placement/number.h"

#include <gtest/gtest.h>

#include <random>

namespace ferry::placement {
namespace {

TEST(Rational, IsExactAndInLowestTerms) {
  EXPECT_EQ(Rational(6, -4).toString(), "-3/2");
  EXPECT_EQ(Rational(1, 3) + Rational(1, 6), Rational(1, 2));
  EXPECT_EQ(Rational(2, 3) * Rational(9, 4), Rational(3, 2));
  EXPECT_EQ(Rational(2, 3) / Rational(4, 3), Rational(1, 2));
  EXPECT_LT(Rational(1, 3), Rational(34, 100));
  EXPECT_EQ(Rational(7, 2).ceiling(), Wide(4));
  EXPECT_EQ(Rational(-7, 2).ceiling(), Wide(-3));
}

TEST(Rational, ReadsDecimalsExactly) {
  EXPECT_EQ(Rational::fromDouble(0.1), Rational(1, 10));
  EXPECT_EQ(Rational::fromDouble(1e300), std::nullopt);
  EXPECT_EQ(Rational::fromDouble(0.0 / 0.0), std::nullopt);
  EXPECT_EQ(Rational::parse("-0.25"), Rational(-1, 4));
  EXPECT_EQ(Rational::parse("1.5e2"), Rational(150));
  EXPECT_EQ(Rational::parse("2/3"), Rational(2, 3));
  for (const char *bad : {"", "-", ".", "1/0", "x", "1e99", "1/2/3", "99999999999999999999999999999999999999999"})
    EXPECT_EQ(Rational::parse(bad), std::nullopt) << bad;
}

TEST(Rational, NeverWraps) {
  Rational big(multiplyChecked(INT64_MAX, INT64_MAX), 1);
  EXPECT_THROW(big * big, Overflow);
  EXPECT_THROW(big + big + big, Overflow);
  EXPECT_THROW(Rational(1) / Rational(0), Overflow);
  EXPECT_THROW(Rational(1, 0), Overflow);
  EXPECT_EQ(toString(multiplyChecked(INT64_MAX, INT64_MAX)), "85070591730234615847396907784232501249");
  EXPECT_EQ(toString(Wide(-12)), "-12");
}

TEST(BoxSet, AgreesWithASetOfElements) {
  std::mt19937 random(7); // NOLINT(bugprone-random-generator-seed): the same each time
  auto randomBox = [&] {
    Box box;
    for (int i = 0; i < 2; ++i) {
      std::int64_t begin = random() % 6;
      box.push_back({begin, begin + static_cast<std::int64_t>(random() % 4)});
    }
    return box;
  };
  for (int round = 0; round < 2000; ++round) {
    BoxSet set;
    bool bits[10][10] = {};
    for (int step = 0; step < 6; ++step) {
      Box box = randomBox();
      bool add = random() % 2;
      add ? set.add(box) : set.remove(box);
      for (std::int64_t i = box[0].begin; i < box[0].end; ++i)
        for (std::int64_t j = box[1].begin; j < box[1].end; ++j)
          bits[i][j] = add;
    }
    std::int64_t total = 0;
    for (const Box &part : set.parts())
      total += elements(part);
    std::int64_t expected = 0;
    for (std::int64_t i = 0; i < 10; ++i)
      for (std::int64_t j = 0; j < 10; ++j) {
        expected += bits[i][j];
        EXPECT_EQ(set.covers(Box{{i, i + 1}, {j, j + 1}}), bits[i][j]);
      }
    EXPECT_EQ(total, expected) << "parts overlap";
    BoxSet other(randomBox()), both = set;
    both.keep(other);
    EXPECT_TRUE(set.covers(both) && other.covers(both));
    EXPECT_TRUE(sameElements(set, set));
  }
}

TEST(BoxSet, OfAScalarHoldsItsElement) {
  BoxSet set{Box{}};
  EXPECT_TRUE(set.covers(Box{}));
  set.remove(Box{});
  EXPECT_TRUE(set.empty());
}

TEST(Machine, ProfilesHaveTheirNumbers) {
  struct Expected {
    const char *name;
    Time launch, gridBarrier, gridBarrierSetup, latency;
    Rational busPerByte, devicePerByte;
    std::int64_t gibibytes;
  };
  const Expected profiles[] = {
      {"pcie4", 4'000'000, 2'000'000, 20'000'000, 8'000'000, 40, Rational(10, 7), 24},
      {"a100", 4'000'000, 2'000'000, 20'000'000, 8'000'000, 40, Rational(50, 87), 80},
      {"mi210", 4'000'000, 2'000'000, 20'000'000, 8'000'000, 40, Rational(25, 36), 64},
      {"h200", 4'000'000, 2'000'000, 20'000'000, 8'000'000, Rational(200, 11), Rational(1, 4), 139},
      {"integrated", 3'000'000, 1'500'000, 15'000'000, 2'000'000, 0, Rational(50, 3), 0},
      {"cpu", 8'000'000, 20'000'000, 40'000'000, 20'000'000, Rational(125, 2), Rational(100, 3), 0},
      {"sim", 5'000'000, 2'000'000, 20'000'000, 10'000'000, 100, 1, 16}};
  EXPECT_EQ(machineNames().size(), std::size(profiles));
  for (const Expected &each : profiles) {
    std::optional<Machine> machine = machineByName(each.name);
    ASSERT_TRUE(machine) << each.name;
    EXPECT_EQ(machine->launch, each.launch) << each.name;
    EXPECT_EQ(machine->gridBarrier, each.gridBarrier) << each.name;
    EXPECT_EQ(machine->gridBarrierSetup, each.gridBarrierSetup) << each.name;
    EXPECT_EQ(machine->deviceMemory, each.gibibytes << 30) << each.name;
    EXPECT_TRUE(machine->device.perByte == each.devicePerByte) << each.name;
    for (const Link &link : {machine->h2d, machine->d2h}) {
      EXPECT_EQ(link.latency, each.latency) << each.name;
      EXPECT_TRUE(link.perByte == each.busPerByte) << each.name;
    }
  }
}

TEST(Machine, ShipsItsProfiles) {
  for (const std::string &name : machineNames()) {
    std::optional<Machine> machine = machineByName(name);
    ASSERT_TRUE(machine) << name;
    EXPECT_EQ(machine->name, name);
    EXPECT_GT(machine->launch, 0);
    EXPECT_EQ(machine->copy(Direction::HostToDevice, 0), 0);
    EXPECT_GT(machine->copy(Direction::HostToDevice, 1), 0);
    // A lone device thread is far slower than the host, all of them together are faster or as fast.
    if (name == "cpu") // its device is the host's cores
      continue;
    Work sequential, parallel;
    sequential.sequentialOps = 1000000;
    parallel.operations = 1000000;
    EXPECT_GE(machine->time(Side::Device, sequential), 40 * machine->time(Side::Host, sequential)) << name;
    EXPECT_LT(machine->time(Side::Device, parallel), machine->time(Side::Host, parallel)) << name;
  }
  EXPECT_FALSE(machineByName("abacus"));
  EXPECT_TRUE(machineByName("integrated")->sharedMemory);
  EXPECT_EQ(machineByName("sim")->copy(Direction::HostToDevice, 1000), 10000000 + 100000);
}

} // namespace
} // namespace ferry::placement
