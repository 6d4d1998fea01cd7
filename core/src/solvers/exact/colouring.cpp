/// search_colouring(): depth first; empty groups are interchangeable, so only the first of them is tried.
#include "solvers/exact/colouring.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace corewise::exact {
namespace {

constexpr Cost kNoRoom = std::numeric_limits<Cost>::max() / 128;
using Row = std::array<Cost, kMostPlaces>;  // [vertex]

class ColouringSearch {
 public:
  ColouringSearch(NestedCost& nested, const HopInstance& instance, Cost most_cost, const ProofLimits& limits)
      : nested_(nested),
        instance_(instance),
        class_id_(instance.classes.back().children.front().first),
        size_(instance.classes[class_id_].size),
        factor_(instance.factor(instance.n_levels() - 1)),
        limits_(limits),
        budget_(limits.most_steps, limits.deadline),
        incumbent_(most_cost, instance.granularity),
        groups_(instance.classes.back().children.front().second, VertexGroup{class_id_, 0}),
        joining_(groups_.size(), Row{}) {}

  PartitionResult run() {
    descend(instance_.all(), 0);
    incumbent_.result.complete = !budget_.exhausted();
    return std::move(incumbent_.result);
  }

 private:
  struct Choice {
    int vertex = 0;
    int n_fitting = std::numeric_limits<int>::max();  ///< groups that it can join
    Cost weight = 0;                                  ///< to vertices without a group, negative
  };

  void descend(Subset open, Cost spent) {
    if (budget_.steps() + nested_.steps() >= limits_.most_steps) budget_.exhaust();
    if (!budget_.spend()) return;
    if (open == 0) return finish();
    Row least;
    least.fill(kNoRoom);
    Cost at_least = spent;
    for_each_vertex(open, [&](int v) {
      for_each_group([&](std::size_t group) { least[v] = std::min(least[v], joining_[group][v]); });
      at_least += least[v];
    });
    const Choice next = most_constrained(open, least, at_least);
    for (const auto& [cost, group] : groups_by_cost(next.vertex)) {
      if (at_least - least[next.vertex] + cost > incumbent_.most_cost() || budget_.exhausted()) return;
      join(group, next.vertex, 1);
      descend(open & ~(Subset{1} << next.vertex), spent + cost);
      join(group, next.vertex, -1);
    }
  }

  /// Calls use(group) for groups with room, of the empty ones only for the first.
  template <typename Use>
  void for_each_group(Use use) const {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const Subset members = groups_[group].members;
      if (std::popcount(members) < size_) use(group);
      if (members == 0) return;
    }
  }

  [[nodiscard]] Choice most_constrained(Subset open, const Row& least, Cost at_least) const {
    Choice best;
    for_each_vertex(open, [&](int v) {
      const Cost most = incumbent_.most_cost() - at_least + least[v];
      Choice choice{v, 0, 0};
      for_each_group([&](std::size_t group) { choice.n_fitting += joining_[group][v] <= most ? 1 : 0; });
      if (choice.n_fitting > best.n_fitting) return;
      for_each_vertex(open, [&](int u) { choice.weight += instance_.between(u, v); });
      if (std::pair(choice.n_fitting, choice.weight) < std::pair(best.n_fitting, best.weight)) best = choice;
    });
    return best;
  }

  [[nodiscard]] std::vector<std::pair<Cost, std::size_t>> groups_by_cost(int vertex) const {
    std::vector<std::pair<Cost, std::size_t>> groups;
    for_each_group([&](std::size_t group) { groups.emplace_back(joining_[group][vertex], group); });
    std::ranges::sort(groups);
    return groups;
  }

  void join(std::size_t group, int vertex, int sign) {
    groups_[group].members ^= Subset{1} << vertex;
    for (int v = 0; v < instance_.n; ++v) joining_[group][v] += sign * factor_ * instance_.between(vertex, v);
  }

  void finish() {
    Cost cost = 0;
    for (const VertexGroup& group : groups_) cost += nested_.of(group.members, class_id_);
    incumbent_.offer(groups_, cost);
  }

  NestedCost& nested_;
  const HopInstance& instance_;
  int class_id_;  ///< of the groups
  int size_;
  Cost factor_;
  ProofLimits limits_;
  StepBudget budget_;
  Incumbent incumbent_;
  std::vector<VertexGroup> groups_;
  std::vector<Row> joining_;  ///< [group][vertex]: what the vertex adds in the group
};

}  // namespace

PartitionResult search_colouring(NestedCost& nested, const HopInstance& instance, Cost most_cost,
                                 const ProofLimits& limits) {
  return ColouringSearch(nested, instance, most_cost, limits).run();
}

}  // namespace corewise::exact
