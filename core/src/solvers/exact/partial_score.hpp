/// PartialScore: an objective while ranks are put on cores one by one; what a search needs to cut branches.
#pragma once

#include <memory>
#include <vector>

#include "corewise/objective.hpp"

namespace corewise {

/// State is integer; scores come out as the objective's own doubles, rounded once.
class PartialScore {
 public:
  virtual ~PartialScore() = default;
  virtual void place(Rank rank, CoreIndex core) = 0;
  /// Undoes the latest place().
  virtual void take_back() = 0;
  /// A score that no completion goes below: exact once all ranks are placed.
  virtual void lower(std::vector<double>& values) const = 0;
  /// A score that no completion exceeds.
  virtual void upper(std::vector<double>& values) const = 0;
};

/// For any objective of the table. The references must outlive the result.
/// @throws Error(unsupported) for `time` on a machine without figures.
[[nodiscard]] std::unique_ptr<PartialScore> partial_score(const ObjectiveInfo& objective,
                                                          const Traffic& traffic, const Machine& machine);

}  // namespace corewise
