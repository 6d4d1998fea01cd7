// European options and their prices.
#include "kernels/black_scholes.hpp"

#include <cmath>
#include <numbers>

namespace corewise::workloads {
namespace {

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

}  // namespace

Option synthetic_option(Stream stream, std::uint64_t i) {
  const auto between = [&](std::uint64_t column, double low, double high) {
    return static_cast<float>(low + (high - low) * stream.unit(5 * i + column));
  };
  const float years = between(4, 0.1, 2.0);
  return {between(0, 5, 100), between(1, 5, 100), between(2, 0.01, 0.1), between(3, 0.05, 0.65),
          i % 2 == 0 ? years : -years};
}

double price(const Option& option) {
  const double years = std::fabs(option.years);
  const double spread = option.volatility * std::sqrt(years);
  const double drift = (option.rate + 0.5 * option.volatility * option.volatility) * years;
  const double d1 = (std::log(static_cast<double>(option.spot) / option.strike) + drift) / spread;
  const double strike_today = option.strike * std::exp(-option.rate * years);
  const double call = option.spot * normal_distribution(d1) - strike_today * normal_distribution(d1 - spread);
  return option.years > 0 ? call : call - option.spot + strike_today;  // put-call parity
}

std::int64_t price_in_millionths(const Option& option) { return std::llround(1e6 * price(option)); }

}  // namespace corewise::workloads
