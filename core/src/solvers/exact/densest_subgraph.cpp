/// Sets above a threshold, grown size by size.
#include "solvers/exact/densest_subgraph.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace corewise::exact {
namespace {

constexpr std::size_t kMostSetsAtOnce = 6'000'000;
/// Growing a set takes about as long as looking at this many.
constexpr std::uint64_t kStepsPerSet = 160;

struct WeighedSet {
  Subset members;
  Cost weight;  ///< inside
};

Cost floor_of(Cost dividend, Cost divisor) {
  return dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor);
}

Cost common_divisor(const HopInstance& instance) {
  Cost divisor = 0;
  for (const Cost weight : instance.weight) divisor = std::gcd(divisor, weight);
  return std::max<Cost>(divisor, 1);
}

/// No set is without a member that weighs at most this much to the others: the greatest of the least degrees
/// that appear while the weakest vertex is taken away again and again (the degeneracy of Lick and White
/// 1970).
Cost weakest_member(const HopInstance& instance) {
  Cost greatest = std::numeric_limits<Cost>::min();
  for (Subset left = instance.all(); left != 0;) {
    Cost least = std::numeric_limits<Cost>::max();
    int weakest = 0;
    for_each_vertex(left, [&](int v) {
      Cost degree = 0;
      for_each_vertex(left, [&](int u) { degree += instance.between(u, v); });
      if (degree < least) {
        least = degree;
        weakest = v;
      }
    });
    greatest = std::max(greatest, least);
    left &= ~(Subset{1} << weakest);
  }
  return greatest;
}

/// How much of its weight a set of a size loses at most with its weakest member, whatever the set. The
/// members' partners are whole numbers: where weights are much alike, that says more than the mean of the
/// weights.
class WeakestMember {
 public:
  explicit WeakestMember(const HopInstance& instance) : at_most_(weakest_member(instance)) {
    for (const Cost weight : instance.weight) {
      if (weight == 0) continue;
      lightest_ = std::min(lightest_, weight);
      heaviest_ = std::max(heaviest_, weight);
    }
    if (lightest_ > heaviest_) lightest_ = heaviest_ = 0;  // nobody talks
  }

  /// What sets of `size` vertices that weigh at least this much keep, at least.
  [[nodiscard]] Cost kept(Cost weight, int size) const {
    if (lightest_ <= 0) return weight - lost(weight, size);
    weight = std::max<Cost>(weight, 0);
    Cost least = weight - lost(weight, size);
    // From one number of pairs to the next the loss can grow by more than the weight does.
    const Cost n_pairs = static_cast<Cost>(size) * (size - 1) / 2;
    for (Cost pairs = weight / lightest_ + 1; pairs <= n_pairs; ++pairs)
      least = std::min(least, pairs * lightest_ - lost(pairs * lightest_, size));
    return least;
  }

 private:
  [[nodiscard]] Cost lost(Cost weight, int size) const {
    Cost most = std::min(floor_of(2 * weight, size), at_most_);
    if (lightest_ > 0) most = std::min(most, 2 * (weight / lightest_) / size * heaviest_);
    return most;
  }

  Cost at_most_;
  Cost lightest_ = std::numeric_limits<Cost>::max();  ///< of all pairs with any weight
  Cost heaviest_ = std::numeric_limits<Cost>::min();
};

/// Least weight that a set of each size must have to grow into one heavier than `known`; [size].
std::vector<Cost> thresholds(const HopInstance& instance, int size, Cost known) {
  const Cost divisor = common_divisor(instance);
  const WeakestMember weakest(instance);
  std::vector<Cost> least(size + 1, 0);
  least[size] = divisor * (floor_of(known, divisor) + 1);
  for (int j = size; j > 1; --j) least[j - 1] = divisor * -floor_of(-weakest.kept(least[j], j), divisor);
  return least;
}

/// Adds all sets of one vertex more that reach `least`, each to one set alone: without the first of its
/// weakest.
void grow(const HopInstance& instance, const WeighedSet& set, Cost least, std::vector<WeighedSet>& grown) {
  std::array<Cost, 64> vertex_cost{};
  for_each_vertex(set.members, [&](int u) {
    for (int v = 0; v < instance.n; ++v) vertex_cost[v] += instance.between(u, v);
  });
  const int size = std::popcount(set.members) + 1;
  const auto is_weakest = [&](int v) {
    bool weakest = true;
    for_each_vertex(set.members, [&](int u) {
      const Cost degree = vertex_cost[u] + instance.between(u, v);
      weakest &= degree > vertex_cost[v] || (degree == vertex_cost[v] && u > v);
    });
    return weakest;
  };
  for_each_vertex(instance.all() & ~set.members, [&](int v) {
    const Cost weight = set.weight + vertex_cost[v];
    if (weight >= least && vertex_cost[v] * size <= 2 * weight && is_weakest(v))
      grown.push_back({set.members | Subset{1} << v, weight});
  });
}

}  // namespace

std::optional<Cost> densest_subgraph_weight(const HopInstance& instance, int size, Cost known,
                                            const ProofLimits& limits) {
  const std::vector<Cost> least = thresholds(instance, size, known);
  std::vector<WeighedSet> sets;
  for (int v = 0; v < instance.n; ++v) sets.push_back({Subset{1} << v, 0});
  std::uint64_t steps = 0;
  for (int j = 2; j <= size; ++j) {
    std::vector<WeighedSet> grown;
    for (const WeighedSet& set : sets) {
      grow(instance, set, least[j], grown);
      if (++steps > limits.most_steps / kStepsPerSet || (steps % 4096 == 0 && limits.deadline.passed()))
        return std::nullopt;
      if (grown.size() > kMostSetsAtOnce) return std::nullopt;
    }
    sets = std::move(grown);
  }
  Cost greatest = known;
  for (const WeighedSet& set : sets) greatest = std::max(greatest, set.weight);
  return greatest;
}

Cost degree_bound_of_subgraph(const HopInstance& instance, int size) {
  std::vector<Cost> company;
  for (int v = 0; v < instance.n; ++v) company.push_back(heaviest_incident_edges(instance, v, size - 1));
  std::ranges::sort(company, std::ranges::greater{});
  return floor_of(std::accumulate(company.begin(), company.begin() + size, Cost{0}), 2);
}

Duals uniform_duals(const SetPartitioning& partitioning, const std::vector<Cost>& most_inside) {
  Duals duals{partitioning.below.of_vertex, std::vector<Cost>(most_inside.size(), 0)};
  for (const int class_id : partitioning.classes()) {
    duals.of_class[class_id] = partitioning.base(class_id) + partitioning.factor * most_inside[class_id];
  }
  return duals;
}

}  // namespace corewise::exact
