/// Deals slots layer by layer and places ranks on them in order.
#include "solvers/problem/slots.hpp"

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {

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
  std::vector<std::int32_t> load(problem.machine.n_cores(), 0);
  const std::vector<std::int32_t> room = node_capacities(problem);
  for (std::int32_t node = 0; node < problem.machine.n_nodes(); ++node) {
    if (std::ssize(ranks[node]) > room[node]) {
      throw Error(ErrorCode::bad_input,
                  concat("node ", node, " is given ", ranks[node].size(), " ranks and has room for ",
                         room[node], "; expected no more ranks than cores, or --oversubscribe"));
    }
    deal(ranks[node], cores_of(problem.machine, node, node + 1), problem.places.capacity, load, core_of_rank);
  }
  return Placement(std::move(core_of_rank));
}

std::vector<CoreIndex> cores_of(const Machine& machine, std::int32_t first_node, std::int32_t end_node) {
  std::vector<CoreIndex> cores;
  for (std::int32_t node = first_node; node < end_node; ++node) {
    for (std::int32_t i = 0; i < machine.n_cores_on(NodeIndex{node}); ++i)
      cores.push_back(machine.core_at(NodeIndex{node}, i));
  }
  return cores;
}

void deal(std::span<const std::int32_t> ranks, std::span<const CoreIndex> cores,
          std::span<const std::int32_t> capacity, std::vector<std::int32_t>& load,
          std::vector<CoreIndex>& core_of_rank) {
  std::vector<std::int32_t> here(cores.size(), 0);
  std::int64_t left = std::ssize(ranks);
  for (std::int32_t layer = 0; left > 0; ++layer) {
    for (std::size_t i = 0; i < cores.size() && left > 0; ++i) {
      std::int32_t& on_core = load[raw(cores[i])];
      if (on_core > layer || capacity[raw(cores[i])] <= layer) continue;
      ++on_core;
      ++here[i];
      --left;
    }
  }
  auto next = ranks.begin();
  for (std::size_t i = 0; i < cores.size(); ++i) {
    for (std::int32_t slot = 0; slot < here[i]; ++slot) core_of_rank[*next++] = cores[i];
  }
}

}  // namespace corewise
