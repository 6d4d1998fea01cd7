/// Bisection: the multilevel cycle, greedy growing and Fiduccia-Mattheyses refinement with exact sizes.
#include "solvers/engine/starts/bisect.hpp"

#include <algorithm>
#include <cstdlib>
#include <queue>
#include <utility>

#include "solvers/engine/starts/coarsen.hpp"

namespace corewise::engine {
namespace {

constexpr std::int32_t coarsest_vertices = 48;
constexpr int growing_tries = 6;
constexpr int refinement_passes = 6;

/// A graph with its two parts. `first_size` is the size of part 0, `target` what it shall be.
struct Parts {
  std::vector<std::uint8_t> part;
  std::int64_t first_size = 0;
  Cost cut = 0;
};

class Refiner {
 public:
  Refiner(const SizedGraph& sized, std::int64_t target, WorkMeter& work)
      : sized_(sized), target_(target), work_(work), gain_(sized.graph.n()), moved_(sized.graph.n()) {
    for (const std::int32_t size : sized.size) largest_ = std::max(largest_, size);
    // Unit vertices can always be balanced exactly; bigger ones get there on finer levels.
    tolerance_ = largest_ == 1 ? 0 : largest_;
  }

  /// Grows part 0 from a random vertex until it has its size.
  Parts grow(Random& random) {
    const std::int32_t n = sized_.graph.n();
    Parts parts{std::vector<std::uint8_t>(n, 1), 0, 0};
    std::vector<Cost> pull(n, 0);
    std::priority_queue<std::pair<Cost, std::int32_t>> frontier;
    const auto offset = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n)));
    for (std::int32_t seen = 0; parts.first_size < target_;) {
      if (frontier.empty()) {  // the first vertex, or another component
        while (parts.part[(offset + seen) % n] == 0) ++seen;
        frontier.emplace(0, (offset + seen) % n);
      }
      const auto [pull_then, v] = frontier.top();
      frontier.pop();
      if (parts.part[v] == 0 || pull_then < pull[v]) continue;
      parts.part[v] = 0;
      parts.first_size += sized_.size[v];
      for (const Edge& edge : sized_.graph.row(v)) {
        if (parts.part[edge.to] == 0) continue;
        pull[edge.to] += edge.weight;
        frontier.emplace(pull[edge.to], edge.to);
      }
    }
    parts.cut = cut_of(parts);
    return parts;
  }

  void refine(Parts& parts) {
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

  [[nodiscard]] Cost cut_of(const Parts& parts) const {
    Cost twice = 0;
    for (std::int32_t v = 0; v < sized_.graph.n(); ++v) {
      for (const Edge& edge : sized_.graph.row(v)) {
        if (parts.part[v] != parts.part[edge.to]) twice += edge.weight;
      }
    }
    return twice / 2;
  }

 private:
  using Queue = std::priority_queue<std::pair<Cost, std::int32_t>>;

  /// One pass: moves the best vertex time and again, each at most once, then goes back to the best state
  /// passed.
  void improve_once(Parts& parts) {
    fill_queues(parts);
    std::vector<std::int32_t> moves;
    auto best = badness(parts);
    std::size_t best_length = 0;
    const std::size_t patience = 60 + static_cast<std::size_t>(sized_.graph.n()) / 50;
    while (moves.size() - best_length < patience || best.first > 0) {
      const std::int32_t v = next_vertex(parts);
      if (v < 0) break;
      move(parts, v);
      moves.push_back(v);
      if (const auto now = badness(parts); now < best) best = now, best_length = moves.size();
    }
    for (std::size_t i = moves.size(); i > best_length; --i) move(parts, moves[i - 1]);
  }

  void fill_queues(const Parts& parts) {
    for (Queue& queue : queues_) queue = Queue();
    std::ranges::fill(moved_, 0);
    std::vector<std::pair<Cost, std::int32_t>> fill[2];
    for (std::int32_t v = 0; v < sized_.graph.n(); ++v) {
      Cost inside = 0, outside = 0;
      for (const Edge& edge : sized_.graph.row(v)) {
        (parts.part[v] == parts.part[edge.to] ? inside : outside) += edge.weight;
      }
      gain_[v] = outside - inside;
      fill[parts.part[v]].emplace_back(gain_[v], v);
    }
    for (int side = 0; side < 2; ++side) queues_[side] = Queue({}, std::move(fill[side]));
    work_.add(sized_.graph.edges.size() + gain_.size());
  }

  /// The vertex to move: from the part that is too big, else the one with the greater gain; -1 when there is
  /// none.
  std::int32_t next_vertex(const Parts& parts) {
    for (int side = 0; side < 2; ++side) drop_stale(queues_[side], parts, side);
    const std::int64_t off = parts.first_size - target_;
    const std::int64_t slack = std::max<std::int64_t>(largest_ == 1 ? 0 : largest_, 0);
    int side;
    if (off > slack) {
      side = 0;
    } else if (off < -slack) {
      side = 1;
    } else if (queues_[0].empty() || queues_[1].empty()) {
      side = queues_[0].empty() ? 1 : 0;
    } else {
      side = queues_[0].top().first >= queues_[1].top().first ? 0 : 1;
    }
    if (queues_[side].empty()) return -1;
    const std::int32_t v = queues_[side].top().second;
    queues_[side].pop();
    return v;
  }

  void drop_stale(Queue& queue, const Parts& parts, int side) const {
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
      if (!moved_[edge.to]) queues_[parts.part[edge.to]].emplace(gain_[edge.to], edge.to);
    }
    work_.add(2 * sized_.graph.row(v).size());
  }

  const SizedGraph& sized_;
  std::int64_t target_;
  WorkMeter& work_;
  std::int64_t tolerance_ = 0;
  std::int32_t largest_ = 1;
  std::vector<Cost> gain_;
  std::vector<std::uint8_t> moved_;
  Queue queues_[2];
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

std::vector<std::uint8_t> bisect(Graph graph, std::int32_t n_first, Random& random, WorkMeter& work) {
  const std::int32_t n = graph.n();
  if (n_first <= 0 || n_first >= n) return std::vector<std::uint8_t>(n, n_first <= 0 ? 1 : 0);
  const SizedGraph sized{std::move(graph), std::vector<std::int32_t>(n, 1)};
  return bisect_sized(sized, n_first, random, work).part;
}

}  // namespace corewise::engine
