/// Checks of the lengths and ranges of columns.
#include "solvers/problem/constraint_checks.hpp"

#include <algorithm>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

void check_length(std::size_t found, std::int32_t expected, const char* column, const char* unit) {
  if (found == 0 || found == static_cast<std::size_t>(expected)) return;
  throw Error(ErrorCode::size_mismatch,
              concat(column, " has ", found, " values; expected one for each of ", expected, " ", unit));
}

void check_nodes(const Machine& machine, const std::vector<NodeIndex>& node_of_rank) {
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    const NodeIndex node = node_of_rank[rank];
    if (node == kAnyNode || (raw(node) >= 0 && raw(node) < machine.n_nodes())) continue;
    throw Error(ErrorCode::bad_input,
                concat("rank ", rank, " is fixed to node ", raw(node), " of a machine with ",
                       machine.n_nodes(), "; expected 0-", machine.n_nodes() - 1));
  }
}

void check_cores(const Machine& machine, const Constraints& constraints) {
  for (std::size_t rank = 0; rank < constraints.core_of_rank.size(); ++rank) {
    const CoreIndex core = constraints.core_of_rank[rank];
    if (core == kAnyCore) continue;
    if (raw(core) < 0 || raw(core) >= machine.n_cores()) {
      throw Error(ErrorCode::bad_input,
                  concat("rank ", rank, " is fixed to core ", raw(core), " of a machine with ",
                         machine.n_cores(), " cores; expected 0-", machine.n_cores() - 1));
    }
    if (constraints.node_of_rank.empty()) continue;
    const NodeIndex node = constraints.node_of_rank[rank];
    if (node != kAnyNode && node != machine.node_of(core)) {
      throw Error(ErrorCode::bad_input, concat("rank ", rank, " is fixed to ", core_text(machine, core),
                                               " and to node ", raw(node), "; expected one of them"));
    }
  }
}

}  // namespace

void check_columns(const MappingProblem& problem) {
  const Constraints& constraints = problem.constraints;
  const std::int32_t n_ranks = problem.traffic.n_ranks();
  check_length(constraints.core_capacity.size(), problem.machine.n_cores(), "core_capacity", "cores");
  check_length(constraints.cores_per_rank.size(), n_ranks, "cores_per_rank", "ranks");
  check_length(constraints.core_of_rank.size(), n_ranks, "core_of_rank", "ranks");
  check_length(constraints.node_of_rank.size(), n_ranks, "node_of_rank", "ranks");
  if (std::ranges::any_of(constraints.core_capacity, [](std::int32_t capacity) { return capacity < 0; })) {
    throw Error(ErrorCode::bad_input, "core_capacity has a negative value; expected 0 (left free) or more");
  }
  if (std::ranges::any_of(constraints.cores_per_rank, [](std::int32_t width) { return width < 1; })) {
    throw Error(ErrorCode::bad_input,
                "cores_per_rank has a value below 1; expected at least one core for each rank");
  }
  check_nodes(problem.machine, constraints.node_of_rank);
  check_cores(problem.machine, constraints);
}

std::string core_text(const Machine& machine, CoreIndex core) {
  return concat("core ", machine.core_on_node(core), " of node ", raw(machine.node_of(core)));
}

}  // namespace corewise
