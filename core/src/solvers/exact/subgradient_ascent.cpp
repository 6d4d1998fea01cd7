/// subgradient_ascent(): each pricing gives feasible duals and the direction of the next step.
#include "solvers/exact/subgradient_ascent.hpp"

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

}  // namespace

Duals subgradient_ascent(const std::function<Pricing(const Duals&)>& price, const Duals& start,
                         const AscentLimits& limits) {
  Duals duals = start;
  Duals best = start;
  Cost best_objective = start.objective(limits.count);
  double step = 1;
  int stale = 0;
  for (int round = 0; round < limits.rounds && step > kLeastStep && !limits.deadline.passed(); ++round) {
    const Pricing pricing = price(duals);
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

}  // namespace corewise::exact
