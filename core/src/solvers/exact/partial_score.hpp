/// PartialScore: an objective while ranks are put on cores one by one; what a search needs to cut branches.
#pragma once

#include <memory>
#include <vector>

#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// No completion goes below a lower bound, or exceeds an upper one.
enum class Side { lower, upper };

/// State is integer; scores come out as the objective's own doubles, rounded once.
class PartialScore {
 public:
  virtual ~PartialScore() = default;
  virtual void place(Rank rank, CoreIndex core) = 0;
  /// Undoes the latest place().
  virtual void take_back() = 0;
  /// Bounds the scores of all completions; both bounds are exact once all ranks are placed.
  virtual void bound(Side side, std::vector<double>& values) const = 0;
};

/// The problem's objective for `traffic` on its machine, by its form; where it has none, nothing is known of
/// a score before all ranks are placed. Problem and traffic must outlive the result.
[[nodiscard]] std::unique_ptr<PartialScore> partial_score(const PlacedProblem& problem,
                                                          const Traffic& traffic);

}  // namespace corewise
