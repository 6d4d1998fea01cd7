/// Simulated annealing over swaps, for any cost that can tell the change a swap makes.
///
/// Source: Kirkpatrick, Gelatt, Vecchi, Science 220 (1983). Ours: whole numbers throughout, and swaps are
/// proposed where traffic pulls: beside a partner rather than anywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/fixed_point.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/swap_proposer.hpp"

namespace corewise::search {

struct CoolingSchedule {
  Cost hottest = 0;  ///< temperature of the first batch, in units of the cost
  Cost coldest = 0;  ///< of the last one
  std::uint64_t proposals = 0;
};

/// The greatest increase that Metropolis accepts this time; `temperature` in units of 2^-8.
inline Cost accepted(Cost temperature, Random& random) {
  static constexpr MetropolisTable metropolis;
  const __int128 product = static_cast<__int128>(temperature) * metropolis[random.next() >> 52];
  return static_cast<Cost>(product >> (metropolis_shift + 8));
}

/// Anneals `cost` along a geometric schedule.
/// @return [vertex] -> slot, the best mapping seen at the end of a batch; the one begun with, if none was
/// better.
template <typename CostModel>
[[nodiscard]] std::vector<std::int32_t> anneal(CostModel& cost, SwapProposer& proposer,
                                               const CoolingSchedule& schedule, Random& random,
                                               WorkMeter& work) {
  constexpr std::int64_t n_batches = 256;
  const std::int64_t log_hot =
      log2_fixed(static_cast<std::uint64_t>(std::max<Cost>(schedule.hottest, 1)) << 8);
  const std::int64_t log_cold =
      log2_fixed(static_cast<std::uint64_t>(std::max<Cost>(schedule.coldest, 1)) << 8);
  std::vector<std::int32_t> best = cost.mapping().slots();
  Cost best_value = cost.value();
  for (std::int64_t batch = 0; batch < n_batches && !work.out_of_time(); ++batch) {
    const Cost temperature =
        exp2_fixed(log_hot + (log_cold - log_hot) * batch / (n_batches - 1));  // units of 2^-8
    const std::uint64_t proposals = schedule.proposals / n_batches + 1;
    for (std::uint64_t i = 0; i < proposals; ++i) {
      const Swap swap = proposer.draw(cost.mapping(), random);
      if (swap.u == swap.v) continue;
      const Cost most = accepted(temperature, random);
      const Cost delta = cost.delta(swap.u, swap.v, most);
      if (delta <= most) cost.swap(swap.u, swap.v, delta);
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
