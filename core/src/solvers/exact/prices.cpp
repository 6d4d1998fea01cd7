/// Prices raised by subgradient steps, and what needs no steps.
#include "solvers/exact/prices.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "solvers/exact/look.hpp"

namespace corewise::proof {
namespace {

/// A kind's price stands for those of several vertices, so its steps are longer. Measured: 16 are too many.
constexpr double kKindStep = 6;

using CheapestOfKind = std::vector<CheapestSet>;  // [vertex]

Cost floor_of(Cost dividend, int divisor) {
  return dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor);
}

/// @param of_kind  [kind], empty for those without sets.
CheapestSets merged(const std::vector<CheapestOfKind>& of_kind, std::size_t n) {
  CheapestSets all{std::vector<Cost>(n, CheapestSets::kNoSet), std::vector<Group>(n),
                   std::vector<Cost>(of_kind.size(), CheapestSets::kNoSet)};
  for (std::size_t kind = 0; kind < of_kind.size(); ++kind) {
    for (std::size_t v = 0; v < of_kind[kind].size(); ++v) {
      const auto& [net, members] = of_kind[kind][v];
      if (members == 0) continue;
      all.least[kind] = std::min(all.least[kind], net);
      const Cost share = floor_of(net, std::popcount(members));
      if (share >= all.share[v]) continue;
      all.share[v] = share;
      all.set[v] = {static_cast<int>(kind), members};
    }
  }
  return all;
}

/// How often each vertex and each kind is missing from the cheapest sets, taken in equal shares.
struct Direction {
  std::vector<double> of_vertex;
  std::vector<double> of_kind;

  double norm() const {
    double sum = 0;
    for (const double d : of_vertex) sum += d * d;
    for (const double d : of_kind) sum += kKindStep * d * d;
    return sum;
  }
  void move(Prices& prices, double length) const {
    for (std::size_t v = 0; v < of_vertex.size(); ++v)
      prices.of_vertex[v] += static_cast<Cost>(length * of_vertex[v]);
    for (std::size_t kind = 0; kind < of_kind.size(); ++kind)
      prices.of_kind[kind] += static_cast<Cost>(kKindStep * length * of_kind[kind]);
  }
};

Direction subgradient(const CheapestSets& cheapest, const std::vector<int>& count) {
  Direction direction{std::vector<double>(cheapest.share.size(), 1.0), {count.begin(), count.end()}};
  for (std::size_t kind = 0; kind < count.size(); ++kind) {
    if (cheapest.least[kind] == CheapestSets::kNoSet) direction.of_kind[kind] = 0;
  }
  for (std::size_t v = 0; v < cheapest.share.size(); ++v) {
    if (cheapest.share[v] == CheapestSets::kNoSet) {
      direction.of_vertex[v] = 0;
      continue;
    }
    const auto& [kind, members] = cheapest.set[v];
    const double part = 1.0 / std::popcount(members);
    for_each_vertex(members, [&](int u) { direction.of_vertex[u] -= part; });
    direction.of_kind[kind] -= part;
  }
  return direction;
}

}  // namespace

Cost Prices::of(Subset set) const {
  Cost sum = 0;
  for_each_vertex(set, [&](int v) { sum += of_vertex[v]; });
  return sum;
}

Cost Prices::total(const std::vector<int>& count) const {
  Cost sum = std::accumulate(of_vertex.begin(), of_vertex.end(), Cost{0});
  for (std::size_t kind = 0; kind < count.size(); ++kind) sum += count[kind] * of_kind[kind];
  return sum;
}

Cost Prices::of_all(const HopInstance& instance) const { return total(counts(instance)); }

Cost GroupFamily::base(int kind) const {
  Cost sum = 0;
  for (const auto& [child, n_children] : instance.kinds[kind].children)
    sum += n_children * below.of_kind[child];
  return sum;
}

std::vector<int> counts(const HopInstance& instance) {
  std::vector<int> count;
  for (const Kind& kind : instance.kinds) count.push_back(kind.count);
  return count;
}

std::uint64_t n_sets(int n, int size) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t count = 1;
  for (int i = 1; i <= std::min(size, n - size); ++i) {
    if (count > most / static_cast<std::uint64_t>(n)) return most;
    count =
        count * static_cast<std::uint64_t>(n - std::min(size, n - size) + i) / static_cast<std::uint64_t>(i);
  }
  return count;
}

CheapestSets cheapest_sets(const GroupFamily& family, const Prices& prices) {
  std::vector<CheapestOfKind> of_kind(family.instance.kinds.size());
  for (const int kind : family.kinds()) of_kind[kind] = Look(family, kind, prices).cheapest();
  return merged(of_kind, prices.of_vertex.size());
}

CheapestSets overdrawn_sets(const GroupFamily& family, const Prices& prices, std::uint64_t& steps) {
  std::vector<CheapestOfKind> of_kind(family.instance.kinds.size());
  for (const int kind : family.kinds()) {
    Look look(family, kind, prices);
    of_kind[kind] = look.overdrawn();
    steps += look.steps();
  }
  return merged(of_kind, prices.of_vertex.size());
}

bool list_sets(const GroupFamily& family, const Prices& prices, const ListLimits& limits,
               std::vector<CostedSet>& sets) {
  for (const int kind : family.kinds()) {
    if (!Look(family, kind, prices).list(limits, sets)) return false;
  }
  for (CostedSet& set : sets) set.cost += prices.of(set.members, set.kind);
  return true;
}

CheapestSets cheapest_sets(const std::vector<CostedSet>& sets, const Prices& prices) {
  const std::size_t n = prices.of_vertex.size();
  std::vector<CheapestOfKind> of_kind(prices.of_kind.size());
  for (const CostedSet& set : sets) {
    CheapestOfKind& found = of_kind[set.kind];
    if (found.empty()) found.resize(n);
    const Cost net = set.cost - prices.of(set.members, set.kind);
    for_each_vertex(set.members, [&](int v) {
      if (net < found[v].net) found[v] = {net, set.members};
    });
  }
  return merged(of_kind, n);
}

void share_out(const CheapestSets& cheapest, Prices& prices) {
  for (std::size_t v = 0; v < prices.of_vertex.size(); ++v) {
    if (cheapest.share[v] != CheapestSets::kNoSet) prices.of_vertex[v] += cheapest.share[v];
  }
}

Cost heaviest_company(const HopInstance& instance, int vertex, int count) {
  std::vector<Cost> company;
  for (int u = 0; u < instance.n; ++u) {
    if (u != vertex) company.push_back(instance.between(vertex, u));
  }
  std::ranges::sort(company, std::ranges::greater{});
  return std::accumulate(company.begin(), company.begin() + count, Cost{0});
}

Prices degree_prices(const GroupFamily& family) {
  const std::vector<int> kinds = family.kinds();
  Prices prices{family.below.of_vertex, std::vector<Cost>(family.instance.kinds.size(), 0)};
  for (const int kind : kinds) prices.of_kind[kind] = family.base(kind);
  for (int v = 0; v < family.instance.n; ++v) {
    Cost heaviest = std::numeric_limits<Cost>::min();
    for (const int kind : kinds)
      heaviest = std::max(heaviest, heaviest_company(family.instance, v, family.size(kind) - 1));
    prices.of_vertex[v] += family.factor * heaviest / 2;
  }
  return prices;
}

Prices raise_prices(const std::function<CheapestSets(const Prices&)>& look, const Prices& start,
                    const Ascent& ascent) {
  Prices prices = start;
  Prices best = start;
  Cost best_total = start.total(ascent.count);
  double step = 1;
  int stale = 0;
  for (int round = 0; round < ascent.rounds && step > 1.0 / 64 && !ascent.deadline.passed(); ++round) {
    const CheapestSets cheapest = look(prices);
    share_out(cheapest, prices);
    const Cost sum = prices.total(ascent.count);
    stale = sum > best_total + kScale / 32 ? 0 : stale + 1;
    if (sum > best_total) {
      best = prices;
      best_total = sum;
    }
    if (best_total > ascent.enough) break;
    if (stale >= 5) {
      step /= 2;
      stale = 0;
      prices = best;
    }
    const Direction direction = subgradient(cheapest, ascent.count);
    const double norm = direction.norm();
    if (norm < 1e-9) break;  // the cheapest sets are a partition: the prices are the best there are
    direction.move(prices, step * static_cast<double>(ascent.enough - best_total + kScale) / norm);
  }
  return best;
}

}  // namespace corewise::proof
