/// Simulated annealing over swaps, for any cost that can tell the change a swap makes.
///
/// Source: Kirkpatrick, Gelatt, Vecchi, Science 220 (1983). Ours: whole numbers throughout, and swaps are
/// proposed where traffic pulls: beside a partner rather than anywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/engine/fixed_log.hpp"
#include "solvers/engine/graph.hpp"
#include "solvers/engine/mapping.hpp"
#include "solvers/engine/work.hpp"

namespace corewise::engine {

struct Swap {
  std::int32_t u;
  std::int32_t v;
};

/// Draws swaps: mostly one that brings a vertex into a group of one of its partners, sometimes any other.
class SwapProposer {
 public:
  SwapProposer(const Graph& graph, const SlotTree& tree) : graph_(&graph), tree_(&tree) {
    while (lowest_level_ < tree.n_levels() && tree.n_groups(lowest_level_) == tree.n_slots()) ++lowest_level_;
  }

  [[nodiscard]] Swap draw(const Mapping& mapping, Random& random) const {
    const auto n = static_cast<std::uint32_t>(mapping.n());
    const auto u = static_cast<std::int32_t>(random.below(n));
    const std::span<const Edge> row = graph_->row(u);
    const std::uint64_t bits = random.next();
    if (!row.empty() && (bits & 7) != 0) {
      const std::int32_t partner = row[((bits >> 32) * row.size()) >> 32].to;
      const int meeting = mapping.meeting_level(u, partner);
      if (meeting > lowest_level_) {
        const int levels = meeting - lowest_level_;
        const int level =
            lowest_level_ + static_cast<int>((((bits >> 3) & 0xffff) * static_cast<unsigned>(levels)) >> 16);
        const std::int32_t group = tree_->group(level, mapping.slot(partner));
        const auto size = static_cast<std::uint32_t>(tree_->group_size(level, group));
        const auto slot = tree_->first_slot(level, group) + static_cast<std::int32_t>(random.below(size));
        return {u, mapping.vertex_at(slot)};
      }
    }
    return {u, static_cast<std::int32_t>(random.below(n))};
  }

 private:
  const Graph* graph_;
  const SlotTree* tree_;
  int lowest_level_ = 0;  // the lowest one whose groups can hold two vertices
};

struct Schedule {
  Cost hottest = 0;  ///< temperature of the first batch, in units of the cost
  Cost coldest = 0;  ///< of the last one
  std::uint64_t proposals = 0;
};

/// Anneals along a geometric schedule and leaves `cost` at the best mapping seen at the end of a batch.
template <typename CostModel>
void anneal(CostModel& cost, const SwapProposer& proposer, const Schedule& schedule, Random& random,
            WorkMeter& work) {
  static constexpr MetropolisTable metropolis;
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
      if (delta <= 0 || delta <= (temperature * metropolis[random.next() >> 52]) >> (metropolis_shift + 8)) {
        cost.swap(swap.u, swap.v, delta);
      }
    }
    if (cost.value() < best.value()) best = cost;
  }
  cost = best;
}

}  // namespace corewise::engine
