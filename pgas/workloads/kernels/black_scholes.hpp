/// European options and their prices. Source: Black and Scholes, Journal of Political Economy 81 (1973).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/random.hpp"

namespace corewise::workloads {

/// An option on a share that pays no dividends.
struct Option {
  float spot;        ///< price of the share today
  float strike;      ///< price at which the share may be bought (call) or sold (put)
  float rate;        ///< riskless interest per year
  float volatility;  ///< of the share's price, per year
  float years;       ///< until the option expires; negative for a put
};

/// Option number i of the synthetic data for a seed: spot and strike in [5, 100), rate in [0.01, 0.1),
/// volatility in [0.05, 0.65), 0.1 to 2 years; every second option is a put.
[[nodiscard]] Option synthetic_option(Stream stream, std::uint64_t i);

/// The option's price, with an error below 2e-5 for spots and strikes below 100.
[[nodiscard]] double price(const Option& option);

/// The price in millionths, rounded to an integer, so that sums do not depend on the order.
[[nodiscard]] std::int64_t price_in_millionths(const Option& option);

}  // namespace corewise::workloads
