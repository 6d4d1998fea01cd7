/// The hop-bytes portfolio.
#include "solvers/search/hop_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>

#include "corewise/random.hpp"
#include "solvers/patterns/box_tiling.hpp"
#include "solvers/patterns/grid_mappings.hpp"
#include "solvers/search/anneal_hops.hpp"
#include "solvers/search/construction/bottom_up.hpp"
#include "solvers/search/construction/clusters.hpp"
#include "solvers/search/construction/multisection.hpp"
#include "solvers/search/hop_cost.hpp"
#include "solvers/search/hop_plan.hpp"
#include "solvers/search/multilevel_refinement.hpp"
#include "solvers/search/parallel.hpp"
#include "solvers/search/temperature_scale.hpp"

namespace corewise::search {
namespace {

using Slots = std::vector<std::int32_t>;

constexpr Cost warm_percent = 25;

/// Beyond, swapping between small groups would take as long as all multisections.
constexpr std::int32_t most_ranks_bottom_up = 65536;

/// Per vertex, on each level of the tree and in each region: where single ranks have long ways to go.
std::uint64_t multilevel_proposals(std::int32_t n, Effort effort) {
  if (n <= 8192) return 0;
  return effort == Effort::fast ? 20 : effort == Effort::standard ? 60 : 200;
}

/// A mapping and its cost; the better of two is the lesser.
struct Found {
  Cost value;
  Slots slot_of;
  int kind = 0;  ///< of start that it came from: a StartKind, or that of units and the index of theirs
  friend auto operator<=>(const Found&, const Found&) = default;
};

enum StartKind { from_block, from_grid, from_multisection, from_groups, from_units };

class HopSearch {
 public:
  HopSearch(const HopProblem& problem, const SolverOptions& options, WorkMeter& work)
      : problem_(problem),
        options_(options),
        work_(work),
        plan_(make_hop_plan(problem.graph.n_active(), options.effort, problem.proof_follows)),
        temperatures_(problem.graph, problem.tree) {
    if (plan_.units > 0) cluster_schemes_ = cluster_schemes(problem.tree);
    if (cluster_schemes_.size() > plan_.max_cluster_schemes)
      cluster_schemes_.resize(plan_.max_cluster_schemes);
  }

  Slots run() {
    const std::vector<Found> starts = find_starts();
    if (problem_.is_best(starts.front().slot_of)) return starts.front().slot_of;
    std::vector<Found> annealed(plan_.replicas);
    for_each(plan_.replicas, [&](std::size_t i, Random& random, WorkMeter& work) {
      const Cost percent = plan_.initial_percent[i % 2];
      const Found start = refined_on_levels(starts[i % starts.size()], percent, random, work);
      annealed[i] = refine(start, percent, plan_.proposals, random, work);
    });
    const Found best = std::min(starts.front(), std::ranges::min(annealed));
    annealed.assign(plan_.reheated, {});
    for_each(plan_.reheated, [&](std::size_t i, Random& random, WorkMeter& work) {
      annealed[i] = refine(best, warm_percent, plan_.proposals_of_reheated, random, work);
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

  /// As many different ones as there are replicas, the best first. The best of each kind comes before the
  /// others if it is nearly as good, so that replicas begin far from each other.
  std::vector<Found> find_starts() {
    std::vector<Found> found = all_starts();
    std::ranges::sort(found);
    const auto twins = std::ranges::unique(found, {}, &Found::value);
    found.erase(twins.begin(), twins.end());
    const Cost nearly = nearly_as(found.front());
    std::set<int> kinds;
    std::ranges::stable_partition(found, [&](const Found& start) {
      const int kind = std::min<int>(start.kind, from_units);
      return kinds.insert(kind).second && start.value <= nearly;
    });
    found.resize(std::min(found.size(), plan_.replicas));
    return found;
  }

  /// The greatest value that is nearly as good.
  [[nodiscard]] static Cost nearly_as(const Found& best) { return best.value + std::abs(best.value) / 20; }

  /// Of every kind, up to the first that has one known to be best; where units lead, more of the kinds of
  /// units that do, or nearly.
  std::vector<Found> all_starts() {
    std::vector<Found> found{evaluated(problem_.block)};
    if (problem_.worst || !problem_.own_starts) return found;
    for (const auto add : {&HopSearch::add_grids, &HopSearch::add_groups, &HopSearch::add_units,
                           &HopSearch::add_multisections, &HopSearch::add_units_that_lead}) {
      (this->*add)(found);
      if (problem_.is_best(std::ranges::min(found).slot_of)) break;
    }
    return found;
  }

  /// @param starts  empty where none was made.
  void add(std::vector<Found>& found, std::vector<Slots> starts, int kind) {
    for (Slots& slots : starts) {
      if (slots.empty() || (problem_.rules && !problem_.rules->repair(problem_.tree, slots))) continue;
      found.push_back(evaluated(std::move(slots)));
      found.back().kind = kind;
    }
  }

  void add_grids(std::vector<Found>& found) { add(found, grid_mappings(), from_grid); }
  void add_groups(std::vector<Found>& found) { add(found, bottom_up_starts(), from_groups); }
  void add_multisections(std::vector<Found>& found) { add(found, multisections(), from_multisection); }
  void add_units(std::vector<Found>& found) {
    for (std::size_t kind = 0; kind < cluster_schemes_.size(); ++kind)
      add(found, cluster_mappings(cluster_schemes_[kind], plan_.units), from_units + static_cast<int>(kind));
  }
  void add_units_that_lead(std::vector<Found>& found) {
    const Found best = std::ranges::min(found);
    std::set<int> kinds;
    for (const Found& start : found) {
      if (best.kind >= from_units && start.kind >= from_units && start.value <= nearly_as(best))
        kinds.insert(start.kind);
    }
    for (const int kind : kinds)
      add(found, cluster_mappings(cluster_schemes_[kind - from_units], plan_.leading_units), kind);
  }

  std::vector<Slots> multisections() {
    std::vector<Slots> starts(plan_.multisections);
    for_each(starts.size(), [&](std::size_t i, Random& random, WorkMeter& work) {
      if (!work.out_of_time()) {
        starts[i] = multisection(problem_.graph, problem_.tree, random, work,
                                 {plan_.tries, std::max(1, options_.threads / plan_.multisections)});
      }
    });
    return starts;
  }

  std::vector<Slots> grid_mappings() {
    const std::optional<patterns::GridShape> shape = patterns::detect_grid(problem_.graph);
    if (!shape) return {};
    std::vector<Slots> starts{patterns::bisection_curve(problem_.tree, *shape)};
    if (auto tiling = patterns::box_tiling(problem_.tree, *shape, work_))
      starts.push_back(std::move(*tiling));
    if (problem_.graph.n() <= plan_.max_ranks_boustrophedon) {
      for_each(1, [&](std::size_t, Random& random, WorkMeter& work) {
        for (patterns::GroupedMapping& snake :
             patterns::boustrophedon_mappings(problem_.graph, problem_.tree, *shape, 2, work)) {
          starts.push_back(multisection_inside(problem_.graph, problem_.tree, std::move(snake.slot_of),
                                               snake.level, random, work));
        }
      });
    }
    return starts;
  }

  std::vector<Slots> cluster_mappings(const ClusterScheme& kind, std::size_t n) {
    std::vector<Slots> starts(n);
    for_each(n, [&](std::size_t i, Random& random, WorkMeter& work) {
      if (!work.out_of_time()) starts[i] = place_clusters(problem_.graph, problem_.tree, kind, random, work);
    });
    return starts;
  }

  /// One for a dozen multisections.
  std::vector<Slots> bottom_up_starts() {
    if (!problem_.tree.is_even() || problem_.graph.n() > most_ranks_bottom_up) return {};
    std::vector<Slots> starts((plan_.multisections + 11) / 12);
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
  [[nodiscard]] Found refine(const Found& start, Cost percent, std::uint64_t proposals, Random& random,
                             WorkMeter& work) const {
    const Found frozen = annealed(start, temperatures_.schedule(percent, proposals), random, work);
    const CoolingSchedule settling{temperatures_.coldest(), 1, proposals / 16};
    return std::min({start, frozen, annealed(frozen, settling, random, work)});
  }

  /// Of many ranks: groups of each level change places, then ranks inside regions; not where
  /// constraints tell ranks apart.
  [[nodiscard]] Found refined_on_levels(const Found& start, Cost percent, Random& random,
                                        WorkMeter& work) const {
    const std::uint64_t per_vertex = multilevel_proposals(problem_.graph.n_active(), options_.effort);
    if (per_vertex == 0 || (problem_.rules && problem_.rules->constrained())) return start;
    const MultilevelOptions zoom{per_vertex, percent, sign(),
                                 std::max(1, options_.threads / static_cast<int>(plan_.replicas))};
    const Graph& graph = problem_.graph;
    const SlotTree& tree = problem_.tree;
    return evaluated(refine_regions(
        graph, tree, refine_groups(graph, tree, start.slot_of, zoom, random, work), zoom, random, work));
  }

  [[nodiscard]] Found annealed(const Found& start, const CoolingSchedule& schedule, Random& random,
                               WorkMeter& work) const {
    const HopModel model{problem_.graph, problem_.tree, sign(), problem_.rules};
    return evaluated(anneal_hops(model, start.slot_of, schedule, random, work));
  }

  [[nodiscard]] int sign() const { return problem_.worst ? -1 : 1; }

  const HopProblem& problem_;
  const SolverOptions& options_;
  WorkMeter& work_;
  HopPlan plan_;
  TemperatureScale temperatures_;
  std::vector<ClusterScheme> cluster_schemes_;
  std::uint64_t n_streams_ = 0;  ///< random streams given out so far
};

}  // namespace

std::vector<std::int32_t> optimise_hop_bytes(const HopProblem& problem, const SolverOptions& options,
                                             WorkMeter& work) {
  // Where all slots are equally far apart every mapping costs the same.
  const bool all_equal = problem.tree.lowest_level() == problem.tree.n_levels();
  if (problem.graph.edges.empty() || all_equal) return problem.block;
  return HopSearch(problem, options, work).run();
}

}  // namespace corewise::search
