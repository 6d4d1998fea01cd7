/// The functions behind the rows of registry.cpp, and the checked arithmetic they share.
#pragma once

#include <cstdint>

#include "corewise/error.hpp"
#include "corewise/objective.hpp"

namespace corewise {

[[nodiscard]] Score evaluate_congestion(const Traffic& traffic, const Machine& machine,
                                        const Placement& placement);
[[nodiscard]] Score evaluate_hop_bytes(const Traffic& traffic, const Machine& machine,
                                       const Placement& placement);
[[nodiscard]] Score evaluate_link_load(const Traffic& traffic, const Machine& machine,
                                       const Placement& placement);
[[nodiscard]] Score evaluate_time(const Traffic& traffic, const Machine& machine, const Placement& placement);

/// Greatest load of each class of links from `top_level` down to class 2, summed over phases, repeats
/// counted.
[[nodiscard]] Score greatest_loads(const Traffic& traffic, const Machine& machine, const Placement& placement,
                                   int top_level);

/// sum += factor * amount. @throws Error(bad_input) when the sum doesn't fit 64 bits.
inline void add_product(std::uint64_t& sum, std::uint64_t factor, std::uint64_t amount) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(factor, amount, &product) || __builtin_add_overflow(sum, product, &sum)) {
    throw Error(
        ErrorCode::bad_input,
        "the objective exceeds 2^64; expected less: divide all bytes, repeats or distances by a constant");
  }
}

}  // namespace corewise
