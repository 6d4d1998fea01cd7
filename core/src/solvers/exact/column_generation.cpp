/// Column generation: the restricted master, and the loop around pricing and ascent.
#include "solvers/exact/column_generation.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace corewise::exact {
namespace {

constexpr int kAscentsPerPricing = 100;
/// Column generation ends if the master's duals promise a smaller rise of the objective than this: as a
/// scaled cost, or as a part of the gap to the target.
constexpr Cost kLeastRise = kCostScale / 16;
constexpr Cost kLeastPart = 8;  // an eighth

/// The columns found so far.
class RestrictedMaster {
 public:
  /// @param groups  a partition into groups of the problem: the first columns.
  RestrictedMaster(const SetPartitioning& problem, const std::vector<VertexGroup>& groups)
      : problem_(problem), groups_(groups), known_(problem.instance.classes.size()) {
    for (const VertexGroup& group : groups) add(group);
  }

  /// Adds a column unless it is already present.
  void add(const VertexGroup& group) {
    const auto& [class_id, members] = group;
    if (known_[class_id].insert(members).second)
      columns_.push_back({members, problem_.cost(members, class_id), class_id});
  }

  /// Adds all groups that differ by one member from a group of the partition.
  void add_neighbours_of_partition() {
    for (const auto& [class_id, members] : groups_) {
      for_each_vertex(members, [&](int out) {
        for_each_vertex(problem_.instance.all() & ~members,
                        [&](int in) { add({class_id, (members & ~(Subset{1} << out)) | Subset{1} << in}); });
      });
    }
  }

  [[nodiscard]] Pricing price(const Duals& duals) const { return price_columns(columns_, duals); }

 private:
  const SetPartitioning& problem_;
  const std::vector<VertexGroup>& groups_;
  std::vector<Column> columns_;
  std::vector<std::unordered_set<Subset>> known_;  ///< [class]: members of the columns
};

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

Duals generate_by_enumeration(const SetPartitioning& problem, const Duals& start,
                              const std::vector<VertexGroup>& groups, const AscentLimits& limits,
                              std::uint64_t most_steps) {
  RestrictedMaster master(problem, groups);
  master.add_neighbours_of_partition();
  Duals best = start, at = start, of_master = start;
  Cost objective = best.objective(limits.count);
  std::uint64_t steps = 0;
  for (int round = 0; round < limits.rounds && steps < most_steps && !limits.deadline.passed(); ++round) {
    const Pricing negative = price_negative_sets(problem, at, steps);
    lower_classes(negative, at);
    if (at.objective(limits.count) > objective) {
      objective = at.objective(limits.count);
      best = std::move(at);
    }
    if (objective > limits.target) break;
    for (const VertexGroup& group : negative.set) {
      if (group.members != 0) master.add(group);
    }
    Duals from = of_master;  // of the last round, unless the new columns make them worse than `best`
    distribute_slack(master.price(from), from);
    if (from.objective(limits.count) < objective) from = best;
    of_master = subgradient_ascent([&](const Duals& duals) { return master.price(duals); }, from,
                                   {limits.count, limits.target, kAscentsPerPricing, limits.deadline});
    const Cost at_most = of_master.objective(limits.count);
    if (at_most - objective < std::max(kLeastRise, (limits.target - at_most) / kLeastPart)) break;
    at = half_way(best, of_master);
  }
  return best;
}

}  // namespace corewise::exact
