// Tests of option prices, points in the circle, and the stream of random numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "kernels/black_scholes.hpp"
#include "kernels/pi.hpp"

namespace corewise::workloads {
namespace {

TEST(BlackScholes, prices_the_textbooks_options) {
  // Hull, Options, Futures and Other Derivatives, example 15.6: 4.76 for the call, 0.81 for the put.
  EXPECT_NEAR(price({42, 40, 0.1F, 0.2F, 0.5F}), 4.7594, 1e-4);
  EXPECT_NEAR(price({42, 40, 0.1F, 0.2F, -0.5F}), 0.8086, 1e-4);
}

TEST(BlackScholes, call_and_put_differ_by_the_forward) {
  const Stream stream(5);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Option option = synthetic_option(stream, i);
    option.years = std::fabs(option.years);
    const double call = price(option);
    const double forward = option.spot - option.strike * std::exp(-double{option.rate} * option.years);
    EXPECT_GE(call, std::max(0.0, forward) - 2e-5);
    EXPECT_LE(call, option.spot);
    option.years = -option.years;
    EXPECT_NEAR(call - price(option), forward, 1e-9);
  }
}

TEST(Pi, comes_out_of_the_points) {
  constexpr std::uint64_t points = 4'000'000;
  const Stream stream(1);
  const std::uint64_t inside = points_in_circle(stream, 0, points);
  EXPECT_NEAR(pi_from(inside, points), std::numbers::pi, 5e-3);  // six standard deviations
  EXPECT_EQ(points_in_circle(stream, 0, 1000) + points_in_circle(stream, 1000, points), inside);
}

TEST(Stream, is_splitmix64_by_position) {
  // Numbers depend only on the seed and the position.
  const Stream stream(42);
  EXPECT_EQ(stream.bits(7), Stream(42).bits(7));
  EXPECT_NE(stream.bits(7), stream.bits(8));
  EXPECT_NE(stream.bits(7), Stream(43).bits(7));
  double mean = 0;
  for (std::uint64_t k = 0; k < 10'000; ++k) mean += stream.unit(k) / 10'000;
  EXPECT_NEAR(mean, 0.5, 0.02);  // seven standard deviations
}

}  // namespace
}  // namespace corewise::workloads
