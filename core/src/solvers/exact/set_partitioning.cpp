/// Set partitioning by branch and bound. Of the listed columns (possible groups of vertices), the one with
/// the lowest reduced cost is tried first.
#include "solvers/exact/set_partitioning.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "solvers/exact/subgradient_ascent.hpp"
#include "solvers/exact/subset_table.hpp"

namespace corewise::exact {
namespace {

/// At each node of the search tree, the duals are raised in at most this many rounds, and in no more rounds
/// than price this many columns.
constexpr std::size_t kMostPartitionRounds = 40;
constexpr std::size_t kMostColumnsPriced = 3'000'000;
/// Number of bounds of sets that are kept, about 128 MB.
constexpr std::size_t kMostBoundsKept = 4'000'000;

class PartitioningSearch {
 public:
  PartitioningSearch(NestedCost& nested, const HopInstance& instance, Cost most_cost,
                     const ProofLimits& limits)
      : nested_(nested),
        instance_(instance),
        root_(instance.classes.back()),
        limits_(limits),
        most_cost_(most_cost),
        listed_(instance.classes.size()) {}

  PartitionResult run(std::vector<Column> columns, Duals duals) {
    for (const Column& column : columns) listed_[column.class_id].put(column.members, column.cost);
    for (Column& column : columns) column.cost -= duals.of(column.members, column.class_id);
    sort(columns);
    const Cost at_least = duals.objective(instance_);
    descend({instance_.all(), ChildrenLeft(root_), std::move(columns), std::move(duals), 0, at_least});
    return std::move(result_);
  }

 private:
  using ColumnsByClass = std::vector<std::vector<Column>>;  // [class], ascending

  /// A node of the search tree: the vertices that are not in a group yet.
  struct Node {
    Subset vertices;
    ChildrenLeft left;
    std::vector<Column> columns;  ///< within these vertices, of remaining classes; by reduced cost, ascending
    Duals duals;                  ///< feasible for these columns
    Cost spent;                   ///< on the groups chosen so far
    Cost at_least;                ///< lower bound for the remaining vertices: the dual objective
  };

  void descend(Node node) {
    if (!spend(node.columns.size()) || !covered(node)) return;
    raise_duals(node);
    const Cost slack = slack_of(node);
    while (!node.columns.empty() && node.columns.back().cost > slack) node.columns.pop_back();
    if (slack < 0 || !covered(node)) return;
    if (node.left.total() == 2) {
      take_pair(node, by_class(node));
      return;
    }
    const ColumnsByClass columns = node.left.total() == 3 ? by_class(node) : ColumnsByClass();
    for (const Column& column : branches(node)) {
      take(column, node, columns);
      if (!result_.complete) return;
    }
  }

  /// The most by which the columns of a better partition can exceed their duals, all together.
  Cost slack_of(const Node& node) const { return most_cost_ - node.spent - node.at_least; }

  void take(const Column& column, const Node& node, const ColumnsByClass& columns) {
    const Cost duals = node.duals.of(column.members, column.class_id);
    const Subset others = node.vertices & ~column.members;
    const ChildrenLeft left = node.left.without(child_of(column.class_id));
    SubsetTable& bounds = bounds_[left.code()];
    Cost others_cost = node.at_least - duals;
    if (const Cost* known = bounds.find(others)) others_cost = std::max(others_cost, *known);
    const Cost most_for_column = most_cost_ - node.spent - others_cost;
    if (column.cost + duals > most_for_column || !spend(1)) return;
    const Cost cost = nested_.of(column.members, column.class_id);
    if (cost > most_for_column) return;
    Node next{others, left, {}, node.duals, node.spent + cost, node.at_least - duals};
    const Cost spent = next.spent;
    chosen_.push_back({column.class_id, column.members});
    if (left.total() == 2) {
      take_pair(next, columns);
    } else {
      next.columns = columns_inside(next, node.columns);
      descend(std::move(next));
    }
    chosen_.pop_back();
    if (result_.complete && n_bounds_ < kMostBoundsKept) {
      bounds.put(others, most_cost_ - spent + 1);
      ++n_bounds_;
    }
  }

  /// The columns that can still be chosen, in the same order.
  std::vector<Column> columns_inside(const Node& node, const std::vector<Column>& columns) const {
    std::vector<Column> inside;
    for (const Column& column : columns) {
      if (column.cost > slack_of(node)) break;
      if ((column.members & ~node.vertices) == 0 && node.left.of(child_of(column.class_id)) > 0)
        inside.push_back(column);
    }
    return inside;
  }

  ColumnsByClass by_class(const Node& node) const {
    ColumnsByClass columns(instance_.classes.size());
    for (const Column& column : node.columns) columns[column.class_id].push_back(column);
    return columns;
  }

  /// Chooses the last two groups: a column of the class with fewer columns, and the rest of the vertices.
  /// @param columns  with reduced costs, ascending; some may have vertices outside the node.
  void take_pair(const Node& node, const ColumnsByClass& columns) {
    int class_id = -1;
    for (std::size_t child = 0; child < root_.children.size(); ++child) {
      const int at = root_.children[child].first;
      if (node.left.of(child) > 0 && (class_id < 0 || columns[at].size() < columns[class_id].size()))
        class_id = at;
    }
    const int other_class = only_class(node.left.without(child_of(class_id)));
    const Subset within = other_class == class_id ? node.vertices & -node.vertices : 0;  // interchangeable
    if (!spend(columns[class_id].size())) return;
    for (const Column& column : columns[class_id]) {
      if (column.cost > slack_of(node)) break;
      if ((column.members & ~node.vertices) != 0 || (column.members & within) != within) continue;
      const VertexGroup other{other_class, node.vertices & ~column.members};
      const Cost* cost_of_other = listed_[other_class].find(other.members);
      if (!cost_of_other) continue;
      const Cost most = most_cost_ - node.spent - *cost_of_other;
      if (column.cost + node.duals.of(column.members, class_id) > most) continue;
      const Cost cost = nested_.of(column.members, class_id);
      if (cost > most) continue;
      offer({class_id, column.members}, other, node.spent + cost + nested_.of(other.members, other_class));
      if (!spend(1)) return;
    }
  }

  /// Keeps the chosen groups and the last two if their cost is the lowest so far.
  void offer(const VertexGroup& next_to_last, const VertexGroup& last, Cost cost) {
    if (cost > most_cost_) return;
    result_.groups = chosen_;
    result_.groups.insert(result_.groups.end(), {next_to_last, last});
    result_.cost = cost;
    most_cost_ = cost - instance_.granularity;
  }

  /// The class of the only child that is left.
  int only_class(ChildrenLeft left) const {
    std::size_t child = 0;
    while (left.of(child) == 0) ++child;
    return root_.children[child].first;
  }

  static bool covered(const Node& node) {
    Subset covered = 0;
    for (const Column& column : node.columns) covered |= column.members;
    return covered == node.vertices;
  }

  void raise_duals(Node& node) {
    const std::size_t rounds = std::min(kMostColumnsPriced / node.columns.size(), kMostPartitionRounds);
    if (rounds < 2 || !spend(rounds * node.columns.size())) return;
    std::vector<int> count(instance_.classes.size(), 0);
    for (std::size_t child = 0; child < root_.children.size(); ++child)
      count[root_.children[child].first] = node.left.of(child);
    const Duals rise = subgradient_ascent(
        [&](const Duals& at) { return price_columns(node.columns, at); }, Duals::zero(instance_),
        {count, slack_of(node), static_cast<int>(rounds), limits_.deadline});
    node.at_least += rise.of(node.vertices);
    for (std::size_t class_id = 0; class_id < count.size(); ++class_id) {
      node.at_least += count[class_id] * rise.of_class[class_id];
      node.duals.of_class[class_id] += rise.of_class[class_id];
    }
    for (int v = 0; v < instance_.n; ++v) node.duals.of_vertex[v] += rise.of_vertex[v];
    for (Column& column : node.columns) column.cost -= rise.of(column.members, column.class_id);
    sort(node.columns);
  }

  static void sort(std::vector<Column>& columns) {
    std::ranges::sort(columns, {}, [](const Column& column) {
      return std::tuple(column.cost, column.members, column.class_id);
    });
  }

  /// The columns to branch on: all columns of one vertex, or of one class with a single group left. Takes the
  /// vertex or class with the fewest columns.
  std::vector<Column> branches(const Node& node) const {
    std::array<std::size_t, kMostPlaces> of_vertex{};
    std::vector<std::size_t> of_class(instance_.classes.size(), 0);
    for (const Column& column : node.columns) {
      for_each_vertex(column.members, [&](int v) { ++of_vertex[v]; });
      ++of_class[column.class_id];
    }
    int rarest = std::countr_zero(node.vertices);
    for_each_vertex(node.vertices, [&](int v) { rarest = of_vertex[v] < of_vertex[rarest] ? v : rarest; });
    std::size_t fewest = of_vertex[rarest];
    int only = -1;
    for (std::size_t child = 0; child < root_.children.size(); ++child) {
      const int class_id = root_.children[child].first;
      if (node.left.of(child) != 1 || of_class[class_id] >= fewest) continue;
      only = class_id;
      fewest = of_class[class_id];
    }
    std::vector<Column> columns;
    std::ranges::copy_if(node.columns, std::back_inserter(columns), [&](const Column& column) {
      return only >= 0 ? column.class_id == only : (column.members >> rarest & 1) != 0;
    });
    return columns;
  }

  /// Relies on consecutive numbers of the root's child classes.
  std::size_t child_of(int class_id) const { return class_id - root_.children.front().first; }

  bool spend(std::size_t steps) {
    steps_ += steps;
    if (steps_ + nested_.steps() > limits_.most_steps || limits_.deadline.passed()) result_.complete = false;
    return result_.complete;
  }

  NestedCost& nested_;
  const HopInstance& instance_;
  const IsomorphismClass& root_;
  ProofLimits limits_;
  PartitionResult result_;  ///< the cheapest so far
  Cost most_cost_;          ///< the highest cost of a better partition
  std::vector<VertexGroup> chosen_;
  std::map<std::uint64_t, SubsetTable> bounds_;  ///< [ChildrenLeft::code()] least cost of remaining vertices
  std::size_t n_bounds_ = 0;
  std::vector<SubsetTable> listed_;  ///< [class] cost of each column
  std::uint64_t steps_ = 0;
};

}  // namespace

PartitionResult solve_set_partitioning(NestedCost& nested, const HopInstance& instance,
                                       std::vector<Column> columns, const Duals& duals, Cost most_cost,
                                       const ProofLimits& limits) {
  return PartitioningSearch(nested, instance, most_cost, limits).run(std::move(columns), duals);
}

}  // namespace corewise::exact
