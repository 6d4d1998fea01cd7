/// Duals raised by subgradient steps, and what needs no steps.
#include "solvers/exact/duals.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "solvers/exact/subset_pricing.hpp"

namespace corewise::exact {
namespace {

/// A class's dual stands for those of several vertices, so its steps are longer. Measured: 16 are too many.
constexpr double kClassStep = 6;

using PricedSets = std::vector<PricedSet>;  // [vertex]

Cost floor_of(Cost dividend, int divisor) {
  return dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor);
}

/// @param of_class  [class], empty for those without sets.
Pricing merged(const std::vector<PricedSets>& of_class, std::size_t n) {
  Pricing all{std::vector<Cost>(n, Pricing::kNoSet), std::vector<VertexGroup>(n),
              std::vector<Cost>(of_class.size(), Pricing::kNoSet)};
  for (std::size_t class_id = 0; class_id < of_class.size(); ++class_id) {
    for (std::size_t v = 0; v < of_class[class_id].size(); ++v) {
      const auto& [reduced_cost, members] = of_class[class_id][v];
      if (members == 0) continue;
      all.least[class_id] = std::min(all.least[class_id], reduced_cost);
      const Cost share = floor_of(reduced_cost, std::popcount(members));
      if (share >= all.share[v]) continue;
      all.share[v] = share;
      all.set[v] = {static_cast<int>(class_id), members};
    }
  }
  return all;
}

/// How often each vertex and each class is missing from the cheapest sets, taken in equal shares.
struct Direction {
  std::vector<double> of_vertex;
  std::vector<double> of_class;

  double norm() const {
    double sum = 0;
    for (const double d : of_vertex) sum += d * d;
    for (const double d : of_class) sum += kClassStep * d * d;
    return sum;
  }
  void move(Duals& duals, double length) const {
    for (std::size_t v = 0; v < of_vertex.size(); ++v)
      duals.of_vertex[v] += static_cast<Cost>(length * of_vertex[v]);
    for (std::size_t class_id = 0; class_id < of_class.size(); ++class_id)
      duals.of_class[class_id] += static_cast<Cost>(kClassStep * length * of_class[class_id]);
  }
};

Direction subgradient(const Pricing& cheapest, const std::vector<int>& count) {
  Direction direction{std::vector<double>(cheapest.share.size(), 1.0), {count.begin(), count.end()}};
  for (std::size_t class_id = 0; class_id < count.size(); ++class_id) {
    if (cheapest.least[class_id] == Pricing::kNoSet) direction.of_class[class_id] = 0;
  }
  for (std::size_t v = 0; v < cheapest.share.size(); ++v) {
    if (cheapest.share[v] == Pricing::kNoSet) {
      direction.of_vertex[v] = 0;
      continue;
    }
    const auto& [class_id, members] = cheapest.set[v];
    const double part = 1.0 / std::popcount(members);
    for_each_vertex(members, [&](int u) { direction.of_vertex[u] -= part; });
    direction.of_class[class_id] -= part;
  }
  return direction;
}

}  // namespace

Cost Duals::of(Subset set) const {
  Cost sum = 0;
  for_each_vertex(set, [&](int v) { sum += of_vertex[v]; });
  return sum;
}

Cost Duals::total(const std::vector<int>& count) const {
  Cost sum = std::accumulate(of_vertex.begin(), of_vertex.end(), Cost{0});
  for (std::size_t class_id = 0; class_id < count.size(); ++class_id)
    sum += count[class_id] * of_class[class_id];
  return sum;
}

Cost Duals::of_all(const HopInstance& instance) const { return total(counts(instance)); }

Cost SetPartitioning::base(int class_id) const {
  Cost sum = 0;
  for (const auto& [child, n_children] : instance.classes[class_id].children)
    sum += n_children * below.of_class[child];
  return sum;
}

std::vector<int> counts(const HopInstance& instance) {
  std::vector<int> count;
  for (const IsomorphismClass& each : instance.classes) count.push_back(each.count);
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

Pricing price_all_sets(const SetPartitioning& partitioning, const Duals& duals) {
  std::vector<PricedSets> of_class(partitioning.instance.classes.size());
  for (const int class_id : partitioning.classes())
    of_class[class_id] = SubsetPricing(partitioning, class_id, duals).cheapest();
  return merged(of_class, duals.of_vertex.size());
}

Pricing price_negative_sets(const SetPartitioning& partitioning, const Duals& duals, std::uint64_t& steps) {
  std::vector<PricedSets> of_class(partitioning.instance.classes.size());
  for (const int class_id : partitioning.classes()) {
    SubsetPricing pricing(partitioning, class_id, duals);
    of_class[class_id] = pricing.overdrawn();
    steps += pricing.steps();
  }
  return merged(of_class, duals.of_vertex.size());
}

bool list_columns(const SetPartitioning& partitioning, const Duals& duals, const ListLimits& limits,
                  std::vector<Column>& sets) {
  for (const int class_id : partitioning.classes()) {
    if (!SubsetPricing(partitioning, class_id, duals).list(limits, sets)) return false;
  }
  for (Column& set : sets) set.cost += duals.of(set.members, set.class_id);
  return true;
}

Pricing price_all_sets(const std::vector<Column>& sets, const Duals& duals) {
  const std::size_t n = duals.of_vertex.size();
  std::vector<PricedSets> of_class(duals.of_class.size());
  for (const Column& set : sets) {
    PricedSets& found = of_class[set.class_id];
    if (found.empty()) found.resize(n);
    const Cost reduced_cost = set.cost - duals.of(set.members, set.class_id);
    for_each_vertex(set.members, [&](int v) {
      if (reduced_cost < found[v].reduced_cost) found[v] = {reduced_cost, set.members};
    });
  }
  return merged(of_class, n);
}

void distribute_slack(const Pricing& cheapest, Duals& duals) {
  for (std::size_t v = 0; v < duals.of_vertex.size(); ++v) {
    if (cheapest.share[v] != Pricing::kNoSet) duals.of_vertex[v] += cheapest.share[v];
  }
}

Cost heaviest_incident_edges(const HopInstance& instance, int vertex, int count) {
  std::vector<Cost> company;
  for (int u = 0; u < instance.n; ++u) {
    if (u != vertex) company.push_back(instance.between(vertex, u));
  }
  std::ranges::sort(company, std::ranges::greater{});
  return std::accumulate(company.begin(), company.begin() + count, Cost{0});
}

Duals degree_duals(const SetPartitioning& partitioning) {
  const std::vector<int> classes = partitioning.classes();
  Duals duals{partitioning.below.of_vertex, std::vector<Cost>(partitioning.instance.classes.size(), 0)};
  for (const int class_id : classes) duals.of_class[class_id] = partitioning.base(class_id);
  for (int v = 0; v < partitioning.instance.n; ++v) {
    Cost heaviest = std::numeric_limits<Cost>::min();
    for (const int class_id : classes)
      heaviest = std::max(heaviest,
                          heaviest_incident_edges(partitioning.instance, v, partitioning.size(class_id) - 1));
    duals.of_vertex[v] += partitioning.factor * heaviest / 2;
  }
  return duals;
}

Duals subgradient_ascent(const std::function<Pricing(const Duals&)>& pricing, const Duals& start,
                         const AscentLimits& ascent) {
  Duals duals = start;
  Duals best = start;
  Cost best_total = start.total(ascent.count);
  double step = 1;
  int stale = 0;
  for (int round = 0; round < ascent.rounds && step > 1.0 / 64 && !ascent.deadline.passed(); ++round) {
    const Pricing cheapest = pricing(duals);
    distribute_slack(cheapest, duals);
    const Cost sum = duals.total(ascent.count);
    stale = sum > best_total + kCostScale / 32 ? 0 : stale + 1;
    if (sum > best_total) {
      best = duals;
      best_total = sum;
    }
    if (best_total > ascent.enough) break;
    if (stale >= 5) {
      step /= 2;
      stale = 0;
      duals = best;
    }
    const Direction direction = subgradient(cheapest, ascent.count);
    const double norm = direction.norm();
    if (norm < 1e-9) break;  // the cheapest sets are a partition: the duals are the best there are
    direction.move(duals, step * static_cast<double>(ascent.enough - best_total + kCostScale) / norm);
  }
  return best;
}

}  // namespace corewise::exact
