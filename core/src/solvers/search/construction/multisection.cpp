/// Multisection: recursive exact bisection along the groups of the tree.
#include "solvers/search/construction/multisection.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "solvers/search/construction/bisect.hpp"
#include "solvers/search/parallel.hpp"

namespace corewise::search {
namespace {

/// Halves of parts with more vertices than this are placed with random numbers of their own, so that two
/// threads can do it; smaller ones are not worth a thread.
constexpr std::size_t least_apart = 16384;

constexpr std::int32_t most_vertices_of_tries = 2048;

/// A part of the graph with the names of its vertices in the whole.
struct Part {
  Graph graph;
  std::vector<std::int32_t> vertices;
};

class Multisection {
 public:
  /// @param slot_of  [vertex of the whole graph] -> slot; written for the vertices of the parts placed here.
  Multisection(const SlotTree& tree, MultisectionEffort effort, std::vector<std::int32_t>& slot_of,
               Random& random, WorkMeter& work)
      : tree_(tree), effort_(effort), slot_of_(slot_of), random_(random), work_(work) {}

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
        best_bisection(part.graph, tree_.first_slot(level, middle) - first_slot);
    Part left = extract(part, side, 0);
    Part right = extract(part, side, 1);
    const bool apart = part.vertices.size() > least_apart;
    part = {};  // gives its memory back before the recursion
    if (apart) {
      place_apart({std::move(left), std::move(right)}, level, {first, middle, last});
    } else {
      place(std::move(left), level, first, middle);
      place(std::move(right), level, middle, last);
    }
  }

 private:
  /// Both halves, on two threads where there are as many: half i on the groups ends[i] to ends[i + 1] - 1.
  void place_apart(std::array<Part, 2> halves, int level, const std::array<std::int32_t, 3>& ends) {
    std::array<Random, 2> randoms{Random(random_.next()), Random(random_.next())};
    std::array<WorkMeter, 2> meters{work_.branch(), work_.branch()};
    local_ = {};
    run_parallel(2, effort_.n_threads, [&](std::size_t i) {
      Multisection half(tree_, {effort_.tries, (effort_.n_threads + 1) / 2}, slot_of_, randoms[i], meters[i]);
      half.place(std::move(halves[i]), level, ends[i], ends[i + 1]);
    });
    for (const WorkMeter& meter : meters) work_.join(meter);
  }

  std::vector<std::uint8_t> best_bisection(const Graph& graph, std::int32_t n_first) {
    Bisection best = bisect(graph, n_first, random_, work_);
    const int tries = graph.n() <= most_vertices_of_tries ? effort_.tries : 1;
    for (int i = 1; i < tries && !work_.out_of_time(); ++i) {
      Bisection other = bisect(graph, n_first, random_, work_);
      if (other.cut < best.cut) best = std::move(other);
    }
    return std::move(best.side);
  }

  Part extract(const Part& part, const std::vector<std::uint8_t>& side, std::uint8_t wanted) {
    Part result;
    std::int32_t n = 0;
    local_.resize(std::max(local_.size(), side.size()));
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
  MultisectionEffort effort_;
  std::vector<std::int32_t>& slot_of_;
  Random& random_;
  WorkMeter& work_;
  std::vector<std::int32_t> local_;  // scratch: vertex of a part -> vertex of one of its sides
};

}  // namespace

std::vector<std::int32_t> multisection_inside(const Graph& graph, const SlotTree& tree,
                                              std::vector<std::int32_t> slot_of, int level, Random& random,
                                              WorkMeter& work) {
  std::vector<std::int32_t> vertex_at(slot_of.size()), local(slot_of.size(), -1), found(slot_of.size());
  for (std::size_t v = 0; v < slot_of.size(); ++v) vertex_at[slot_of[v]] = static_cast<std::int32_t>(v);
  Multisection search(tree, {}, found, random, work);
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
  return found;
}

std::vector<std::int32_t> multisection(const Graph& graph, const SlotTree& tree, Random& random,
                                       WorkMeter& work, MultisectionEffort effort) {
  std::vector<std::int32_t> vertices(graph.n()), slot_of(graph.n());
  std::iota(vertices.begin(), vertices.end(), 0);
  Multisection search(tree, effort, slot_of, random, work);
  search.place({graph, std::move(vertices)}, tree.n_levels(), 0, 1);
  return slot_of;
}

}  // namespace corewise::search
