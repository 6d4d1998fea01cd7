/// Dual ascent: each pricing gives feasible duals and the direction of the next step.
#include "solvers/exact/dual_ascent.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace corewise::exact {
namespace {

/// The dual of a class counts for all its groups, so its steps are longer than those of a vertex. In
/// measurements, 16 was too much.
constexpr double kClassStep = 6;
constexpr double kLeastStep = 1.0 / 64;
/// The step is halved after this number of rounds without a rise above kLeastRise.
constexpr int kRoundsWithoutRise = 5;
constexpr Cost kLeastRise = kCostScale / 32;

/// The subgradient. Each vertex chooses 1 / (size) of its cheapest set. The direction of a vertex is 1 minus
/// the chosen parts of sets that contain it. The direction of a class is its number of groups minus the
/// chosen parts of its sets.
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

Direction subgradient(const Pricing& pricing, const std::vector<int>& count) {
  Direction direction{std::vector<double>(pricing.share.size(), 1.0), {count.begin(), count.end()}};
  for (std::size_t class_id = 0; class_id < count.size(); ++class_id) {
    if (pricing.least[class_id] == Pricing::kNoSet) direction.of_class[class_id] = 0;
  }
  for (std::size_t v = 0; v < pricing.share.size(); ++v) {
    if (pricing.share[v] == Pricing::kNoSet) {
      direction.of_vertex[v] = 0;
      continue;
    }
    const auto& [class_id, members] = pricing.set[v];
    const double part = 1.0 / std::popcount(members);
    for_each_vertex(members, [&](int u) { direction.of_vertex[u] -= part; });
    direction.of_class[class_id] -= part;
  }
  return direction;
}

constexpr int kAscentsPerPricing = 100;
/// Column generation ends if the master's duals promise a smaller rise of the objective than this: as a
/// scaled cost, or as a part of the gap to the target.
constexpr Cost kLeastRiseOfMaster = kCostScale / 16;
constexpr Cost kLeastPart = 8;  // an eighth

Duals half_way(const Duals& from, const Duals& to) {
  const auto middle = [](Cost a, Cost b) { return a + (b - a) / 2; };
  Duals result = from;
  std::ranges::transform(from.of_vertex, to.of_vertex, result.of_vertex.begin(), middle);
  std::ranges::transform(from.of_class, to.of_class, result.of_class.begin(), middle);
  return result;
}

/// Adds its least reduced cost to the dual of each class if that cost is negative. Makes the duals feasible.
void lower_classes(const Pricing& negative, Duals& duals) {
  for (std::size_t class_id = 0; class_id < duals.of_class.size(); ++class_id)
    duals.of_class[class_id] += std::min<Cost>(0, negative.least[class_id]);
}

}  // namespace

Duals subgradient_ascent(const std::vector<Column>& columns, const Duals& start, const AscentLimits& limits) {
  Duals duals = start;
  Duals best = start;
  Cost best_objective = start.objective(limits.count);
  double step = 1;
  int stale = 0;
  for (int round = 0; round < limits.rounds && step > kLeastStep && !limits.deadline.passed(); ++round) {
    const Pricing pricing = price_columns(columns, duals);
    distribute_slack(pricing, duals);
    const Cost objective = duals.objective(limits.count);
    stale = objective > best_objective + kLeastRise ? 0 : stale + 1;
    if (objective > best_objective) {
      best = duals;
      best_objective = objective;
    }
    if (best_objective > limits.target) break;
    if (stale >= kRoundsWithoutRise) {
      step /= 2;
      stale = 0;
      duals = best;
    }
    const Direction direction = subgradient(pricing, limits.count);
    const double norm = direction.norm();
    if (norm < 1e-9) break;  // the cheapest sets are a partition: no duals are better
    direction.move(duals, step * static_cast<double>(limits.target - best_objective + kCostScale) / norm);
  }
  return best;
}

Duals generate_by_enumeration(const SetPartitioning& problem, const Duals& start,
                              const std::vector<VertexGroup>& groups, const AscentLimits& limits,
                              StepBudget& budget) {
  std::set<std::pair<int, Subset>> known;
  std::vector<Column> columns;  // of the restricted master problem
  const auto add = [&](int class_id, Subset members) {
    if (known.emplace(class_id, members).second)
      columns.push_back({members, problem.cost(members, class_id), class_id});
  };
  for (const auto& [class_id, members] : groups) {  // and all that differ from a group by one member
    add(class_id, members);
    for_each_vertex(members, [&](int out) {
      for_each_vertex(problem.instance.all() & ~members,
                      [&](int in) { add(class_id, (members & ~(Subset{1} << out)) | Subset{1} << in); });
    });
  }
  Duals best = start, at = start, of_master = start;
  Cost objective = best.objective(limits.count);
  for (int round = 0; round < limits.rounds && !budget.exhausted() && !limits.deadline.passed(); ++round) {
    const Pricing negative = price_negative_sets(problem, at, budget);
    lower_classes(negative, at);
    if (at.objective(limits.count) > objective) {
      objective = at.objective(limits.count);
      best = std::move(at);
    }
    if (objective > limits.target) break;
    for (const VertexGroup& group : negative.set) {
      if (group.members != 0) add(group.class_id, group.members);
    }
    Duals from = of_master;  // of the last round, unless the new columns make them worse than `best`
    distribute_slack(price_columns(columns, from), from);
    if (from.objective(limits.count) < objective) from = best;
    of_master =
        subgradient_ascent(columns, from, {limits.count, limits.target, kAscentsPerPricing, limits.deadline});
    const Cost at_most = of_master.objective(limits.count);
    if (at_most - objective < std::max(kLeastRiseOfMaster, (limits.target - at_most) / kLeastPart)) break;
    at = half_way(best, of_master);
  }
  return best;
}

}  // namespace corewise::exact
