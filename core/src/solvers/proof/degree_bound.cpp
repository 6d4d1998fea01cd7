/// degree_bound(): partners by weight onto cores by distance, rank by rank.
#include "solvers/proof/degree_bound.hpp"

#include <algorithm>

#include "checked.hpp"

namespace corewise::proof {
namespace {

/// Places within each level of some core: the most that any core has, or the fewest for the worst; [level].
/// A rank's own place is left out. Ranks that outnumber the places go beyond the last level.
std::vector<std::int64_t> places_within(const MappingProblem& problem) {
  const Machine& machine = problem.machine;
  std::vector<std::int64_t> within;
  for (int level = 0; level <= machine.n_levels(); ++level) {
    std::vector<std::int64_t> places(machine.n_groups(level), 0);
    for (std::int32_t core = 0; core < machine.n_cores(); ++core) {
      places[machine.group(level, CoreIndex{core})] += problem.core_capacity[core];
    }
    within.push_back((problem.worst ? 0 : std::ranges::max(places)) - 1);
  }
  return within;
}

/// Twice the rank's share: all its partners at the distances that it could at best have.
std::uint64_t cost_of_rank(std::vector<std::uint64_t>& bytes, const Machine& machine,
                           const std::vector<std::int64_t>& within) {
  std::ranges::sort(bytes, std::ranges::greater{});
  std::uint64_t sum = 0;
  int level = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    while (level < machine.n_levels() && static_cast<std::int64_t>(i) >= within[level]) ++level;
    add_product(sum, bytes[i], level == 0 ? 0 : machine.levels()[level - 1].distance);
  }
  return sum;
}

}  // namespace

std::uint64_t degree_bound(const MappingProblem& problem) {
  const PairGraph graph(problem.traffic.folded());
  const std::vector<std::int64_t> within = places_within(problem);
  std::uint64_t twice = 0;
  std::vector<std::uint64_t> bytes;
  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    bytes.clear();
    for (const PairTraffic& pair : graph.partners(Rank{rank})) bytes.push_back(pair.bytes);
    add_product(twice, 1, cost_of_rank(bytes, problem.machine, within));
  }
  return problem.worst ? twice / 2 : twice - twice / 2;
}

}  // namespace corewise::proof
