/// Placement: its columns, and the check that a machine can hold it.
#include "corewise/placement.hpp"

#include <utility>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {

Placement::Placement(std::vector<CoreIndex> core_of_rank) : core_of_rank_(std::move(core_of_rank)) {}

Placement::Placement(std::vector<std::size_t> cores_start, std::vector<CoreIndex> cores)
    : cores_start_(std::move(cores_start)), cores_(std::move(cores)) {
  for (std::size_t rank = 0; rank + 1 < cores_start_.size(); ++rank) {
    if (cores_start_[rank] >= cores_start_[rank + 1] || cores_start_[rank + 1] > cores_.size()) {
      throw Error(ErrorCode::bad_input, concat("rank ", rank, " has no core; expected at least one"));
    }
    core_of_rank_.push_back(cores_[cores_start_[rank]]);
  }
}

std::span<const CoreIndex> Placement::cores(Rank rank) const {
  if (one_core_each()) return std::span(core_of_rank_).subspan(raw(rank), 1);
  return std::span(cores_).subspan(cores_start_[raw(rank)],
                                   cores_start_[raw(rank) + 1] - cores_start_[raw(rank)]);
}

void validate(const Placement& placement, const Machine& machine,
              std::span<const std::int32_t> core_capacity) {
  std::vector<std::int32_t> load(machine.n_cores(), 0);
  for (std::int32_t rank = 0; rank < placement.n_ranks(); ++rank) {
    for (const CoreIndex core : placement.cores(Rank{rank})) {
      if (raw(core) < 0 || raw(core) >= machine.n_cores()) {
        throw Error(ErrorCode::bad_input,
                    concat("rank ", rank, " is on core ", raw(core), " of a machine with ", machine.n_cores(),
                           " cores; was it placed for another machine?"));
      }
      const std::int32_t capacity = core_capacity.empty() ? 1 : core_capacity[raw(core)];
      if (++load[raw(core)] > capacity) {
        throw Error(ErrorCode::bad_input,
                    concat("rank ", rank, " is one too many on core ", raw(core), ", which takes ", capacity,
                           "; move it, or let ranks share cores (--oversubscribe)"));
      }
      if (machine.node_of(core) != machine.node_of(placement.core(Rank{rank}))) {
        throw Error(ErrorCode::bad_input,
                    concat("rank ", rank, " has cores on two nodes; expected one node a rank"));
      }
    }
  }
}

}  // namespace corewise
