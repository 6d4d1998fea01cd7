/// The hop-bytes portfolio.
#include "solvers/engine/hop_search.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "corewise/random.hpp"
#include "solvers/engine/anneal.hpp"
#include "solvers/engine/heat.hpp"
#include "solvers/engine/hop_cost.hpp"
#include "solvers/engine/parallel.hpp"
#include "solvers/engine/pull_table.hpp"
#include "solvers/engine/starts/bottom_up.hpp"
#include "solvers/engine/starts/box_tiling.hpp"
#include "solvers/engine/starts/grid.hpp"
#include "solvers/engine/starts/multisection.hpp"
#include "solvers/engine/zoom.hpp"

namespace corewise::engine {
namespace {

/// How the work is shared out.
struct Plan {
  int multisections;
  std::int32_t most_ranks_of_snakes;  ///< beyond, they would take too much of the work
  std::size_t replicas;               ///< annealed each by itself, from the best starts in turn
  std::uint64_t proposals;            ///< of all replicas; one takes about 50 ns
  /// Of a mean pair at the widest distance, for even and odd replicas: few ranks are melted down and frozen
  /// anew, many keep the large-scale order of their start.
  std::array<Cost, 2> hottest_percent;
  std::size_t reheated = 0;  ///< replicas after those, from the best found, so warm that it keeps its order
};

constexpr Cost warm_percent = 25;

/// Beyond, swapping between small groups would take as long as all multisections.
constexpr std::int32_t most_ranks_bottom_up = 65536;

/// Proposals of the default effort that a replica of many ranks gets at most: beyond 65536 each of them
/// misses the cache and zooming does more in the same time.
constexpr std::uint64_t most_of_one(std::uint64_t size) {
  return std::clamp<std::uint64_t>(std::uint64_t{26'000'000} * 65536 / size, 4'000'000, 26'000'000);
}

/// With fewer proposals a rank, less heat is taken off again.
constexpr std::array<Cost, 2> hottest_of_many(std::int32_t n) {
  if (n <= 2048) return {100, 100};
  return n <= 8192 ? std::array<Cost, 2>{40, 40} : std::array<Cost, 2>{5, 5};
}

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
      return {1, 256, 1, 300 * std::min(size, 4 * most), {few ? 40 : 15, 0}};
    case Effort::standard:
      if (few) return {36, 4096, 4, 46'000 * size, {200, 100}, 2};
      return {std::max(24 / fewer, 1), 4096, n <= 8192 ? 2u : 1u,
              std::min<std::uint64_t>(28'000 * std::min(size, most), most_of_one(size)), hottest_of_many(n)};
    case Effort::strong:
      if (few) return {200, 16384, 20, 240'000 * size, {200, 30}, 4};
      return {std::max(200 / fewer, 2), 16384, 4, 130'000 * std::min(size, most), {100, 40}};
  }
  return {};
}

/// Per vertex, on each level of the tree and in each region: where single ranks have long ways to go.
std::uint64_t proposals_of_zoom(std::int32_t n, Effort effort) {
  if (n <= 8192) return 0;
  return effort == Effort::fast ? 20 : effort == Effort::standard ? 60 : 200;
}

/// A mapping and its cost; the better of two is the lesser.
struct Found {
  Cost value;
  std::vector<std::int32_t> slot_of;
  friend auto operator<=>(const Found&, const Found&) = default;
};

class HopSearch {
 public:
  HopSearch(const HopProblem& problem, const SolverOptions& options, WorkMeter& work)
      : problem_(problem),
        options_(options),
        work_(work),
        plan_(make_plan(problem.graph.n_talking(), options.effort)),
        heat_(problem.graph, problem.tree) {}

  std::vector<std::int32_t> run() {
    const std::vector<Found> starts = find_starts();
    if (problem_.is_best(starts.front().slot_of)) return starts.front().slot_of;
    std::vector<Found> annealed(plan_.replicas);
    for_each(plan_.replicas, [&](std::size_t i, Random& random, WorkMeter& work) {
      annealed[i] = refine(starts[i % starts.size()], plan_.hottest_percent[i % 2], random, work);
    });
    const Found best = std::min(starts.front(), std::ranges::min(annealed));
    annealed.assign(plan_.reheated, {});
    for_each(plan_.reheated, [&](std::size_t i, Random& random, WorkMeter& work) {
      annealed[i] = refine(best, warm_percent, random, work);
    });
    annealed.push_back(best);
    return std::ranges::min(annealed).slot_of;
  }

 private:
  /// Calls task(i, random, work) for 0..n_tasks-1 in parallel, each with random numbers of its own.
  template <typename Task>
  void for_each(std::size_t n_tasks, const Task& task) {
    std::vector<WorkMeter> meters(n_tasks, work_.branch());
    const std::uint64_t first_stream = n_streams_;
    n_streams_ += n_tasks;
    run_parallel(n_tasks, options_.threads, [&](std::size_t i) {
      Random random(Random(options_.seed).next() + first_stream + i);
      task(i, random, meters[i]);
    });
    for (const WorkMeter& meter : meters) work_.join(meter);
  }

  /// As many different ones as there are replicas, the best first.
  std::vector<Found> find_starts() {
    std::vector<Found> starts{evaluated(problem_.block)};
    const auto add = [&](std::vector<std::int32_t> slots) {
      if (!problem_.rules || problem_.rules->mend(problem_.tree, slots)) {
        starts.push_back(evaluated(std::move(slots)));
      }
    };
    if (!problem_.worst && problem_.own_starts) {
      for (auto& slots : grid_starts()) add(std::move(slots));
      if (const Found& best = std::ranges::min(starts); problem_.is_best(best.slot_of)) return {best};
      for (auto& slots : bottom_up_starts()) add(std::move(slots));
      std::vector<std::vector<std::int32_t>> found(plan_.multisections);
      for_each(found.size(), [&](std::size_t i, Random& random, WorkMeter& work) {
        if (!work.out_of_time()) {
          found[i] = multisection(problem_.graph, problem_.tree, random, work,
                                  std::max(1, options_.threads / plan_.multisections));
        }
      });
      for (auto& slots : found) {
        if (!slots.empty()) add(std::move(slots));
      }
    }
    std::ranges::sort(starts);
    const auto twins = std::ranges::unique(starts, {}, &Found::value);
    starts.erase(twins.begin(), twins.end());
    starts.resize(std::min(starts.size(), plan_.replicas));
    return starts;
  }

  std::vector<std::vector<std::int32_t>> grid_starts() {
    const std::optional<GridShape> shape = detect_grid(problem_.graph);
    if (!shape) return {};
    std::vector<std::vector<std::int32_t>> starts{curve_start(problem_.tree, *shape)};
    if (auto tiling = box_tiling(problem_.tree, *shape, work_)) starts.push_back(std::move(*tiling));
    if (problem_.graph.n() <= plan_.most_ranks_of_snakes) {
      for_each(1, [&](std::size_t, Random& random, WorkMeter& work) {
        std::ranges::move(snake_starts(problem_.graph, problem_.tree, *shape, 2, random, work),
                          std::back_inserter(starts));
      });
    }
    return starts;
  }

  /// One for a dozen multisections.
  std::vector<std::vector<std::int32_t>> bottom_up_starts() {
    if (!problem_.tree.is_even() || problem_.graph.n() > most_ranks_bottom_up) return {};
    std::vector<std::vector<std::int32_t>> starts((plan_.multisections + 11) / 12);
    for_each(starts.size(), [&](std::size_t i, Random& random, WorkMeter& work) {
      starts[i] = bottom_up(problem_.graph, problem_.tree, random, work);
    });
    return starts;
  }

  [[nodiscard]] Found evaluated(std::vector<std::int32_t> slots) const {
    WorkMeter work = work_.branch();
    const Cost value = HopCost(problem_.graph, Mapping(problem_.tree, slots), sign(), work).value();
    return {value, std::move(slots)};
  }

  /// Anneals a replica from a temperature of `percent` of a mean pair at the widest distance.
  [[nodiscard]] Found refine(const Found& start, Cost percent, Random& random, WorkMeter& work) const {
    const std::uint64_t proposals = plan_.proposals / (plan_.replicas + plan_.reheated);
    const Found zoomed = refined_on_levels(start, percent, random, work);
    const Found frozen = annealed(zoomed, heat_.schedule(percent, proposals), random, work);
    const Schedule settling{heat_.coldest(), 1, proposals / 16};
    return std::min({zoomed, frozen, annealed(frozen, settling, random, work)});
  }

  /// Of many ranks: groups of each level change places, then ranks inside regions; not where ranks are
  /// choosy.
  [[nodiscard]] Found refined_on_levels(const Found& start, Cost percent, Random& random,
                                        WorkMeter& work) const {
    const std::uint64_t per_vertex = proposals_of_zoom(problem_.graph.n_talking(), options_.effort);
    if (per_vertex == 0 || (problem_.rules && problem_.rules->choosy())) return start;
    const Zoom zoom{per_vertex, percent, sign(),
                    std::max(1, options_.threads / static_cast<int>(plan_.replicas))};
    const Graph& graph = problem_.graph;
    const SlotTree& tree = problem_.tree;
    return evaluated(anneal_regions(
        graph, tree, anneal_groups(graph, tree, start.slot_of, zoom, random, work), zoom, random, work));
  }

  [[nodiscard]] Found annealed(const Found& start, const Schedule& schedule, Random& random,
                               WorkMeter& work) const {
    SwapProposer proposer(problem_.graph, problem_.tree, problem_.tree.n_levels(), problem_.rules);
    Mapping mapping(problem_.tree, start.slot_of);
    if (PullTable::size(problem_.tree) <= largest_pull_table) {
      PullTable cost(problem_.graph, std::move(mapping), sign(), work);
      return evaluated(anneal(cost, proposer, schedule, random, work));
    }
    HopCost cost(problem_.graph, std::move(mapping), sign(), work);
    return evaluated(anneal(cost, proposer, schedule, random, work));
  }

  [[nodiscard]] int sign() const { return problem_.worst ? -1 : 1; }

  const HopProblem& problem_;
  const SolverOptions& options_;
  WorkMeter& work_;
  Plan plan_;
  Heat heat_;
  std::uint64_t n_streams_ = 0;  ///< random streams given out so far
};

}  // namespace

std::vector<std::int32_t> search_hop_bytes(const HopProblem& problem, const SolverOptions& options,
                                           WorkMeter& work) {
  // Where all slots are equally far apart every mapping costs the same.
  const bool all_equal = problem.tree.lowest_level() == problem.tree.n_levels();
  if (problem.graph.edges.empty() || all_equal) return problem.block;
  return HopSearch(problem, options, work).run();
}

}  // namespace corewise::engine
