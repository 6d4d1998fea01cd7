/// The hop-bytes portfolio.
#include "solvers/engine/hop_search.hpp"

#include <algorithm>
#include <cstdlib>

#include "corewise/random.hpp"
#include "solvers/engine/anneal.hpp"
#include "solvers/engine/hop_cost.hpp"
#include "solvers/engine/pull_table.hpp"
#include "solvers/engine/starts/grid.hpp"
#include "solvers/engine/starts/multisection.hpp"

namespace corewise::engine {
namespace {

/// How the work is shared out. A step is one partner looked at: about 5 ns where everything is in the cache.
struct Plan {
  int multisections;
  std::int32_t most_ranks_of_snakes;  ///< beyond, they would take too much of the work
  std::uint64_t annealing_steps;
  Cost hottest_percent;  ///< of a mean pair at the widest distance: few ranks are melted down and frozen
                         ///< anew, many keep the large-scale order of their start; at 0 they only descend
};

Plan make_plan(std::int32_t n, Effort effort) {
  const auto size = static_cast<std::uint64_t>(n);
  const std::uint64_t thousands = std::max<std::uint64_t>(size / 1024, 1);
  const auto fewer = static_cast<int>(thousands);
  // Beyond a thousand ranks the work grows with the fourth root (of a root of ranks), or nobody would wait
  // for it.
  const std::uint64_t most = 1024 * integer_root(integer_root(thousands * 65536)) / 16;
  const bool few = n <= 256;
  switch (effort) {
    case Effort::fast:
      return {1, 256, 5'000 * std::min(size, 4 * most), few ? 40 : 15};
    case Effort::standard:
      return {std::max(24 / fewer, 1), 4096,
              std::min<std::uint64_t>(400'000 * std::min(size, most), 600'000'000),
              few         ? 400
              : n <= 8192 ? 40
                          : 5};
    case Effort::strong:
      return {std::max(200 / fewer, 2), 16384, 3'000'000 * std::min(size, most), few ? 400 : 100};
  }
  return {};
}

/// Much of a mapping survives this heat and the rest finds better places: it takes turns with melting all.
constexpr Cost warm_percent = 100;

/// Entries of a pull table that stay near the processor: 16 MB.
constexpr std::size_t largest_table = std::size_t{1} << 21;

class HopSearch {
 public:
  HopSearch(const HopProblem& problem, std::uint64_t seed, WorkMeter& work)
      : problem_(problem),
        work_(work),
        random_(seed),
        proposer_(problem.graph, problem.tree, problem.tree.n_levels(), problem.rules),
        best_(start(problem.block)) {
    Cost total = 0;
    for (const Edge& edge : problem.graph.edges) total += edge.weight;
    mean_weight_ = std::max<Cost>(1, total / static_cast<Cost>(problem.graph.edges.size()));
    steps_per_proposal_ =
        7 + 2 * problem.graph.edges.size() / static_cast<std::size_t>(problem.graph.n_talking());
    const SlotTree& tree = problem.tree;
    widest_ = tree.distance_of_level(1);
    narrowest_ = widest_;
    for (int level = 2; level <= tree.n_levels(); ++level) {
      const Cost step = std::abs(tree.distance_of_level(level) - tree.distance_of_level(level - 1));
      if (level == 2 || step < narrowest_) narrowest_ = step;
      widest_ = std::max(widest_, tree.distance_of_level(level));
    }
  }

  std::vector<std::int32_t> run(const Plan& plan) {
    if (!problem_.worst) try_starts(plan);
    if (plan.hottest_percent <= warm_percent) {
      refine(plan.hottest_percent, plan.annealing_steps);
    } else {
      for (const Cost percent : {plan.hottest_percent, warm_percent, plan.hottest_percent, warm_percent}) {
        refine(percent, plan.annealing_steps / 4);
      }
    }
    return best_.mapping().slots();
  }

 private:
  void try_starts(const Plan& plan) {
    if (const std::optional<GridShape> shape = detect_grid(problem_.graph)) {
      for (auto& slots : box_starts(problem_.tree, *shape, 2)) consider_start(std::move(slots));
      if (problem_.graph.n() <= plan.most_ranks_of_snakes) {
        for (auto& slots : snake_starts(problem_.graph, problem_.tree, *shape, 2, random_, work_)) {
          consider_start(std::move(slots));
        }
      }
    }
    for (int i = 0; i < plan.multisections && !work_.out_of_time(); ++i) {
      consider_start(multisection(problem_.graph, problem_.tree, random_, work_));
    }
  }
  [[nodiscard]] HopCost start(std::vector<std::int32_t> slots) {
    return {problem_.graph, Mapping(problem_.tree, std::move(slots)), problem_.worst ? -1 : 1, work_};
  }
  void consider_start(std::vector<std::int32_t> slots) {
    if (problem_.rules && !problem_.rules->mend(problem_.tree, slots)) return;
    consider(start(std::move(slots)));
  }
  void consider(HopCost cost) {
    if (cost.value() < best_.value()) best_ = std::move(cost);
  }
  /// Anneals the best so far from a temperature of `percent` of a mean pair at the widest distance.
  void refine(Cost percent, std::uint64_t steps) {
    const Cost coldest = std::max<Cost>(1, mean_weight_ * narrowest_ / 2);
    const Cost hottest = percent == 0 ? 1 : std::max(coldest, mean_weight_ * widest_ * percent / 100);
    anneal_best(hottest, std::min(hottest, coldest), steps);
    anneal_best(coldest, 1, steps / 16);  // settles
  }
  void anneal_best(Cost hottest, Cost coldest, std::uint64_t steps) {
    const Schedule schedule{hottest, coldest, steps / steps_per_proposal_};
    if (PullTable::size(problem_.tree) > largest_table) {
      HopCost cost = best_;
      consider(start(anneal(cost, proposer_, schedule, random_, work_)));
    } else {
      PullTable cost(problem_.graph, best_.mapping(), problem_.worst ? -1 : 1, work_);
      consider(start(anneal(cost, proposer_, schedule, random_, work_)));
    }
  }

  const HopProblem& problem_;
  WorkMeter& work_;
  Random random_;
  SwapProposer proposer_;
  HopCost best_;
  Cost mean_weight_ = 1;
  Cost widest_ = 1;
  Cost narrowest_ = 1;
  std::uint64_t steps_per_proposal_ = 1;
};

}  // namespace

std::vector<std::int32_t> search_hop_bytes(const HopProblem& problem, std::uint64_t seed, Effort effort,
                                           WorkMeter& work) {
  if (problem.graph.edges.empty() || problem.tree.n_levels() == 0) return problem.block;
  return HopSearch(problem, seed, work).run(make_plan(problem.graph.n_talking(), effort));
}

}  // namespace corewise::engine
