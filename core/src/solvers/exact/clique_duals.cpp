/// Cliques grown from every vertex, the largest taken out, until all that are left fit the groups one by one.
#include "solvers/exact/clique_duals.hpp"

#include <algorithm>
#include <array>
#include <bit>
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

/// What is left of the traffic, and the cliques in it.
class Remainder {
 public:
  explicit Remainder(const HopInstance& instance)
      : n_(instance.n), weight_(instance.weight), partners_(n_, 0) {
    for (int u = 0; u < n_; ++u) {
      for (int v = 0; v < n_; ++v) {
        weight_[u * n_ + v] *= -1;
        partners_[u] |= Subset{u != v && weight_[u * n_ + v] > 0} << v;
      }
    }
  }

  /// Of those grown from each vertex, the heaviest of the largest.
  [[nodiscard]] Clique largest() const {
    Clique largest;
    for (int v = 0; v < n_; ++v) {
      const Clique grown = grow(v);
      if (std::pair(grown.size(), grown.weight) > std::pair(largest.size(), largest.weight)) largest = grown;
    }
    return largest;
  }

  void take_out(const Clique& clique) {
    for_each_vertex(clique.members, [&](int u) {
      for_each_vertex(clique.members & ~(Subset{1} << u), [&](int v) {
        weight_[u * n_ + v] -= clique.weight;
        if (weight_[u * n_ + v] == 0) partners_[u] &= ~(Subset{1} << v);
      });
    });
  }

 private:
  /// Next comes who keeps most candidates, of these the one with the heaviest lightest pair.
  [[nodiscard]] Clique grow(int first) const {
    Clique clique{Subset{1} << first, std::numeric_limits<Cost>::max()};
    std::array<Cost, 64> lightest;
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

/// Of t members in one group: the pairs are at least slope * t less this, whatever t up to the group's size.
Cost rebate(Cost slope, Cost size) {
  const Cost t = std::min(slope, size);
  return slope * t - t * (t - 1) / 2;
}

/// How many pairs duals of a slope force together.
Cost pairs_forced(const HopInstance& instance, const std::vector<int>& classes, int size, Cost slope) {
  Cost forced = slope * size;
  for (const int class_id : classes)
    forced -= instance.classes[class_id].count * rebate(slope, instance.classes[class_id].size);
  return forced;
}

}  // namespace

Duals clique_duals(const SetPartitioning& partitioning) {
  const HopInstance& instance = partitioning.instance;
  const std::vector<int> classes = partitioning.classes();
  Duals duals{partitioning.below.of_vertex, std::vector<Cost>(instance.classes.size(), 0)};
  for (const int class_id : classes) duals.of_class[class_id] = partitioning.base(class_id);
  Remainder remainder(instance);
  for (int i = 0; i < kMostCliques; ++i) {
    Clique clique = remainder.largest();
    Cost slope = 1;
    const auto forced = [&](Cost at) { return pairs_forced(instance, classes, clique.size(), at); };
    while (slope < clique.size() && forced(slope + 1) > forced(slope)) ++slope;
    if (clique.size() < 2 || forced(slope) <= 0) break;
    clique.weight = (clique.weight + 1) / 2;  // the rest of it may do more in other cliques
    remainder.take_out(clique);
    const Cost dual = -partitioning.factor * clique.weight;
    for_each_vertex(clique.members, [&](int v) { duals.of_vertex[v] += slope * dual; });
    for (const int class_id : classes)
      duals.of_class[class_id] -= rebate(slope, partitioning.size(class_id)) * dual;
  }
  return duals;
}

}  // namespace corewise::exact
