/// Bottom-up grouping: growing, swapping, contracting.
#include "solvers/search/construction/bottom_up.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "solvers/search/construction/coarsen.hpp"

namespace corewise::search {
namespace {

constexpr int swapping_passes = 8;

/// Units of one level in groups of equal size.
class Grouping {
 public:
  Grouping(const Graph& units, std::int32_t group_size, WorkMeter& work)
      : units_(units), size_(group_size), work_(work), group_of_(units.n(), -1) {}

  /// @return [unit] -> group.
  std::vector<std::int32_t> run(Random& random) {
    grow(random);
    for (int pass = 0; pass < swapping_passes && !work_.out_of_time(); ++pass) {
      if (!swap_once()) break;
    }
    return std::move(group_of_);
  }

 private:
  /// What a unit would bring into the group that grows, the greatest first; of equals the one that is
  /// drawn most by finished groups, so that no unit is left behind alone.
  struct Candidate {
    Cost pull;
    Cost pull_of_grouped;
    std::int32_t unit;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  void grow(Random& random) {
    const std::int32_t n = units_.n();
    std::vector<Cost> grouped(n, 0), pull(n, 0);
    std::priority_queue<std::pair<Cost, std::int32_t>> border;  // of all finished groups
    auto next = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n)));
    for (std::int32_t group = 0; group < n / size_; ++group) {
      std::priority_queue<Candidate> candidates;
      std::vector<std::int32_t> touched;
      for (std::int32_t member = 0; member < size_; ++member) {
        const std::int32_t unit = next_unit(candidates, border, pull, grouped, next);
        group_of_[unit] = group;
        for (const Edge& edge : units_.row(unit)) {
          if (group_of_[edge.to] >= 0) continue;
          if (pull[edge.to] == 0) touched.push_back(edge.to);
          pull[edge.to] += edge.weight;
          candidates.push({pull[edge.to], grouped[edge.to], edge.to});
        }
        work_.add(units_.row(unit).size() + 1);
      }
      for (const std::int32_t unit : touched) {
        grouped[unit] += std::exchange(pull[unit], 0);
        if (group_of_[unit] < 0) border.push({grouped[unit], unit});
      }
    }
  }

  /// The free unit that the growing group draws most; where it draws none, one on the border of the finished
  /// groups, else the next in turn.
  std::int32_t next_unit(std::priority_queue<Candidate>& candidates,
                         std::priority_queue<std::pair<Cost, std::int32_t>>& border,
                         const std::vector<Cost>& pull, const std::vector<Cost>& grouped,
                         std::int32_t& next) const {
    for (; !candidates.empty(); candidates.pop()) {
      const Candidate& best = candidates.top();
      if (group_of_[best.unit] < 0 && best.pull == pull[best.unit]) return best.unit;
    }
    for (; !border.empty(); border.pop()) {
      const auto [drawn, unit] = border.top();
      if (group_of_[unit] < 0 && drawn == grouped[unit]) return unit;
    }
    while (group_of_[next] >= 0) next = next + 1 < units_.n() ? next + 1 : 0;
    return next;
  }

  /// Looks once at swaps of each unit with the members of its partners' groups. @return one helped.
  bool swap_once() {
    std::vector<std::vector<std::int32_t>> members(units_.n() / size_);
    for (std::int32_t unit = 0; unit < units_.n(); ++unit) members[group_of_[unit]].push_back(unit);
    bool helped = false;
    for (std::int32_t u = 0; u < units_.n() && !work_.out_of_time(); ++u) {
      for (const Edge& edge : units_.row(u)) {
        const std::int32_t from = group_of_[u], to = group_of_[edge.to];
        if (from == to) continue;
        const Cost gain_of_u = pull_of(u, to) - pull_of(u, from);
        if (gain_of_u <= 0) continue;
        for (std::int32_t& v : members[to]) {
          if (gain_of_u + pull_of(v, from) - pull_of(v, to) - 2 * between(u, v) <= 0) continue;
          std::swap(group_of_[u], group_of_[v]);
          *std::ranges::find(members[from], u) = v;
          v = u;
          helped = true;
          break;
        }
      }
    }
    return helped;
  }

  [[nodiscard]] Cost pull_of(std::int32_t unit, std::int32_t group) {
    Cost sum = 0;
    for (const Edge& edge : units_.row(unit)) sum += group_of_[edge.to] == group ? edge.weight : 0;
    work_.add(units_.row(unit).size());
    return sum;
  }

  [[nodiscard]] Cost between(std::int32_t u, std::int32_t v) const {
    Cost sum = 0;
    for (const Edge& edge : units_.row(u)) sum += edge.to == v ? edge.weight : 0;
    return sum;
  }

  const Graph& units_;
  std::int32_t size_;
  WorkMeter& work_;
  std::vector<std::int32_t> group_of_;
};

}  // namespace

std::vector<std::int32_t> group_vertices(const Graph& graph, std::int32_t size, Random& random,
                                         WorkMeter& work) {
  return Grouping(graph, size, work).run(random);
}

std::vector<std::int32_t> bottom_up(const Graph& graph, const SlotTree& tree, Random& random,
                                    WorkMeter& work) {
  std::vector<std::int32_t> slot_of(graph.n(), 0), unit_of(graph.n());
  for (std::int32_t v = 0; v < graph.n(); ++v) unit_of[v] = v;
  SizedGraph units{graph, std::vector<std::int32_t>(graph.n(), 1)};
  std::int32_t size = 1;  // slots of a unit
  for (int level = tree.lowest_level(); level <= tree.n_levels(); ++level) {
    const std::int32_t arity = tree.group_size(level, 0) / size;
    if (arity == 1) continue;
    const std::vector<std::int32_t> group_of = group_vertices(units.graph, arity, random, work);
    std::vector<std::int32_t> n_members(units.graph.n() / arity, 0), place(units.graph.n());
    for (std::int32_t unit = 0; unit < units.graph.n(); ++unit) place[unit] = n_members[group_of[unit]]++;
    for (std::int32_t v = 0; v < graph.n(); ++v) {
      slot_of[v] += place[unit_of[v]] * size;
      unit_of[v] = group_of[unit_of[v]];
    }
    units = contract(units, group_of, work);
    size *= arity;
  }
  return slot_of;
}

}  // namespace corewise::search
