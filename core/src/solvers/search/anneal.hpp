/// Simulated annealing by swaps, for any cost that evaluates a swap incrementally.
///
/// Source: Kirkpatrick, Gelatt, Vecchi, Science 220 (1983). Our changes: only whole numbers, so that results
/// don't depend on compiler or processor, and most proposed swaps move a vertex to a communication partner.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "corewise/random.hpp"
#include "solvers/problem/fixed_point.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/search_parameters.hpp"
#include "solvers/search/swap_proposer.hpp"

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

/// Temperatures fall geometrically from the first batch of proposals to the last.
struct CoolingSchedule {
  Cost initial_temperature = 0;  ///< in units of the cost; less than 1 counts as 1
  Cost final_temperature = 0;    ///< likewise
  std::uint64_t proposals = 0;   ///< in all batches together
};

struct SwapSample {
  std::uint64_t steps_per_proposal;  ///< as WorkMeter counts them
  Cost mean_change;                  ///< of the cost, regardless of its sign
};

/// Evaluates some proposals, so that a schedule can be chosen.
template <typename CostFunction>
[[nodiscard]] SwapSample sample_swaps(CostFunction& cost, SwapProposer& proposer, Random& random,
                                      const WorkMeter& work) {
  constexpr int n_samples = kCommon.sampled_swaps;
  const std::uint64_t steps_before = work.steps();
  Cost total_change = 0;
  for (int i = 0; i < n_samples; ++i) {
    const Swap swap = proposer.propose(cost.mapping(), random);
    if (swap.u != swap.v) total_change += std::abs(cost.delta(swap.u, swap.v));
  }
  return {(work.steps() - steps_before) / n_samples + 1, total_change / n_samples};
}

/// @tparam CostFunction  has mapping(), value(), delta(u, v, threshold) and swap(u, v, delta), as HopCost.
/// @return the best mapping at the end of any batch, or the initial one if none was better.
template <typename CostFunction>
[[nodiscard]] SlotOfVertex anneal(CostFunction& cost, SwapProposer& proposer, const CoolingSchedule& schedule,
                                  Random& random, WorkMeter& work) {
  constexpr std::int64_t n_batches = kCommon.batches;
  const auto log_of = [](Cost temperature) {
    return log2_fixed(static_cast<std::uint64_t>(std::max<Cost>(temperature, 1)) << kTemperatureShift);
  };
  const std::int64_t log_initial = log_of(schedule.initial_temperature);
  const std::int64_t log_final = log_of(schedule.final_temperature);
  const std::uint64_t proposals = schedule.proposals / n_batches + 1;
  SlotOfVertex best = cost.mapping().slots();
  Cost best_value = cost.value();
  for (std::int64_t batch = 0; batch < n_batches && !work.out_of_time(); ++batch) {
    const Cost temperature = exp2_fixed(log_initial + (log_final - log_initial) * batch / (n_batches - 1));
    for (std::uint64_t i = 0; i < proposals && !work.out_of_time(); ++i) {
      const Swap swap = proposer.propose(cost.mapping(), random);
      if (swap.u == swap.v) continue;
      const Cost threshold = acceptance_threshold(temperature, random);
      const Cost delta = cost.delta(swap.u, swap.v, threshold);
      if (delta <= threshold) cost.swap(swap.u, swap.v, delta);
    }
    work.add(proposals);
    if (cost.value() < best_value) {
      best_value = cost.value();
      best = cost.mapping().slots();
    }
  }
  return best;
}

}  // namespace corewise::search
