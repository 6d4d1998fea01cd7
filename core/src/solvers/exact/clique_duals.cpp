/// clique_duals(): a clique is grown from every vertex and the largest subtracted, until none is left that
/// forces pairs together.
#include "solvers/exact/clique_duals.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace corewise::exact {
namespace {

/// Dense traffic has thousands: 0.1 ms each.
constexpr int kMostCliques = 1000;

struct Clique {
  Subset members = 0;
  Cost weight = 0;  ///< of its lightest pair
  [[nodiscard]] int size() const { return std::popcount(members); }
};

/// The traffic that is not in a clique yet.
class RemainingTraffic {
 public:
  explicit RemainingTraffic(const TreeInstance& instance)
      : n_(instance.n), weight_(instance.weight), partners_(n_, 0) {
    for (int u = 0; u < n_; ++u) {
      for (int v = 0; v < n_; ++v) {
        weight_[u * n_ + v] *= -1;
        partners_[u] |= Subset{u != v && weight_[u * n_ + v] > 0} << v;
      }
    }
  }

  /// The largest of those grown from each vertex; of equal ones the heaviest.
  [[nodiscard]] Clique largest_clique() const {
    Clique largest;
    for (int v = 0; v < n_; ++v) {
      const Clique grown = grow(v);
      if (std::pair(grown.size(), grown.weight) > std::pair(largest.size(), largest.weight)) largest = grown;
    }
    return largest;
  }

  void subtract(const Clique& clique) {
    for_each_vertex(clique.members, [&](int u) {
      for_each_vertex(clique.members & ~(Subset{1} << u), [&](int v) {
        weight_[u * n_ + v] -= clique.weight;
        if (weight_[u * n_ + v] == 0) partners_[u] &= ~(Subset{1} << v);
      });
    });
  }

 private:
  /// Greedily: next comes the vertex that leaves most candidates, of these the one with the heaviest lightest
  /// pair.
  [[nodiscard]] Clique grow(int first) const {
    Clique clique{Subset{1} << first, std::numeric_limits<Cost>::max()};
    std::array<Cost, kMostPlaces> lightest;
    std::copy_n(&weight_[first * n_], n_, lightest.begin());
    for (Subset open = partners_[first]; open != 0;) {
      int next = std::countr_zero(open);
      std::pair<int, Cost> best{-1, 0};
      for_each_vertex(open, [&](int v) {
        const std::pair worth{std::popcount(open & partners_[v]), lightest[v]};
        if (worth > best) {
          best = worth;
          next = v;
        }
      });
      clique.members |= Subset{1} << next;
      clique.weight = std::min(clique.weight, lightest[next]);
      open &= partners_[next];
      for_each_vertex(open, [&](int v) { lightest[v] = std::min(lightest[v], weight_[next * n_ + v]); });
    }
    return clique;
  }

  int n_;
  std::vector<Cost> weight_;      ///< [u * n + v], not negative
  std::vector<Subset> partners_;  ///< [u]
};

/// Any t members in a group of this size have at least slope * t - offset pairs.
Cost offset(Cost slope, Cost size) {
  const Cost t = std::min(slope, size);
  return slope * t - t * (t - 1) / 2;
}

/// A lower bound on the clique's pairs that share a group.
Cost pairs_together(const SetPartitioning& problem, int clique_size, Cost slope) {
  Cost pairs = slope * clique_size;
  for (const int class_id : problem.classes())
    pairs -= problem.instance.classes[class_id].count * offset(slope, problem.size(class_id));
  return pairs;
}

}  // namespace

Duals clique_duals(const SetPartitioning& problem) {
  Duals duals = uniform_duals(problem, std::vector<Cost>(problem.instance.classes.size(), 0));
  RemainingTraffic remaining(problem.instance);
  for (int i = 0; i < kMostCliques; ++i) {
    Clique clique = remaining.largest_clique();
    Cost slope = 1;
    const auto pairs = [&](Cost at) { return pairs_together(problem, clique.size(), at); };
    while (slope < clique.size() && pairs(slope + 1) > pairs(slope)) ++slope;
    if (clique.size() < 2 || pairs(slope) <= 0) break;
    clique.weight = (clique.weight + 1) / 2;  // the other half may do more in other cliques
    remaining.subtract(clique);
    const Cost cost_of_pair = -problem.factor * clique.weight;
    for_each_vertex(clique.members, [&](int v) { duals.of_vertex[v] += slope * cost_of_pair; });
    for (const int class_id : problem.classes())
      duals.of_class[class_id] -= offset(slope, problem.size(class_id)) * cost_of_pair;
  }
  return duals;
}

}  // namespace corewise::exact
