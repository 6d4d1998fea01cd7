/// Set partitioning by branch and bound. At each node, the columns (possible groups) of one vertex are tried,
/// by ascending reduced cost.
#include "solvers/exact/set_partitioning.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace corewise::exact {
namespace {

/// Number of bounds of sets that are kept, about 128 MB.
constexpr std::size_t kMostBoundsKept = 4'000'000;

class PartitioningSearch {
 public:
  PartitioningSearch(const SetPartitioning& problem, NestedCost& nested, const Duals& duals, Cost most_cost,
                     Cost granularity, StepBudget& budget)
      : problem_(problem),
        instance_(problem.instance),
        root_(instance_.classes.back()),
        nested_(nested),
        duals_(duals),
        most_cost_(most_cost),
        granularity_(granularity),
        budget_(budget) {}

  PartitionResult run(std::vector<Column> columns) {
    sort(columns);
    descend({instance_.all(), instance_.root(), ChildrenLeft(root_)}, 0);
    result_.complete = !budget_.exhausted();
    return std::move(result_);
  }

 private:
  /// Replaces costs by reduced costs. Orders the vertices by the number of columns that contain them.
  void sort(std::vector<Column>& columns) {
    std::array<std::size_t, kMostPlaces> n_columns{};
    for (Column& column : columns) {
      column.cost -= duals_.of(column.members, column.class_id);
      for_each_vertex(column.members, [&](int v) { ++n_columns[v]; });
    }
    std::ranges::sort(columns, {}, [](const Column& column) {
      return std::tuple(column.cost, column.members, column.class_id);
    });
    for_each_vertex(instance_.all(), [&](int v) { order_.push_back(v); });
    // Padding comes last: canonical() relies on it.
    std::ranges::stable_sort(order_.begin(), order_.begin() + std::ssize(instance_.rank), {},
                             [&](int v) { return n_columns[v]; });
    for (const Column& column : columns) columns_of_[first_of(column.members)].push_back(column);
  }

  int first_of(Subset vertices) const {
    return *std::ranges::find_if(order_, [&](int v) { return (vertices >> v & 1) != 0; });
  }

  void descend(const Remainder& rest, Cost spent) {
    if (rest.vertices == 0) {
      result_.groups = chosen_;
      result_.cost = spent;
      most_cost_ = spent - granularity_;
      return;
    }
    Cost at_least = spent + duals_.of(rest.vertices);
    for (std::size_t child = 0; child < root_.children.size(); ++child)
      at_least += rest.left.of(child) * duals_.of_class[root_.children[child].first];
    std::unordered_map<Subset, Cost>& bounds = bounds_[rest.left.code()];
    const auto known = bounds.find(rest.vertices);
    if (known != bounds.end() && spent + known->second > most_cost_) return;
    if (rest.left.total() == 1) {
      take_last(rest, spent, at_least);
    } else {
      for (const Column& column : columns_of_[first_of(rest.vertices)]) {
        if (at_least + column.cost > most_cost_ || !budget_.spend()) break;
        const bool fits =
            (column.members & ~rest.vertices) == 0 && rest.left.of(child_of(column.class_id)) > 0;
        if (fits && canonical(column.members, rest.vertices))
          take(column.members, column.class_id, rest, spent, at_least);
      }
    }
    if (budget_.exhausted() || n_bounds_ == kMostBoundsKept) return;
    bounds[rest.vertices] = most_cost_ - spent + 1;
    ++n_bounds_;
  }

  void take(Subset members, int class_id, const Remainder& rest, Cost spent, Cost at_least) {
    const Cost cost = nested_.of(members, class_id);
    if (at_least + cost - duals_.of(members, class_id) > most_cost_) return;
    chosen_.push_back({class_id, members});
    descend({rest.vertices & ~members, rest.class_id, rest.left.without(child_of(class_id))}, spent + cost);
    chosen_.pop_back();
  }

  /// Takes all remaining vertices as one group.
  void take_last(const Remainder& rest, Cost spent, Cost at_least) {
    std::size_t child = 0;
    while (rest.left.of(child) == 0) ++child;
    const int class_id = root_.children[child].first;
    const Cost reduced = problem_.cost(rest.vertices, class_id) - duals_.of(rest.vertices, class_id);
    if (at_least + reduced <= most_cost_) take(rest.vertices, class_id, rest, spent, at_least);
  }

  /// Padding vertices are interchangeable, so a group takes the lowest ones that are left.
  bool canonical(Subset members, Subset vertices) const {
    const Subset taken = members & instance_.padding();
    const Subset left = vertices & instance_.padding() & ~taken;
    return left == 0 || taken < (left & -left);
  }

  /// Relies on consecutive numbers of the root's child classes.
  std::size_t child_of(int class_id) const { return class_id - root_.children.front().first; }

  const SetPartitioning& problem_;
  const TreeInstance& instance_;
  const IsomorphismClass& root_;
  NestedCost& nested_;
  const Duals& duals_;
  Cost most_cost_;  ///< the highest cost of a better partition
  Cost granularity_;
  StepBudget& budget_;
  PartitionResult result_;  ///< the cheapest so far
  std::vector<int> order_;  ///< in which vertices are branched on
  std::array<std::vector<Column>, kMostPlaces>
      columns_of_{};  ///< [vertex] whose first vertex in order_ it is
  std::vector<VertexGroup> chosen_;
  /// [ChildrenLeft::code()] least cost of remaining vertices
  std::map<std::uint64_t, std::unordered_map<Subset, Cost>> bounds_;
  std::size_t n_bounds_ = 0;
};

}  // namespace

PartitionResult solve_set_partitioning(const SetPartitioning& problem, NestedCost& nested,
                                       std::vector<Column> columns, const Duals& duals, Cost most_cost,
                                       Cost granularity, StepBudget& budget) {
  return PartitioningSearch(problem, nested, duals, most_cost, granularity, budget).run(std::move(columns));
}

}  // namespace corewise::exact
