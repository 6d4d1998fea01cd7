/// Deals slots layer by layer and places ranks on them in order.
#include "solvers/problem/slots.hpp"

#include <numeric>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// [core] number of ranks when `n_ranks` are dealt layer by layer, cores ascending in each layer.
/// @pre the sum of `capacity` is at least n_ranks.
std::vector<std::int32_t> dealt_evenly(std::span<const std::int32_t> capacity, std::int32_t n_ranks) {
  std::vector<std::int32_t> taken(capacity.size(), 0);
  std::int32_t left = n_ranks;
  for (std::int32_t layer = 0; left > 0; ++layer) {
    for (std::size_t core = 0; core < capacity.size() && left > 0; ++core) {
      if (capacity[core] <= layer) continue;
      ++taken[core];
      --left;
    }
  }
  return taken;
}

}  // namespace

std::vector<NodeIndex> given_nodes(const PlacedProblem& problem) {
  std::vector<NodeIndex> node_of_rank;
  for (const CoreIndex core : problem.places.block) node_of_rank.push_back(problem.machine.node_of(core));
  return node_of_rank;
}

std::vector<std::int32_t> node_capacities(const PlacedProblem& problem) {
  std::vector<std::int32_t> capacity(problem.machine.n_nodes(), 0);
  for (std::int32_t core = 0; core < problem.machine.n_cores(); ++core) {
    capacity[raw(problem.machine.node_of(CoreIndex{core}))] += problem.places.capacity[core];
  }
  return capacity;
}

Placement place_in_order(const PlacedProblem& problem, std::span<const NodeIndex> node_of_rank) {
  std::vector<std::vector<std::int32_t>> ranks(problem.machine.n_nodes());
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    ranks[raw(node_of_rank[rank])].push_back(static_cast<std::int32_t>(rank));
  }
  std::vector<CoreIndex> core_of_rank(node_of_rank.size());
  for (std::int32_t node = 0; node < problem.machine.n_nodes(); ++node) {
    const std::int32_t first = raw(problem.machine.first_core(NodeIndex{node}));
    const auto capacity =
        std::span(problem.places.capacity).subspan(first, problem.machine.n_cores_on(NodeIndex{node}));
    const auto n_ranks = static_cast<std::int32_t>(ranks[node].size());
    if (const auto places = std::accumulate(capacity.begin(), capacity.end(), std::int64_t{0});
        n_ranks > places) {
      throw Error(ErrorCode::bad_input,
                  concat("node ", node, " is given ", n_ranks, " ranks and has room for ", places,
                         "; expected no more ranks than cores, or --oversubscribe"));
    }
    const std::vector<std::int32_t> taken = dealt_evenly(capacity, n_ranks);
    auto next = ranks[node].begin();
    for (std::size_t core = 0; core < taken.size(); ++core) {
      for (std::int32_t slot = 0; slot < taken[core]; ++slot) {
        core_of_rank[*next++] = CoreIndex{first + static_cast<std::int32_t>(core)};
      }
    }
  }
  return Placement(std::move(core_of_rank));
}

}  // namespace corewise
