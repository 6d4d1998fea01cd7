/// Depth first; of the groups without members, all alike, only the first is tried.
#include "solvers/exact/colouring.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace corewise::exact {
namespace {

constexpr Cost kNoRoom = std::numeric_limits<Cost>::max() / 128;
using Row = std::array<Cost, 64>;  // [vertex]

class ColouringSearch {
 public:
  ColouringSearch(NestedCost& nested, const HopInstance& instance, Cost most_cost, const ProofLimits& limits)
      : nested_(nested),
        instance_(instance),
        class_id_(instance.classes.back().children.front().first),
        size_(instance.classes[class_id_].size),
        factor_(instance.factor(instance.n_levels() - 1)),
        most_cost_(most_cost),
        limits_(limits),
        groups_(instance.classes.back().children.front().second, VertexGroup{class_id_, 0}),
        vertex_cost_(groups_.size(), Row{}) {}

  PartitionResult run() {
    descend(instance_.all(), 0);
    return std::move(result_);
  }

 private:
  /// What a vertex can do.
  struct Choice {
    int vertex = 0;
    int n_fitting = std::numeric_limits<int>::max();  ///< groups
    Cost weight = 0;                                  ///< to vertices without a group, negative
  };

  void descend(Subset open, Cost spent) {
    if (++steps_ + nested_.steps() > limits_.most_steps || (steps_ % 1024 == 0 && limits_.deadline.passed()))
      result_.complete = false;
    if (!result_.complete) return;
    if (open == 0) return finish();
    Row least;
    least.fill(kNoRoom);
    Cost at_least = spent;
    for_each_vertex(open, [&](int v) {
      for_each_group([&](std::size_t group) { least[v] = std::min(least[v], vertex_cost_[group][v]); });
      at_least += least[v];
    });
    const Choice next = tightest(open, least, at_least);
    const auto fitting = groups_by_cost(next.vertex);
    for (const auto& [cost, group] : fitting) {
      if (at_least - least[next.vertex] + cost > most_cost_ || !result_.complete) return;
      join(group, next.vertex, 1);
      descend(open & ~(Subset{1} << next.vertex), spent + cost);
      join(group, next.vertex, -1);
    }
  }

  /// Calls use(group) for those that have room, of the empty ones only for the first.
  template <typename Use>
  void for_each_group(Use use) const {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const Subset members = groups_[group].members;
      if (std::popcount(members) < size_) use(group);
      if (members == 0) return;
    }
  }

  [[nodiscard]] Choice tightest(Subset open, const Row& least, Cost at_least) const {
    Choice best;
    for_each_vertex(open, [&](int v) {
      const Cost most = most_cost_ - at_least + least[v];
      Choice choice{v, 0, 0};
      for_each_group([&](std::size_t group) { choice.n_fitting += vertex_cost_[group][v] <= most ? 1 : 0; });
      if (choice.n_fitting > best.n_fitting) return;
      for_each_vertex(open, [&](int u) { choice.weight += instance_.between(u, v); });
      if (std::pair(choice.n_fitting, choice.weight) < std::pair(best.n_fitting, best.weight)) best = choice;
    });
    return best;
  }

  [[nodiscard]] std::vector<std::pair<Cost, std::size_t>> groups_by_cost(int vertex) const {
    std::vector<std::pair<Cost, std::size_t>> groups;
    for_each_group([&](std::size_t group) { groups.emplace_back(vertex_cost_[group][vertex], group); });
    std::ranges::sort(groups);
    return groups;
  }

  void join(std::size_t group, int vertex, int sign) {
    groups_[group].members ^= Subset{1} << vertex;
    for (int v = 0; v < instance_.n; ++v)
      vertex_cost_[group][v] += sign * factor_ * instance_.between(vertex, v);
  }

  void finish() {
    Cost cost = 0;
    for (const VertexGroup& group : groups_) cost += nested_.of(group.members, class_id_);
    if (cost > most_cost_) return;
    result_.groups = groups_;
    result_.cost = cost;
    most_cost_ = cost - instance_.granularity;  // from now on only better ones
  }

  NestedCost& nested_;
  const HopInstance& instance_;
  int class_id_;  ///< of the groups
  int size_;
  Cost factor_;
  Cost most_cost_;
  ProofLimits limits_;
  std::vector<VertexGroup> groups_;
  std::vector<Row> vertex_cost_;  ///< [group][vertex]: what letting it in costs
  PartitionResult result_;
  std::uint64_t steps_ = 0;
};

}  // namespace

PartitionResult search_colouring(NestedCost& nested, const HopInstance& instance, Cost most_cost,
                                 const ProofLimits& limits) {
  return ColouringSearch(nested, instance, most_cost, limits).run();
}

}  // namespace corewise::exact
