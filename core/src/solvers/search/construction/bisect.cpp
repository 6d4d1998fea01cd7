/// Bisection: the multilevel cycle, greedy graph growing, and Fiduccia-Mattheyses refinement to exact sizes.
#include "solvers/search/construction/bisect.hpp"

#include <algorithm>
#include <cstdlib>
#include <queue>
#include <utility>

#include "solvers/search/construction/coarsen.hpp"
#include "solvers/search/search_parameters.hpp"

namespace corewise::search {
namespace {

struct Parts {
  std::vector<std::uint8_t> part;  ///< [vertex] 0 or 1
  std::int64_t first_size = 0;     ///< of part 0, in original vertices
  Cost cut = 0;
};

/// Vertices by gain, greatest first. A vertex whose gain changes is queued again; its old entry is stale.
struct QueuedVertex {
  Cost gain;
  std::int32_t vertex;
  friend auto operator<=>(const QueuedVertex&, const QueuedVertex&) = default;
};
using GainQueue = std::priority_queue<QueuedVertex>;

/// Divides a graph into two parts so that part 0 has the size `target`.
class Refiner {
 public:
  Refiner(const SizedGraph& sized, std::int64_t target, WorkMeter& work)
      : sized_(sized), target_(target), work_(work), degree_(sized.graph.n(), 0), gain_(sized.graph.n()) {
    moved_.assign(sized.graph.n(), 0);
    const std::int32_t largest = std::ranges::max(sized.size);
    // Vertices of size 1 can always be balanced exactly; larger ones are balanced on finer levels.
    tolerance_ = largest == 1 ? 0 : largest;
    for (std::int32_t v = 0; v < sized.graph.n(); ++v) {
      for (const Edge& edge : sized.graph.row(v)) degree_[v] += edge.weight;
    }
  }

  /// Grows part 0 from a random vertex until it has its size.
  Parts grow(Random& random) {
    const std::int32_t n = sized_.graph.n();
    Parts parts{std::vector<std::uint8_t>(n, 1), 0, 0};
    std::vector<Cost> connection(n, 0);  // [vertex] weight to part 0
    GainQueue frontier;
    const auto offset = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n)));
    for (std::int32_t skipped = 0; parts.first_size < target_;) {
      if (frontier.empty()) {  // at the start, or when a connected component is used up
        while (parts.part[(offset + skipped) % n] == 0) ++skipped;
        frontier.push({0, (offset + skipped) % n});
      }
      const auto [queued, v] = frontier.top();
      frontier.pop();
      if (parts.part[v] == 0 || queued < connection[v]) continue;
      parts.part[v] = 0;
      parts.first_size += sized_.size[v];
      parts.cut += degree_[v] - 2 * connection[v];
      for (const Edge& edge : sized_.graph.row(v)) {
        if (parts.part[edge.to] == 0) continue;
        connection[edge.to] += edge.weight;
        frontier.push({connection[edge.to], edge.to});
      }
    }
    return parts;
  }

  void refine(Parts& parts) {
    for (std::int32_t v = 0; v < sized_.graph.n(); ++v) {
      Cost inside = 0;
      for (const Edge& edge : sized_.graph.row(v))
        inside += parts.part[v] == parts.part[edge.to] ? edge.weight : 0;
      gain_[v] = degree_[v] - 2 * inside;
    }
    work_.add(sized_.graph.edges.size() + gain_.size());
    for (int pass = 0; pass < kCommon.max_refinement_passes && !work_.out_of_time(); ++pass) {
      const auto before = cost_of(parts);
      run_pass(parts);
      if (cost_of(parts) >= before) break;
    }
  }

  /// How far the size is off its target beyond the tolerance, then the cut. Less is better.
  [[nodiscard]] std::pair<std::int64_t, Cost> cost_of(const Parts& parts) const {
    const std::int64_t off = std::abs(parts.first_size - target_);
    return {std::max<std::int64_t>(0, off - tolerance_), parts.cut};
  }

 private:
  /// Moves the best vertex repeatedly, each vertex at most once, then restores the best state that was
  /// reached. Ends early after many moves without a better state.
  void run_pass(Parts& parts) {
    start_pass(parts);
    moves_.clear();
    auto best = cost_of(parts);
    std::size_t best_length = 0;
    const std::size_t max_fruitless_moves =
        kCommon.fruitless_moves + static_cast<std::size_t>(sized_.graph.n()) / kCommon.fruitless_moves;
    while ((moves_.size() - best_length < max_fruitless_moves || best.first > 0) && !work_.out_of_time()) {
      const std::int32_t v = next_vertex(parts);
      if (v < 0) break;
      move(parts, v);
      for (const Edge& edge : sized_.graph.row(v)) enqueue(parts, edge.to);
      moves_.push_back(v);
      if (const auto now = cost_of(parts); now < best) best = now, best_length = moves_.size();
    }
    for (std::size_t i = moves_.size(); i > best_length; --i) move(parts, moves_[i - 1]);
  }

  /// Queues the vertices with an edge to the other part; only these can reduce the cut.
  void start_pass(const Parts& parts) {
    for (GainQueue& queue : queues_) queue = {};
    all_queued_ = false;
    std::ranges::fill(moved_, 0);
    for (std::int32_t v = 0; v < sized_.graph.n(); ++v) {
      if (gain_[v] + degree_[v] > 0) enqueue(parts, v);
    }
    work_.add(gain_.size() / 4);
  }

  void enqueue(const Parts& parts, std::int32_t v) {
    if (!moved_[v]) queues_[parts.part[v]].push({gain_[v], v});
  }

  /// The vertex of greatest gain in the part that is too large, or in both if sizes are right; -1 if none.
  std::int32_t next_vertex(const Parts& parts) {
    for (int side = 0; side < 2; ++side) drop_stale(queues_[side], parts, side);
    const std::int64_t off = parts.first_size - target_;
    int side = 0;
    if (std::abs(off) > tolerance_) {
      side = off > 0 ? 0 : 1;
      if (queues_[side].empty() && !all_queued_) queue_all(parts);
    } else if (queues_[0].empty() || queues_[1].empty()) {
      side = queues_[0].empty() ? 1 : 0;
    } else {
      side = queues_[0].top().gain >= queues_[1].top().gain ? 0 : 1;
    }
    if (queues_[side].empty()) return -1;
    const std::int32_t v = queues_[side].top().vertex;
    queues_[side].pop();
    return v;
  }

  /// Queues all vertices, to balance sizes when no vertex with an edge to the other part is left.
  void queue_all(const Parts& parts) {
    for (GainQueue& queue : queues_) queue = {};
    for (std::int32_t v = 0; v < sized_.graph.n(); ++v) enqueue(parts, v);
    all_queued_ = true;
  }

  void drop_stale(GainQueue& queue, const Parts& parts, int side) const {
    while (!queue.empty()) {
      const auto [gain, v] = queue.top();
      if (!moved_[v] && parts.part[v] == side && gain == gain_[v]) return;
      queue.pop();
    }
  }

  void move(Parts& parts, std::int32_t v) {
    parts.cut -= gain_[v];
    parts.first_size += parts.part[v] == 0 ? -sized_.size[v] : sized_.size[v];
    parts.part[v] ^= 1;
    gain_[v] = -gain_[v];
    moved_[v] = 1;
    for (const Edge& edge : sized_.graph.row(v)) {
      const bool together_now = parts.part[v] == parts.part[edge.to];
      gain_[edge.to] += together_now ? -2 * Cost{edge.weight} : 2 * Cost{edge.weight};
    }
    work_.add(2 * sized_.graph.row(v).size());
  }

  const SizedGraph& sized_;
  std::int64_t target_;
  WorkMeter& work_;
  std::int64_t tolerance_ = 0;
  std::vector<Cost> degree_;         ///< [vertex] weight of all its edges
  std::vector<Cost> gain_;           ///< [vertex] reduction of the cut if the vertex moved to the other part
  std::vector<std::uint8_t> moved_;  ///< [vertex] in this pass
  std::vector<std::int32_t> moves_;  ///< vertices moved in this pass, in order
  bool all_queued_ = false;
  GainQueue queues_[2];  ///< [part]
};

Parts bisect_coarsest(const SizedGraph& sized, std::int64_t target, Random& random, WorkMeter& work) {
  Refiner refiner(sized, target, work);
  Parts best;
  for (int attempt = 0; attempt < kCommon.growing_attempts; ++attempt) {
    Parts parts = refiner.grow(random);
    refiner.refine(parts);
    if (attempt == 0 || refiner.cost_of(parts) < refiner.cost_of(best)) best = std::move(parts);
  }
  return best;
}

Parts bisect_sized(const SizedGraph& sized, std::int64_t target, Random& random, WorkMeter& work) {
  const std::int32_t n = sized.graph.n();
  if (n <= kCommon.max_coarsest_vertices) return bisect_coarsest(sized, target, random, work);
  std::int64_t total = 0;
  for (const std::int32_t size : sized.size) total += size;
  const auto max_size =
      static_cast<std::int32_t>(std::max<std::int64_t>(2, total * 2 / kCommon.max_coarsest_vertices));
  const std::vector<std::int32_t> group_of = match_heavy_edges(sized, max_size, random);
  const SizedGraph coarse = contract(sized, group_of, work);
  if (coarse.graph.n() > n - n / kCommon.min_reduction) return bisect_coarsest(sized, target, random, work);
  const Parts coarse_parts = bisect_sized(coarse, target, random, work);
  Parts parts{std::vector<std::uint8_t>(n), coarse_parts.first_size, coarse_parts.cut};
  for (std::int32_t v = 0; v < n; ++v) parts.part[v] = coarse_parts.part[group_of[v]];
  Refiner refiner(sized, target, work);
  refiner.refine(parts);
  return parts;
}

}  // namespace

Bisection bisect(Graph graph, std::int32_t n_first, Random& random, WorkMeter& work) {
  const std::int32_t n = graph.n();
  if (n_first <= 0 || n_first >= n) return {std::vector<std::uint8_t>(n, n_first <= 0 ? 1 : 0), 0};
  const SizedGraph sized{std::move(graph), std::vector<std::int32_t>(n, 1)};
  Parts parts = bisect_sized(sized, n_first, random, work);
  if (parts.first_size != n_first) {  // refinement was cut short: any parts of the right sizes
    std::fill_n(parts.part.begin(), n_first, 0);
    std::fill(parts.part.begin() + n_first, parts.part.end(), 1);
  }
  return {std::move(parts.part), parts.cut};
}

}  // namespace corewise::search
