/// Densest k-subgraph: sets above thresholds, size by size.
#include "solvers/exact/densest_subgraph.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "solvers/exact/duals.hpp"

namespace corewise::exact {
namespace {

constexpr std::size_t kMostSetsAtOnce = 6'000'000;

struct WeighedSet {
  Subset members;
  Cost weight;  ///< inside
};

Cost common_divisor(const TreeInstance& instance) {
  Cost divisor = 0;
  for (const Cost weight : instance.weight) divisor = std::gcd(divisor, weight);
  return std::max<Cost>(divisor, 1);
}

/// Every set has a member whose edges inside it weigh at most this: the greatest of the least degrees that
/// appear while the vertex of least degree is removed again and again (the degeneracy of Lick and White,
/// Canad. J. Math. 22, 1970).
Cost degeneracy(const TreeInstance& instance) {
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

/// How much weight sets keep without their weakest member, whatever the set. The number of a member's pairs
/// is whole: where weights are much alike, that says more than the mean of the weights.
class WeakestMember {
 public:
  explicit WeakestMember(const TreeInstance& instance) : at_most_(degeneracy(instance)) {
    for (const Cost weight : instance.weight) {
      if (weight == 0) continue;
      lightest_ = std::min(lightest_, weight);
      heaviest_ = std::max(heaviest_, weight);
    }
    if (lightest_ > heaviest_) lightest_ = heaviest_ = 0;  // no traffic
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
    Cost most = std::min(floor_divide(2 * weight, size), at_most_);
    if (lightest_ > 0) most = std::min(most, 2 * (weight / lightest_) / size * heaviest_);
    return most;
  }

  Cost at_most_;
  Cost lightest_ = std::numeric_limits<Cost>::max();  ///< of all pairs with any weight
  Cost heaviest_ = std::numeric_limits<Cost>::min();
};

/// Least weight of sets of each size from which one heavier than `known` can be built; [size].
std::vector<Cost> thresholds(const TreeInstance& instance, int size, Cost known) {
  const Cost divisor = common_divisor(instance);
  const WeakestMember weakest(instance);
  std::vector<Cost> least(size + 1, 0);
  least[size] = divisor * (floor_divide(known, divisor) + 1);
  for (int j = size; j > 1; --j) least[j - 1] = divisor * -floor_divide(-weakest.kept(least[j], j), divisor);
  return least;
}

/// Adds all sets of one vertex more that reach `least`. Each set is built from one set only: the one without
/// the first of its weakest members.
void extend(const TreeInstance& instance, const WeighedSet& set, Cost least,
            std::vector<WeighedSet>& extended) {
  std::array<Cost, kMostPlaces> joining{};
  for_each_vertex(set.members, [&](int u) {
    for (int v = 0; v < instance.n; ++v) joining[v] += instance.between(u, v);
  });
  const int size = std::popcount(set.members) + 1;
  const auto is_weakest = [&](int v) {
    bool weakest = true;
    for_each_vertex(set.members, [&](int u) {
      const Cost degree = joining[u] + instance.between(u, v);
      weakest &= degree > joining[v] || (degree == joining[v] && u > v);
    });
    return weakest;
  };
  for_each_vertex(instance.all() & ~set.members, [&](int v) {
    const Cost weight = set.weight + joining[v];
    if (weight >= least && joining[v] * size <= 2 * weight && is_weakest(v))
      extended.push_back({set.members | Subset{1} << v, weight});
  });
}

}  // namespace

std::optional<Cost> densest_subgraph_weight(const TreeInstance& instance, int size, Cost known,
                                            const ProofLimits& limits) {
  const std::vector<Cost> least = thresholds(instance, size, known);
  std::vector<WeighedSet> sets;
  for (int v = 0; v < instance.n; ++v) sets.push_back({Subset{1} << v, 0});
  StepBudget budget(limits.most_steps / kSetsPerCutStep, limits.deadline);
  for (int j = 2; j <= size; ++j) {
    std::vector<WeighedSet> extended;
    for (const WeighedSet& set : sets) {
      extend(instance, set, least[j], extended);
      if (!budget.spend() || extended.size() > kMostSetsAtOnce) return std::nullopt;
    }
    sets = std::move(extended);
  }
  Cost greatest = known;
  for (const WeighedSet& set : sets) greatest = std::max(greatest, set.weight);
  return greatest;
}

Cost degree_bound_of_subgraph(const TreeInstance& instance, int size) {
  std::vector<Cost> edges;
  for (int v = 0; v < instance.n; ++v) edges.push_back(heaviest_incident_edges(instance, v, size - 1));
  std::ranges::sort(edges, std::ranges::greater{});
  return floor_divide(std::accumulate(edges.begin(), edges.begin() + size, Cost{0}), 2);
}

}  // namespace corewise::exact
