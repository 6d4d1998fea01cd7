/// NeededPart: of a machine that is far larger than the job, the cores that its best placement can need.
///
/// n ranks are in at most n children of any object. Of the children that no rank can tell apart (equal
/// subtrees with equal capacities and no fixed ranks) the first n therefore suffice: ranks in another one
/// could as well be in one of these that is empty, with the same score (ObjectiveInfo::evaluate). So the work
/// of a search grows with the ranks and not with the machine.
#pragma once

#include <optional>
#include <vector>

#include "corewise/solver.hpp"

namespace corewise {

struct NeededPart {
  Machine machine;
  std::vector<CoreIndex> cores;  ///< [core of `machine`] -> the same core of the whole one, ascending
  Constraints constraints;       ///< those of the whole problem, for `machine`

  /// The same problem on this part; holds references to the part and to what `whole` refers to.
  [[nodiscard]] MappingProblem of(const MappingProblem& whole) const;
  /// A placement on this part, on the whole machine.
  [[nodiscard]] Placement on_whole(const Placement& placement) const;
};

/// Nothing where the machine is small enough to be searched unchanged, where ranks have several cores each
/// (the places of these depend on the whole machine), or where all cores are needed.
/// @throws as make_places() does.
[[nodiscard]] std::optional<NeededPart> needed_part(const MappingProblem& problem);

}  // namespace corewise
