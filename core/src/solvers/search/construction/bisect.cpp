/// Bisection: the multilevel cycle, greedy growing and Fiduccia-Mattheyses refinement with exact sizes.
#include "solvers/search/construction/bisect.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "solvers/search/construction/coarsen.hpp"

namespace corewise::search {
namespace {

constexpr std::int32_t coarsest_vertices = 48;
constexpr int growing_tries = 4;
constexpr int refinement_passes = 6;

/// A graph with its two parts. `first_size` is the size of part 0, `target` what it shall be.
struct Parts {
  std::vector<std::uint8_t> part;
  std::int64_t first_size = 0;
  Cost cut = 0;
};

/// Vertices by gain, greatest first; entries whose gain changed since are dropped when they come up.
class GainQueue {
 public:
  struct Entry {
    Cost gain;
    std::int32_t vertex;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  void clear() { entries_.clear(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] const Entry& top() const { return entries_.front(); }
  void push(Entry entry) {
    entries_.push_back(entry);
    std::ranges::push_heap(entries_);
  }
  void pop() {
    std::ranges::pop_heap(entries_);
    entries_.pop_back();
  }

 private:
  std::vector<Entry> entries_;
};

class Refiner {
 public:
  Refiner(const SizedGraph& sized, std::int64_t target, WorkMeter& work)
      : sized_(sized), target_(target), work_(work), degree_(sized.graph.n(), 0), gain_(sized.graph.n()) {
    moved_.assign(sized.graph.n(), 0);
    for (const std::int32_t size : sized.size) largest_ = std::max(largest_, size);
    // Unit vertices can always be balanced exactly; bigger ones get there on finer levels.
    tolerance_ = largest_ == 1 ? 0 : largest_;
    for (std::int32_t v = 0; v < sized.graph.n(); ++v) {
      for (const Edge& edge : sized.graph.row(v)) degree_[v] += edge.weight;
    }
  }

  /// Grows part 0 from a random vertex until it has its size.
  Parts grow(Random& random) {
    const std::int32_t n = sized_.graph.n();
    Parts parts{std::vector<std::uint8_t>(n, 1), 0, 0};
    std::vector<Cost> pull(n, 0);
    GainQueue frontier;
    const auto offset = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n)));
    for (std::int32_t seen = 0; parts.first_size < target_;) {
      if (frontier.empty()) {  // the first vertex, or another component
        while (parts.part[(offset + seen) % n] == 0) ++seen;
        frontier.push({0, (offset + seen) % n});
      }
      const auto [pull_then, v] = frontier.top();
      frontier.pop();
      if (parts.part[v] == 0 || pull_then < pull[v]) continue;
      parts.part[v] = 0;
      parts.first_size += sized_.size[v];
      parts.cut += degree_[v] - 2 * pull[v];
      for (const Edge& edge : sized_.graph.row(v)) {
        if (parts.part[edge.to] == 0) continue;
        pull[edge.to] += edge.weight;
        frontier.push({pull[edge.to], edge.to});
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
    for (int pass = 0; pass < refinement_passes; ++pass) {
      const auto before = badness(parts);
      improve_once(parts);
      if (badness(parts) >= before) break;
    }
  }

  /// Size off its target beyond the tolerance, then cut.
  [[nodiscard]] std::pair<std::int64_t, Cost> badness(const Parts& parts) const {
    const std::int64_t off = std::abs(parts.first_size - target_);
    return {std::max<std::int64_t>(0, off - tolerance_), parts.cut};
  }

 private:
  /// One pass: moves the best vertex time and again, each at most once, then goes back to the best state
  /// passed.
  void improve_once(Parts& parts) {
    start_pass(parts);
    moves_.clear();
    auto best = badness(parts);
    std::size_t best_length = 0;
    const std::size_t patience = 30 + static_cast<std::size_t>(sized_.graph.n()) / 30;
    while (moves_.size() - best_length < patience || best.first > 0) {
      const std::int32_t v = next_vertex(parts);
      if (v < 0) break;
      move(parts, v);
      for (const Edge& edge : sized_.graph.row(v)) enqueue(parts, edge.to);
      moves_.push_back(v);
      if (const auto now = badness(parts); now < best) best = now, best_length = moves_.size();
    }
    for (std::size_t i = moves_.size(); i > best_length; --i) move(parts, moves_[i - 1]);
  }

  /// Queues the vertices on the border; the others have nothing to gain.
  void start_pass(const Parts& parts) {
    for (GainQueue& queue : queues_) queue.clear();
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

  /// The vertex to move: from the part that is too big, else the one with the greater gain; -1 when there is
  /// none.
  std::int32_t next_vertex(const Parts& parts) {
    for (int side = 0; side < 2; ++side) drop_stale(queues_[side], parts, side);
    const std::int64_t off = parts.first_size - target_;
    int side;
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

  /// For sizes to be made good where no vertex on the border is left.
  void queue_all(const Parts& parts) {
    for (GainQueue& queue : queues_) queue.clear();
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
  std::int32_t largest_ = 1;
  std::vector<Cost> degree_;  // weights of all edges of a vertex
  std::vector<Cost> gain_;    // what the cut would lose if the vertex changed sides
  std::vector<std::uint8_t> moved_;
  std::vector<std::int32_t> moves_;
  bool all_queued_ = false;
  GainQueue queues_[2];
};

Parts bisect_coarsest(const SizedGraph& sized, std::int64_t target, Random& random, WorkMeter& work) {
  Refiner refiner(sized, target, work);
  Parts best;
  for (int attempt = 0; attempt < growing_tries; ++attempt) {
    Parts parts = refiner.grow(random);
    refiner.refine(parts);
    if (attempt == 0 || refiner.badness(parts) < refiner.badness(best)) best = std::move(parts);
  }
  return best;
}

Parts bisect_sized(const SizedGraph& sized, std::int64_t target, Random& random, WorkMeter& work) {
  const std::int32_t n = sized.graph.n();
  if (n <= coarsest_vertices) return bisect_coarsest(sized, target, random, work);
  std::int64_t total = 0;
  for (const std::int32_t size : sized.size) total += size;
  const auto largest = static_cast<std::int32_t>(std::max<std::int64_t>(2, total * 2 / coarsest_vertices));
  const std::vector<std::int32_t> group_of = match_heavy_edges(sized, largest, random);
  const SizedGraph coarse = contract(sized, group_of, work);
  if (coarse.graph.n() > n - n / 20) return bisect_coarsest(sized, target, random, work);
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
  return {std::move(parts.part), parts.cut};
}

}  // namespace corewise::search
