/// Simulated annealing over swaps, for any cost that can tell the change a swap makes.
///
/// Source: Kirkpatrick, Gelatt, Vecchi, Science 220 (1983). Ours: whole numbers throughout, and swaps are
/// proposed where traffic pulls: beside a partner rather than anywhere.
#pragma once

#include <algorithm>
#include <cstdint>

#include "corewise/random.hpp"
#include "solvers/engine/fixed_log.hpp"
#include "solvers/engine/swap_proposer.hpp"
#include "solvers/engine/work.hpp"

namespace corewise::engine {

struct Schedule {
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

/// Anneals along a geometric schedule and leaves `cost` at the best mapping seen at the end of a batch.
template <typename CostModel>
void anneal(CostModel& cost, SwapProposer& proposer, const Schedule& schedule, Random& random,
            WorkMeter& work) {
  constexpr std::int64_t n_batches = 256;
  const std::int64_t log_hot =
      log2_fixed(static_cast<std::uint64_t>(std::max<Cost>(schedule.hottest, 1)) << 8);
  const std::int64_t log_cold =
      log2_fixed(static_cast<std::uint64_t>(std::max<Cost>(schedule.coldest, 1)) << 8);
  CostModel best = cost;
  for (std::int64_t batch = 0; batch < n_batches && !work.out_of_time(); ++batch) {
    const Cost temperature =
        exp2_fixed(log_hot + (log_cold - log_hot) * batch / (n_batches - 1));  // units of 2^-8
    const std::uint64_t proposals = schedule.proposals / n_batches + 1;
    for (std::uint64_t i = 0; i < proposals; ++i) {
      const Swap swap = proposer.draw(cost.mapping(), random);
      if (swap.u == swap.v) continue;
      const Cost delta = cost.delta(swap.u, swap.v);
      if (delta <= 0 || delta <= accepted(temperature, random)) {
        cost.swap(swap.u, swap.v, delta);
      }
    }
    if (cost.value() < best.value()) best = cost;
  }
  cost = best;
}

}  // namespace corewise::engine
