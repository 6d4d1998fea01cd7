/// best_by_sets(): the costs of sets for each form of objective.
#include "solvers/exact/set_proof.hpp"

#include <algorithm>
#include <span>
#include <variant>

#include "overloads.hpp"
#include "solvers/bounds/cut_bounds.hpp"
#include "solvers/exact/set_search.hpp"

namespace corewise::exact {
namespace {

using Cores = std::optional<std::vector<CoreIndex>>;

/// The most bytes times distance whose sums are safe.
constexpr Cost kMostCost = Cost{1} << 58;

/// With distances d_1 <= ... <= d_L between cores that meet at levels 1 to L, a placement costs the sum, over
/// the objects of all levels k, of (d_k - d_{k+1}) times the bytes inside; d_{L+1} is 0.
Cores by_distance(const DistanceSum& form, bool worst, const Traffic& traffic, const CoreTree& tree) {
  const CommMatrix folded = traffic.folded();
  std::vector<Cost> distance{0};
  distance.insert(distance.end(), form.distance.begin(), form.distance.end());
  Cost most = 0;
  if (__builtin_mul_overflow(static_cast<Cost>(folded.bytes()), 2 * distance.back(), &most) ||
      most > kMostCost) {
    return std::nullopt;
  }
  const SetWeights weights{PairGraph(folded)};
  const int top = tree.classes().back().level;
  SetCost cost;
  cost.of = [&weights, &distance, top, sign = worst ? -1 : 1](int level, Subset set) {
    const Cost above = level < top ? distance[level + 1] : 0;
    return sign * (distance[level] - above) * weights.inside(set);
  };
  // Pairs on the same core count only if some core has several places.
  cost.lowest =
      std::ranges::any_of(tree.classes(), [](const auto& of) { return of.level == 0 && of.size > 1; }) ? 0
                                                                                                       : 1;
  return SetSearch(tree, traffic.n_ranks(), std::move(cost)).placement();
}

/// The cost of the fullest link of one level. The links of higher levels keep to limits: at most `limit` for
/// the best placement; for the worst, at least one link of each level reaches its limit.
/// @param limit  [level] of levels above `level`
SetCost load_cost(const SetWeights& weights, std::span<const Cost> limit, int level, bool worst) {
  const auto has_limit = [limit, level](int at) { return at > level && at < std::ssize(limit); };
  SetCost cost;
  cost.lowest = level;
  if (worst) {
    cost.join = SetCost::Join::least;
    cost.of = [&weights, level](int at, Subset set) { return at == level ? -weights.cut(set) : 0; };
    cost.n_goals = static_cast<unsigned>(std::ssize(limit) - 1 - level);
    cost.reached = [&weights, limit, level, has_limit](int at, Subset set) {
      return has_limit(at) && weights.cut(set) >= limit[at] ? 1u << (at - level - 1) : 0u;
    };
  } else {
    cost.join = SetCost::Join::greatest;
    cost.of = [&weights, limit, level, has_limit](int at, Subset set) {
      if (at == level) return weights.cut(set);
      return has_limit(at) && weights.cut(set) > limit[at] ? kNever : 0;
    };
  }
  return cost;
}

/// Level by level from the top, because loads of higher levels come first in the score.
Cores by_loads(bool worst, const Traffic& traffic, const CoreTree& tree) {
  const int top = tree.classes().back().level;
  const CommMatrix& matrix = traffic.phases.front().matrix;
  if (top < 2 || matrix.bytes() > static_cast<std::uint64_t>(kMostCost)) return std::nullopt;
  const SetWeights weights{PairGraph(matrix)};
  std::vector<Cost> limit(top, 0);
  for (int level = top - 1;; --level) {
    SetSearch search(tree, traffic.n_ranks(), load_cost(weights, limit, level, worst));
    const Cost load = search.least();
    limit[level] = worst ? -load : load;
    if (level == 1) return search.placement();
  }
}

/// Whether the sets of ranks on each object determine the score.
bool divides_into_sets(const PlacedProblem& problem) {
  const bool nodes_alone =
      problem.objective.keeps_nodes && problem.places.kept.empty() && !widths_differ(problem.constraints);
  const bool constrained = problem.places.constrained;
  return std::visit(Overloads{[](const NoForm&) { return false; }, [](const PhaseTimes&) { return false; },
                              [&](const DistanceSum&) { return !constrained; },
                              [&](const GreatestLoads&) {
                                return (!constrained || nodes_alone) && problem.traffic.phases.size() == 1;
                              }},
                    problem.form);
}

}  // namespace

bool proves_by_sets(const PlacedProblem& problem) {
  const std::vector<bounds::Domain> domains = bounds::domains(problem, problem.objective.keeps_nodes);
  return divides_into_sets(problem) && std::ranges::all_of(domains, [](const bounds::Domain& domain) {
           return domain.ranks.size() <= kMostRanks;
         });
}

Cores best_by_sets(const PlacedProblem& problem, const Traffic& traffic, const CoreTree& tree) {
  if (!divides_into_sets(problem) || traffic.n_ranks() > kMostRanks) return std::nullopt;
  return std::visit(
      Overloads{[](const NoForm&) { return Cores(); }, [](const PhaseTimes&) { return Cores(); },
                [&](const DistanceSum& form) { return by_distance(form, problem.worst, traffic, tree); },
                [&](const GreatestLoads&) { return by_loads(problem.worst, traffic, tree); }},
      problem.form);
}

}  // namespace corewise::exact
