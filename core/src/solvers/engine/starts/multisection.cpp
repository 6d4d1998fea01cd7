/// Multisection: recursive exact bisection along the groups of the tree.
#include "solvers/engine/starts/multisection.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "solvers/engine/starts/bisect.hpp"

namespace corewise::engine {
namespace {

/// A part of the graph with the names of its vertices in the whole.
struct Part {
  Graph graph;
  std::vector<std::int32_t> vertices;
};

class Multisection {
 public:
  Multisection(const SlotTree& tree, Random& random, WorkMeter& work)
      : tree_(tree), random_(random), work_(work), slot_of_(tree.n_slots()), local_(tree.n_slots()) {}

  /// Places `part` on the groups first to last - 1 of `level`, which together have as many slots as it has
  /// vertices.
  void place(Part part, int level, std::int32_t first, std::int32_t last) {
    while (last - first == 1 && level > tree_.lowest_level()) {
      const std::int32_t first_slot = tree_.first_slot(level, first),
                         end = tree_.first_slot(level, first + 1);
      --level;
      first = tree_.group(level, first_slot);
      last = tree_.group(level, end - 1) + 1;
    }
    const std::int32_t first_slot = tree_.first_slot(level, first);
    // In the lowest group the slot makes no difference; past the deadline any will do.
    if (last - first == 1 || work_.out_of_time()) {
      for (std::size_t i = 0; i < part.vertices.size(); ++i) {
        slot_of_[part.vertices[i]] = first_slot + static_cast<std::int32_t>(i);
      }
      return;
    }
    const std::int32_t middle = first + (last - first) / 2;
    const std::vector<std::uint8_t> side =
        bisect(part.graph, tree_.first_slot(level, middle) - first_slot, random_, work_);
    Part left = extract(part, side, 0);
    Part right = extract(part, side, 1);
    part = {};  // gives its memory back before the recursion
    place(std::move(left), level, first, middle);
    place(std::move(right), level, middle, last);
  }

  std::vector<std::int32_t> take() { return std::move(slot_of_); }

 private:
  Part extract(const Part& part, const std::vector<std::uint8_t>& side, std::uint8_t wanted) {
    Part result;
    std::int32_t n = 0;
    for (std::size_t v = 0; v < side.size(); ++v) local_[v] = side[v] == wanted ? n++ : -1;
    result.vertices.reserve(n);
    result.graph.start.reserve(n + 1);
    for (std::size_t v = 0; v < side.size(); ++v) {
      if (local_[v] < 0) continue;
      result.vertices.push_back(part.vertices[v]);
      for (const Edge& edge : part.graph.row(static_cast<std::int32_t>(v))) {
        if (local_[edge.to] >= 0) result.graph.edges.push_back({local_[edge.to], edge.weight});
      }
      result.graph.start.push_back(static_cast<std::uint32_t>(result.graph.edges.size()));
    }
    work_.add(part.graph.edges.size());
    return result;
  }

  const SlotTree& tree_;
  Random& random_;
  WorkMeter& work_;
  std::vector<std::int32_t> slot_of_;
  std::vector<std::int32_t> local_;  // scratch: vertex of a part -> vertex of one of its sides
};

}  // namespace

std::vector<std::int32_t> multisection_inside(const Graph& graph, const SlotTree& tree,
                                              std::vector<std::int32_t> slot_of, int level, Random& random,
                                              WorkMeter& work) {
  std::vector<std::int32_t> vertex_at(slot_of.size()), local(slot_of.size(), -1);
  for (std::size_t v = 0; v < slot_of.size(); ++v) vertex_at[slot_of[v]] = static_cast<std::int32_t>(v);
  Multisection search(tree, random, work);
  for (std::int32_t group = 0; group < tree.n_groups(level); ++group) {
    const auto first = vertex_at.begin() + tree.first_slot(level, group);
    Part part{{}, {first, first + tree.group_size(level, group)}};
    std::ranges::sort(part.vertices);
    for (std::size_t i = 0; i < part.vertices.size(); ++i)
      local[part.vertices[i]] = static_cast<std::int32_t>(i);
    for (const std::int32_t v : part.vertices) {
      for (const Edge& edge : graph.row(v)) {
        const bool inside = tree.group(level, slot_of[edge.to]) == group;
        if (inside) part.graph.edges.push_back({local[edge.to], edge.weight});
      }
      part.graph.start.push_back(static_cast<std::uint32_t>(part.graph.edges.size()));
    }
    search.place(std::move(part), level, group, group + 1);
  }
  return search.take();
}

std::vector<std::int32_t> multisection(const Graph& graph, const SlotTree& tree, Random& random,
                                       WorkMeter& work) {
  std::vector<std::int32_t> vertices(graph.n());
  std::iota(vertices.begin(), vertices.end(), 0);
  Multisection search(tree, random, work);
  search.place({graph, std::move(vertices)}, tree.n_levels(), 0, 1);
  return search.take();
}

}  // namespace corewise::engine
