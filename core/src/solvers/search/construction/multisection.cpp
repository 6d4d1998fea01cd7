/// Multisection: recursive exact bisection along the groups of the tree.
#include "solvers/search/construction/multisection.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "solvers/search/construction/bisect.hpp"
#include "solvers/search/search_parameters.hpp"
#include "solvers/search/task_runner.hpp"

namespace corewise::search {
namespace {

/// Part of a graph. Its vertex i is vertices[i] of the whole graph.
struct Part {
  Graph graph;
  std::vector<std::int32_t> vertices;
};

/// Groups first to last - 1 of a level.
struct GroupRange {
  int level;
  std::int32_t first;
  std::int32_t last;
};

class Multisection {
 public:
  /// @param slot_of  [vertex of the whole graph] -> slot; map() writes it for the vertices of its part.
  Multisection(const SlotTree& tree, MultisectionOptions options, SlotOfVertex& slot_of, Random& random,
               WorkMeter& work)
      : tree_(tree), options_(options), slot_of_(slot_of), random_(random), work_(work) {}

  /// Maps a part onto groups that together have as many slots as it has vertices.
  void map(Part part, GroupRange groups) {
    groups = descended(groups);
    const std::int32_t first_slot = tree_.first_slot(groups.level, groups.first);
    // Slots of a lowest group are equivalent; after the deadline any slot is taken.
    if (groups.last - groups.first == 1 || work_.out_of_time()) {
      for (std::size_t i = 0; i < part.vertices.size(); ++i) {
        slot_of_[part.vertices[i]] = first_slot + static_cast<std::int32_t>(i);
      }
      return;
    }
    const std::int32_t middle = groups.first + (groups.last - groups.first) / 2;
    const std::vector<std::uint8_t> half_of =
        best_bisection(part.graph, tree_.first_slot(groups.level, middle) - first_slot);
    std::array<Part, 2> halves{half(part, half_of, 0), half(part, half_of, 1)};
    const bool parallel = part.vertices.size() > kCommon.max_sequential_vertices;
    part = {};  // frees its memory before the recursion
    const std::array<GroupRange, 2> ranges{GroupRange{groups.level, groups.first, middle},
                                           GroupRange{groups.level, middle, groups.last}};
    if (parallel) {
      map_in_parallel(std::move(halves), ranges);
    } else {
      for (const int i : {0, 1}) map(std::move(halves[i]), ranges[i]);
    }
  }

 private:
  /// Replaces a single group by its children, repeatedly, down to lowest_level().
  [[nodiscard]] GroupRange descended(GroupRange groups) const {
    while (groups.last - groups.first == 1 && groups.level > tree_.lowest_level()) {
      const std::int32_t first_slot = tree_.first_slot(groups.level, groups.first);
      const std::int32_t last_slot = tree_.first_slot(groups.level, groups.first + 1) - 1;
      --groups.level;
      groups.first = tree_.group(groups.level, first_slot);
      groups.last = tree_.group(groups.level, last_slot) + 1;
    }
    return groups;
  }

  void map_in_parallel(std::array<Part, 2> halves, const std::array<GroupRange, 2>& ranges) {
    std::array<Random, 2> randoms{Random(random_.next()), Random(random_.next())};
    std::array<WorkMeter, 2> meters{work_.for_task(), work_.for_task()};
    index_.clear();
    index_.shrink_to_fit();
    const MultisectionOptions options{options_.bisection_attempts, (options_.n_threads + 1) / 2};
    run_parallel(2, options_.n_threads, [&](std::size_t i) {
      Multisection(tree_, options, slot_of_, randoms[i], meters[i]).map(std::move(halves[i]), ranges[i]);
    });
    for (const WorkMeter& meter : meters) work_.join(meter);
  }

  std::vector<std::uint8_t> best_bisection(const Graph& graph, std::int32_t n_first) {
    Bisection best = bisect(graph, n_first, random_, work_);
    const int attempts = graph.n() <= kCommon.max_vertices_of_attempts ? options_.bisection_attempts : 1;
    for (int i = 1; i < attempts && !work_.out_of_time(); ++i) {
      Bisection other = bisect(graph, n_first, random_, work_);
      if (other.cut < best.cut) best = std::move(other);
    }
    return std::move(best.part);
  }

  Part half(const Part& part, const std::vector<std::uint8_t>& half_of, std::uint8_t wanted) {
    std::vector<std::int32_t> local;
    index_.resize(std::max(index_.size(), half_of.size()));
    for (std::size_t v = 0; v < half_of.size(); ++v) {
      index_[v] = half_of[v] == wanted ? static_cast<std::int32_t>(local.size()) : -1;
      if (half_of[v] == wanted) local.push_back(static_cast<std::int32_t>(v));
    }
    Part result{induced_subgraph(part.graph, local, [&](std::int32_t v) { return index_[v]; }), {}};
    result.vertices.reserve(local.size());
    for (const std::int32_t v : local) result.vertices.push_back(part.vertices[v]);
    work_.add(part.graph.edges.size());
    return result;
  }

  const SlotTree& tree_;
  MultisectionOptions options_;
  SlotOfVertex& slot_of_;
  Random& random_;
  WorkMeter& work_;
  std::vector<std::int32_t> index_;  ///< scratch: [vertex of a part] -> vertex of its half, or -1
};

}  // namespace

SlotOfVertex multisection(const Graph& graph, const SlotTree& tree, Random& random, WorkMeter& work,
                          MultisectionOptions options) {
  SlotOfVertex slot_of(graph.n());
  Multisection search(tree, options, slot_of, random, work);
  search.map({graph, identity_mapping(graph.n())}, {tree.n_levels(), 0, 1});
  return slot_of;
}

SlotOfVertex multisection_inside(const Graph& graph, const SlotTree& tree, const SlotOfVertex& slot_of,
                                 int level, Random& random, WorkMeter& work) {
  const std::vector<std::int32_t> vertex_at = vertex_of_slot(slot_of);
  std::vector<std::int32_t> index(slot_of.size(), -1);
  SlotOfVertex found(slot_of.size());
  Multisection search(tree, {}, found, random, work);
  for (std::int32_t group = 0; group < tree.n_groups(level); ++group) {
    const auto first = vertex_at.begin() + tree.first_slot(level, group);
    std::vector<std::int32_t> vertices(first, first + tree.group_size(level, group));
    std::ranges::sort(vertices);
    for (std::size_t i = 0; i < vertices.size(); ++i) index[vertices[i]] = static_cast<std::int32_t>(i);
    Graph inside = induced_subgraph(graph, vertices, [&](std::int32_t v) {
      return tree.group(level, slot_of[v]) == group ? index[v] : -1;
    });
    search.map({std::move(inside), std::move(vertices)}, {level, group, group + 1});
  }
  return found;
}

}  // namespace corewise::search
