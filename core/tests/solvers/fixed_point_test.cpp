/// Fixed-point logarithms and powers, and the Metropolis table that uses them.
#include "solvers/problem/fixed_point.hpp"

#include <gtest/gtest.h>

#include "solvers/search/anneal.hpp"

namespace corewise {
namespace {

TEST(FixedPoint, AgreesWithTheLogarithmToFourDigits) {
  EXPECT_EQ(log2_fixed(1), 0);
  EXPECT_EQ(log2_fixed(1024), 10 * 65536);
  EXPECT_NEAR(static_cast<double>(log2_fixed(3)) / 65536, 1.58496, 1e-4);
  EXPECT_EQ(exp2_fixed(10 * 65536), 1024);
  EXPECT_NEAR(static_cast<double>(exp2_fixed(log2_fixed(1'000'000))), 1e6, 100);
}

TEST(FixedPoint, RoundsRootsDown) {
  EXPECT_EQ(integer_root(0), 0);
  EXPECT_EQ(integer_root(24), 4);
  EXPECT_EQ(integer_root(25), 5);
  EXPECT_EQ(integer_root(~std::uint64_t{0}), 0xffffffff);
}

TEST(MetropolisTable, HoldsLogarithmsOfUniformNumbers) {
  const search::MetropolisTable table;
  // Entry i is -ln((i + 1/2) / 4096) in units of 2^-12, so the middle entry is ln 2 = 0.6931.
  EXPECT_NEAR(static_cast<double>(table[2047]) / 4096, 0.6933, 1e-3);
}

TEST(Metropolis, AcceptsIncreasesOfTheTemperatureInOneOfEProposals) {
  Random random(1);
  const Cost temperature = 1000;
  int accepted = 0;
  for (int i = 0; i < 100'000; ++i) {
    accepted += search::acceptance_threshold(temperature << search::kTemperatureShift, random) >= temperature;
  }
  EXPECT_NEAR(accepted / 100'000.0, 0.368, 0.01);
}

}  // namespace
}  // namespace corewise
