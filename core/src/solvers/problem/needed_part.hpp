/// NeededPart: the part of a large machine that suffices for the best placement of a small job.
///
/// n ranks are in at most n children of any object. Of interchangeable children (equal subtrees with equal
/// capacities and no fixed ranks), the first n therefore suffice: ranks in any other child could move to an
/// empty one of the first n, with the same score (ObjectiveInfo::evaluate). So the work of a search grows
/// with the number of ranks, not with the machine.
#pragma once

#include <optional>
#include <vector>

#include "corewise/solver.hpp"

namespace corewise {

struct NeededPart {
  Machine machine;
  std::vector<CoreIndex> cores;  ///< [core of `machine`] its number in the whole machine, ascending
  Constraints constraints;       ///< those of the whole problem, with the numbers of `machine`

  /// The same problem on this part. It refers to this object and to the traffic and objective of `whole`.
  [[nodiscard]] MappingProblem of(const MappingProblem& whole) const;
  /// Converts a placement on this part to one on the whole machine.
  [[nodiscard]] Placement on_whole(const Placement& placement) const;
};

/// Empty if the machine is small enough to be searched whole, if ranks have several cores each (their places
/// depend on the whole machine), or if all cores are needed.
/// @throws as make_places() does.
[[nodiscard]] std::optional<NeededPart> needed_part(const MappingProblem& problem);

}  // namespace corewise
