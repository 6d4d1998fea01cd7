/// Initial mappings: the given one, grids, clusters, multisections.
#include "solvers/search/initial_mappings.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "solvers/patterns/box_tiling.hpp"
#include "solvers/patterns/grid_mappings.hpp"
#include "solvers/search/construction/clusters.hpp"
#include "solvers/search/construction/multisection.hpp"

namespace corewise::search {
namespace {

/// Values of RatedMapping::construction. Cluster scheme i has the value `clusters` + i.
enum Construction { given, grid, multisections, clusters };

/// The greatest cost that is nearly as good as the best.
Cost nearly_as_good_as(const RatedMapping& best) {
  return best.cost + std::abs(best.cost) / kCommon.nearly_best_part;
}

class InitialMappings {
 public:
  InitialMappings(const HopProblem& problem, const HopPlan& plan, int n_threads, TaskRunner& tasks)
      : problem_(problem),
        model_(problem.model),
        plan_(plan),
        n_multisections_(n_multisections(plan, problem.model.graph.n_active())),
        n_threads_(n_threads),
        tasks_(tasks) {
    if (plan_.cluster_mappings > 0) schemes_ = cluster_schemes(model_.tree);
    if (schemes_.size() > plan_.max_cluster_schemes) schemes_.resize(plan_.max_cluster_schemes);
  }

  std::vector<RatedMapping> run() {
    construct();
    std::ranges::sort(found_);
    const auto equal = std::ranges::unique(found_, {}, &RatedMapping::cost);
    found_.erase(equal.begin(), equal.end());
    const Cost nearly = nearly_as_good_as(found_.front());
    std::set<int> seen;
    std::ranges::stable_partition(found_, [&](const RatedMapping& mapping) {
      const int construction = std::min<int>(mapping.construction, clusters);
      return seen.insert(construction).second && mapping.cost <= nearly;
    });
    found_.resize(std::min(found_.size(), plan_.annealing_runs));
    return std::move(found_);
  }

 private:
  void construct() {
    found_.push_back(rated(model_, problem_.initial));
    if (model_.sign < 0 || problem_.improve_only) return;
    add_grids();
    add_clusters();
    add_multisections();
    add_best_clusters();
  }

  /// Keeps mappings that meet the constraints, if necessary after SlotRules::repair().
  /// @param mappings  empty if the deadline passed before it was constructed.
  void add(std::vector<SlotOfVertex> mappings, int construction) {
    for (SlotOfVertex& slot_of : mappings) {
      if (slot_of.empty() || (model_.rules && !model_.rules->repair(model_.tree, slot_of))) continue;
      found_.push_back(rated(model_, std::move(slot_of)));
      found_.back().construction = construction;
    }
  }

  void add_grids() {
    const std::optional<patterns::GridShape> shape = patterns::detect_grid(model_.graph);
    if (!shape) return;
    std::vector<SlotOfVertex> mappings{patterns::bisection_order(model_.tree, *shape)};
    if (auto tiling = patterns::box_tiling(model_.tree, *shape, tasks_.work())) {
      mappings.push_back(std::move(*tiling));
    }
    if (model_.graph.n() <= plan_.max_ranks_boustrophedon) {
      tasks_.run(1, [&](std::size_t, Random& random, WorkMeter& work) {
        for (patterns::GroupedMapping& order : patterns::boustrophedon_mappings(
                 model_.graph, model_.tree, *shape, kCommon.boustrophedon_per_level, work)) {
          mappings.push_back(multisection_inside(model_.graph, model_.tree, std::move(order.slot_of),
                                                 order.level, random, work));
        }
      });
    }
    add(std::move(mappings), grid);
  }

  void add_clusters() {
    for (std::size_t i = 0; i < schemes_.size(); ++i) add_clusters_of(i, plan_.cluster_mappings);
  }

  /// If clusters are the best construction so far: makes more mappings of the best and nearly best schemes.
  void add_best_clusters() {
    const RatedMapping& best = std::ranges::min(found_);
    if (best.construction < clusters) return;
    const Cost nearly = nearly_as_good_as(best);
    std::set<std::size_t> best_schemes;
    for (const RatedMapping& mapping : found_) {
      if (mapping.construction >= clusters && mapping.cost <= nearly) {
        best_schemes.insert(static_cast<std::size_t>(mapping.construction - clusters));
      }
    }
    for (const std::size_t scheme : best_schemes) add_clusters_of(scheme, plan_.extra_cluster_mappings);
  }

  void add_clusters_of(std::size_t scheme, std::size_t n_mappings) {
    std::vector<SlotOfVertex> mappings(n_mappings);
    tasks_.run(n_mappings, [&](std::size_t i, Random& random, WorkMeter& work) {
      if (work.out_of_time()) return;
      mappings[i] = map_clusters(model_.graph, model_.tree, schemes_[scheme], random, work);
    });
    add(std::move(mappings), clusters + static_cast<int>(scheme));
  }

  void add_multisections() {
    std::vector<SlotOfVertex> mappings(n_multisections_);
    const MultisectionOptions options{plan_.bisection_attempts, std::max(1, n_threads_ / n_multisections_)};
    tasks_.run(mappings.size(), [&](std::size_t i, Random& random, WorkMeter& work) {
      if (work.out_of_time()) return;
      mappings[i] = multisection(model_.graph, model_.tree, random, work, options);
    });
    add(std::move(mappings), multisections);
  }

  const HopProblem& problem_;
  const HopModel& model_;
  const HopPlan& plan_;
  int n_multisections_;
  int n_threads_;
  TaskRunner& tasks_;
  std::vector<ClusterScheme> schemes_;
  std::vector<RatedMapping> found_;
};

}  // namespace

std::vector<RatedMapping> initial_mappings(const HopProblem& problem, const HopPlan& plan, int n_threads,
                                           TaskRunner& tasks) {
  return InitialMappings(problem, plan, n_threads, tasks).run();
}

}  // namespace corewise::search
