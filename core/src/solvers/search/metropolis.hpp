/// The Metropolis criterion in fixed-point arithmetic: which increases of the cost an annealing step accepts.
#pragma once

#include <array>
#include <cstdint>

#include "corewise/random.hpp"
#include "solvers/problem/fixed_point.hpp"
#include "solvers/problem/slot_tree.hpp"

namespace corewise::search {

/// Temperatures are kept in units of 2^-kTemperatureShift of the cost's unit.
inline constexpr int kTemperatureShift = 8;

/// -ln of a uniform number in (0, 1), in units of 2^-12. Entry i stands for (i + 1/2) / 4096.
class MetropolisTable {
 public:
  static constexpr int kShift = 12;

  constexpr MetropolisTable() {
    constexpr std::int64_t ln2 = 2977044472;  // ln 2 in units of 2^-32
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const std::int64_t log2 = 13 * 65536 - log2_fixed(2 * i + 1);  // of 8192 / (2 i + 1), units of 2^-16
      table_[i] = static_cast<std::int32_t>((log2 * (ln2 >> 8)) >> 28);
    }
  }
  [[nodiscard]] std::int64_t operator[](std::uint64_t random_bits) const {
    return table_[random_bits & 4095];
  }

 private:
  std::array<std::int32_t, 4096> table_{};
};

/// A random threshold for one step. An increase d is below it with probability exp(-d / temperature).
inline Cost acceptance_threshold(Cost temperature, Random& random) {
  static constexpr MetropolisTable table;
  const __int128 product = static_cast<__int128>(temperature) * table[random.next() >> 52];
  return static_cast<Cost>(product >> (MetropolisTable::kShift + kTemperatureShift));
}

}  // namespace corewise::search
