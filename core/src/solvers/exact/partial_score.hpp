/// PartialScore: bounds of an objective while ranks are placed one by one, for branch and bound.
#pragma once

#include <memory>
#include <vector>

#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// No completion of the placement scores below the lower bound or above the upper bound.
enum class Side { lower, upper };

/// The state is kept in integers. Scores are rounded once, to the doubles that the objective itself returns.
class PartialScore {
 public:
  virtual ~PartialScore() = default;
  virtual void place(Rank rank, CoreIndex core) = 0;
  /// Undoes the latest place().
  virtual void take_back() = 0;
  /// Bounds the scores of all completions; both bounds are exact once all ranks are placed.
  virtual void bound(Side side, std::vector<double>& values) const = 0;
};

/// The PartialScore of the problem's objective for `traffic`. Problem and traffic must outlive the result.
[[nodiscard]] std::unique_ptr<PartialScore> partial_score(const PlacedProblem& problem,
                                                          const Traffic& traffic);

}  // namespace corewise
