/// SetSearch: the best placement of up to 16 ranks by dynamic programming over sets of ranks. The children of
/// an object take their ranks one after the other; the remaining ranks and children are a smaller problem of
/// the same kind. best_by_sets() gives it the costs of sets for each form of objective.
#include "solvers/exact/set_proof.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <variant>

#include "corewise/traffic.hpp"
#include "overloads.hpp"
#include "solvers/bounds/cut_bounds.hpp"
#include "solvers/problem/cost.hpp"

namespace corewise::exact {
namespace {

/// A set of ranks as the bits of one number.
using Subset = std::uint32_t;

/// The most ranks that SetSearch divides: its tables have an entry for each set of them.
inline constexpr int kMostRanks = 16;

/// The bytes inside each set of ranks and between a set and all other ranks.
class SetWeights {
 public:
  explicit SetWeights(const PairGraph& graph);
  [[nodiscard]] Cost inside(Subset set) const { return inside_[set]; }
  [[nodiscard]] Cost cut(Subset set) const { return degrees_[set] - 2 * inside_[set]; }

 private:
  std::vector<Cost> inside_;   ///< [set]
  std::vector<Cost> degrees_;  ///< [set] bytes of its ranks, those of pairs inside the set twice
};

/// The cost of a placement, put together from the sets of ranks that share an object of the machine.
struct SetCost {
  enum class Join { sum, greatest, least };

  Join join = Join::sum;  ///< how the costs of all objects form the cost of the placement
  /// The cost of an object with these ranks; kNever if the placement is not allowed.
  std::function<Cost(int level, Subset set)> of;
  /// A bit for each goal that the object reaches. Each goal must be reached by some object of the placement.
  std::function<unsigned(int level, Subset set)> reached = [](int, Subset) { return 0u; };
  unsigned n_goals = 0;
  int lowest = 0;  ///< objects below this level have neither costs nor goals
};

inline constexpr Cost kNever = Cost{1} << 62;

/// The cost depends only on which ranks share an object, so the least cost of an object with a set of ranks
/// is found once and kept. Objects of the same class share their tables.
class SetSearch {
 public:
  /// @pre at most kMostRanks ranks, and a place for each.
  SetSearch(const CoreTree& tree, int n_ranks, SetCost cost);

  /// The least cost of a placement, or kNever.
  [[nodiscard]] Cost least() { return of_object(root().class_id, all(), all_goals()); }

  /// A placement of least cost. @pre least() is not kNever.
  [[nodiscard]] std::vector<CoreIndex> placement();

 private:
  struct Part {
    Subset set;
    unsigned goals;
    Cost cost;
  };

  [[nodiscard]] const CoreTree::Object& root() const { return tree_.objects().back(); }
  [[nodiscard]] Subset all() const { return (Subset{1} << n_ranks_) - 1; }
  [[nodiscard]] unsigned all_goals() const { return (1u << cost_.n_goals) - 1; }
  [[nodiscard]] Cost joined(Cost a, Cost b) const;

  Cost of_object(int class_id, Subset set, unsigned goals);
  Cost of_children(int class_id, std::size_t first, Subset set, unsigned goals);
  Part best_part(int class_id, std::size_t first, Subset set, unsigned goals);
  void place(const CoreTree::Object& object, Subset set, unsigned goals,
             std::vector<CoreIndex>& core_of_rank);

  const CoreTree& tree_;
  int n_ranks_;
  SetCost cost_;
  /// [class] classes of an object's children, ascending. Of each class, no more than there are ranks.
  std::vector<std::vector<int>> children_;
  std::vector<std::vector<int>> places_;  ///< [class][i] of the children from i on
  /// [class, first child, goals][set] least cost of the children from `first` on; -kNever: not known
  std::map<std::tuple<int, std::size_t, unsigned>, std::vector<Cost>> known_;
};

SetWeights::SetWeights(const PairGraph& graph)
    : inside_(std::size_t{1} << graph.n_ranks(), 0), degrees_(inside_) {
  const std::int32_t n = graph.n_ranks();
  std::vector<std::vector<Cost>> weight(n, std::vector<Cost>(n, 0));
  std::vector<Cost> degree(n, 0);
  for (std::int32_t rank = 0; rank < n; ++rank) {
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      weight[rank][raw(pair.peer)] = static_cast<Cost>(pair.bytes);
      degree[rank] += static_cast<Cost>(pair.bytes);
    }
  }
  for (Subset set = 1; set < inside_.size(); ++set) {
    const int first = std::countr_zero(set);
    const Subset others = set & (set - 1);
    inside_[set] = inside_[others];
    degrees_[set] = degrees_[others] + degree[first];
    for (Subset rest = others; rest != 0; rest &= rest - 1)
      inside_[set] += weight[first][std::countr_zero(rest)];
  }
}

SetSearch::SetSearch(const CoreTree& tree, int n_ranks, SetCost cost)
    : tree_(tree), n_ranks_(n_ranks), cost_(std::move(cost)) {
  for (const IsomorphismClass& of : tree.classes()) {
    std::vector<int>& children = children_.emplace_back();
    for (const auto& [child, count] : of.children)
      children.insert(children.end(), std::min(count, n_ranks), child);
    std::vector<int>& places = places_.emplace_back(children.size(), 0);
    for (std::size_t i = children.size(); i-- > 0;)
      places[i] = tree.classes()[children[i]].size + (i + 1 < children.size() ? places[i + 1] : 0);
  }
}

Cost SetSearch::joined(Cost a, Cost b) const {
  if (a == kNever || b == kNever) return kNever;
  switch (cost_.join) {
    case SetCost::Join::sum:
      return a + b;
    case SetCost::Join::greatest:
      return std::max(a, b);
    default:
      return std::min(a, b);
  }
}

/// @param goals  that this object or an object below it must reach.
Cost SetSearch::of_object(int class_id, Subset set, unsigned goals) {
  if (set == 0) return goals == 0 ? 0 : kNever;
  const int level = tree_.classes()[class_id].level;
  if (level < cost_.lowest) return goals == 0 ? 0 : kNever;
  const Cost own = cost_.of(level, set);
  goals &= ~cost_.reached(level, set);
  if (level > cost_.lowest && own != kNever) return joined(own, of_children(class_id, 0, set, goals));
  return goals == 0 ? own : kNever;
}

Cost SetSearch::of_children(int class_id, std::size_t first, Subset set, unsigned goals) {
  if (first + 1 == children_[class_id].size()) return of_object(children_[class_id][first], set, goals);
  std::vector<Cost>& known = known_[{class_id, first, goals}];
  known.resize(std::size_t{1} << n_ranks_, -kNever);
  if (known[set] == -kNever) known[set] = best_part(class_id, first, set, goals).cost;
  return known[set];
}

/// The ranks and goals of the child `first` if the children from this one on share the set and the goals.
SetSearch::Part SetSearch::best_part(int class_id, std::size_t first, Subset set, unsigned goals) {
  const std::vector<int>& children = children_[class_id];
  const int child = children[first];
  const int most = tree_.classes()[child].size;
  const int least = std::popcount(set) - places_[class_id][first + 1];
  // Children of one class are interchangeable, so the first of them may take the lowest rank.
  const Subset fixed = child == children.back() ? set & -set : 0;
  const Subset open = set & ~fixed;
  Part best{0, 0, kNever};
  for (Subset more = open;; more = (more - 1) & open) {
    const Subset part = more | fixed;
    const bool fits = std::popcount(part) <= most && std::popcount(part) >= least;
    for (unsigned of_part = goals; fits; of_part = (of_part - 1) & goals) {
      const Cost own = of_object(child, part, of_part);
      const bool hopeless = own == kNever || (cost_.join == SetCost::Join::greatest && own >= best.cost);
      if (!hopeless) {
        const Cost cost = joined(own, of_children(class_id, first + 1, set & ~part, goals & ~of_part));
        if (cost < best.cost) best = {part, of_part, cost};
      }
      if (of_part == 0) break;
    }
    if (more == 0) return best;
  }
}

std::vector<CoreIndex> SetSearch::placement() {
  std::vector<CoreIndex> core_of_rank(n_ranks_);
  place(root(), all(), all_goals(), core_of_rank);
  return core_of_rank;
}

void SetSearch::place(const CoreTree::Object& object, Subset set, unsigned goals,
                      std::vector<CoreIndex>& core_of_rank) {
  for (Subset rest = set; object.children.empty() && rest != 0; rest &= rest - 1)
    core_of_rank[std::countr_zero(rest)] = object.core;
  if (object.children.empty() || set == 0) return;
  const int level = tree_.classes()[object.class_id].level;
  if (level >= cost_.lowest) goals &= ~cost_.reached(level, set);
  std::vector<std::int32_t> children = object.children;
  std::erase_if(children, [&](std::int32_t child) { return tree_.objects()[child].class_id < 0; });
  std::ranges::stable_sort(children, {}, [&](std::int32_t child) { return tree_.objects()[child].class_id; });
  const std::vector<int>& classes = children_[object.class_id];
  std::size_t i = 0;  // index in `classes`, which has fewer children if there are more than ranks
  for (const std::int32_t index : children) {
    const CoreTree::Object& child = tree_.objects()[index];
    if (i == classes.size() || child.class_id != classes[i]) continue;
    Part part{set, goals, 0};  // the last child takes what is left
    if (level <= cost_.lowest) {
      part = {0, 0, 0};  // any ranks
      for (Subset left = set; left != 0 && std::popcount(part.set) < child.capacity; left &= left - 1)
        part.set |= left & -left;
    } else if (i + 1 < classes.size()) {
      part = best_part(object.class_id, i, set, goals);
    }
    place(child, part.set, part.goals, core_of_rank);
    set &= ~part.set;
    goals &= ~part.goals;
    ++i;
  }
}

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
  return std::visit(
      Overloads{[](const PhaseTimes&) { return false; }, [&](const DistanceSum&) { return !constrained; },
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
      Overloads{[](const PhaseTimes&) { return Cores(); },
                [&](const DistanceSum& form) { return by_distance(form, problem.worst, traffic, tree); },
                [&](const GreatestLoads&) { return by_loads(problem.worst, traffic, tree); }},
      problem.form);
}

std::optional<Score> slowest_link_bound(const PlacedProblem& problem) {
  const auto* form = std::get_if<PhaseTimes>(&problem.form);
  const Traffic& traffic = problem.traffic;
  if (form == nullptr || form->link.empty() || problem.worst || problem.places.constrained ||
      traffic.phases.size() != 1 || traffic.n_ranks() > kMostRanks) {
    return std::nullopt;
  }
  const Phase& phase = traffic.phases.front();
  const SetWeights weights{PairGraph(phase.matrix)};
  const CoreTree tree{problem.machine, problem.places.capacity, problem.machine.n_levels(), CoreIndex{0},
                      core_classes(problem)};
  // Costs are whole numbers, so times are counted in parts of the longest that any link could take.
  double most_s = 0;
  for (const LinkFigures& link : form->link) {
    most_s = std::max(most_s, 2.0 * static_cast<double>(phase.matrix.bytes()) / link.bandwidth_bytes_per_s);
  }
  if (most_s == 0) return std::nullopt;
  const double parts_per_s = static_cast<double>(kMostCost) / most_s;
  SetCost cost;
  cost.join = SetCost::Join::greatest;
  cost.of = [&weights, form, parts_per_s](int level, Subset set) {
    if (level >= std::ssize(form->link)) return Cost{0};
    const double bytes = static_cast<double>(weights.cut(set));
    return static_cast<Cost>(bytes / form->link[level].bandwidth_bytes_per_s * parts_per_s);
  };
  const Cost least = SetSearch(tree, traffic.n_ranks(), std::move(cost)).least();
  return Score{{static_cast<double>(phase.repeat) * static_cast<double>(least) / parts_per_s * (1 - 1e-12)}};
}

}  // namespace corewise::exact
