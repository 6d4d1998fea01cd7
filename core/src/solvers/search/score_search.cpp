/// Late acceptance hill climbing from the best starts, one random stream each.
#include "solvers/search/score_search.hpp"

#include <algorithm>
#include <utility>

#include "corewise/random.hpp"
#include "solvers/problem/fixed_point.hpp"
#include "solvers/search/search_parameters.hpp"
#include "solvers/search/swap_proposer.hpp"
#include "solvers/search/task_runner.hpp"

namespace corewise::search {
namespace {

struct Found {
  Score score;
  SlotOfVertex slot_of;
};

class Climb {
 public:
  Climb(const ScoreProblem& problem, Found start, Random& random, WorkMeter& work)
      : problem_(problem),
        mapping_(problem.tree, start.slot_of),
        proposer_(problem.partners, problem.tree, problem.top_level, &problem.rules),
        random_(random),
        work_(work),
        now_(start.score),
        best_(std::move(start)) {}

  Found run(std::uint64_t n_swaps) {
    std::vector<Score> memory(n_swaps / kCommon.swaps_per_memory + 1, now_);
    for (std::uint64_t i = 0; i < n_swaps && !work_.out_of_time(); ++i) {
      Score& before = memory[i % memory.size()];
      try_swap(before);
      before = std::min(before, now_);
      if (now_ < best_.score) best_ = {now_, mapping_.slots()};
    }
    return std::move(best_);
  }

 private:
  void try_swap(const Score& before) {
    const Swap swap = proposer_.propose(mapping_, random_);
    work_.add(1);
    if (changes_nothing(swap)) return;
    mapping_.swap(swap.u, swap.v);
    Score score = problem_.score(mapping_.slots());
    work_.add(problem_.steps_per_score);
    if (score > now_ && score > before) {
      mapping_.swap(swap.u, swap.v);
    } else {
      now_ = std::move(score);
    }
  }

  [[nodiscard]] bool changes_nothing(const Swap& swap) const {
    return std::min(swap.u, swap.v) >= problem_.n_ranks ||
           problem_.tree.core(mapping_.slot(swap.u)) == problem_.tree.core(mapping_.slot(swap.v));
  }

  const ScoreProblem& problem_;
  Mapping mapping_;
  SwapProposer proposer_;
  Random& random_;
  WorkMeter& work_;
  Score now_;
  Found best_;
};

/// The best starts of different scores, best first, at most one for each replica.
std::vector<Found> best_starts(const ScoreProblem& problem, std::vector<SlotOfVertex> starts,
                               std::size_t replicas) {
  std::vector<Found> found;
  for (SlotOfVertex& start : starts) {
    Score score = problem.score(start);
    found.push_back({std::move(score), std::move(start)});
  }
  std::ranges::stable_sort(found, {}, &Found::score);
  const auto twins = std::ranges::unique(found, {}, &Found::score);
  found.erase(twins.begin(), twins.end());
  found.resize(std::min(found.size(), replicas));
  return found;
}

}  // namespace

SlotOfVertex optimise_scores(const ScoreProblem& problem, std::vector<SlotOfVertex> starts,
                             const SolverOptions& options, WorkMeter& work) {
  const SearchParameters& parameters = search_parameters(options.effort);
  const std::size_t replicas = parameters.score_replicas;
  const std::vector<Found> from = best_starts(problem, std::move(starts), replicas);
  const auto n_ranks = static_cast<std::uint64_t>(problem.n_ranks);
  const std::uint64_t slower = integer_root(std::max<std::uint64_t>(n_ranks / 64, 1));
  const std::uint64_t steps = parameters.score_steps_per_rank * n_ranks / slower;
  const std::uint64_t n_swaps = steps / replicas / (problem.steps_per_score + 1) + 1;
  std::vector<Found> found(replicas);
  TaskRunner tasks(options.seed, options.threads, work);
  tasks.run(replicas, [&](std::size_t i, Random& random, WorkMeter& task_work) {
    found[i] = Climb(problem, from[i % from.size()], random, task_work).run(n_swaps);
  });
  return std::ranges::min_element(found, {}, &Found::score)->slot_of;
}

}  // namespace corewise::search
