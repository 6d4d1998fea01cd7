/// branch_and_bound(): uses symmetry, bounds by PartialScore, and counts the optimal placements.
#include "solvers/exact/branch_and_bound.hpp"

#include <utility>

#include "solvers/problem/core_tree.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {
namespace {

class Search {
 public:
  Search(const SearchSpace& space, std::unique_ptr<PartialScore> score, bool greatest,
         std::uint64_t most_steps, const Deadline& deadline)
      : space_(space),
        tree_(space.problem.machine, space.problem.places.capacity, space.level, space.first_core,
              core_classes(space.problem)),
        score_(std::move(score)),
        greatest_(greatest),
        most_steps_(most_steps),
        deadline_(deadline),
        current_(space.traffic.n_ranks()),
        choices_(space.traffic.n_ranks()) {}

  SearchResult run(std::span<const CoreIndex> start) {
    for (std::size_t rank = 0; rank < start.size(); ++rank) {
      score_->place(Rank{static_cast<std::int32_t>(rank)}, start[rank]);
    }
    score_->bound(Side::lower, result_.score.values);
    for (std::size_t rank = 0; rank < start.size(); ++rank) score_->take_back();
    result_.core_of_rank.assign(start.begin(), start.end());
    descend(0, 1);
    if (!result_.finished) result_.n_optimal.reset();
    return std::move(result_);
  }

 private:
  void descend(std::size_t rank, std::uint64_t n_equal) {
    if (rank == current_.size()) {
      keep(n_equal);
      return;
    }
    tree_.list_choices(choices_[rank]);
    for (const CoreChoice choice : choices_[rank]) {
      if (!may_start(space_.problem, space_.ranks[rank], choice.core)) continue;
      if (!spend_step()) return;
      std::uint64_t n_paths = 0;
      n_paths_overflow_ |= __builtin_mul_overflow(n_equal, choice.n_equal, &n_paths);
      current_[rank] = choice.core;
      tree_.occupy(choice.core);
      score_->place(Rank{static_cast<std::int32_t>(rank)}, choice.core);
      if (!hopeless()) descend(rank + 1, n_paths);
      score_->take_back();
      tree_.release(choice.core);
      if (!result_.finished) return;
    }
  }

  /// Whether no completion reaches the best score so far. Branches that can equal this score continue,
  /// because optimal placements are counted.
  bool hopeless() {
    score_->bound(greatest_ ? Side::upper : Side::lower, bound_.values);
    return greatest_ ? bound_ < result_.score : bound_ > result_.score;
  }

  /// Keeps a complete placement if it is better, or if it is the first one found with the score of the start.
  void keep(std::uint64_t n_equal) {
    score_->bound(Side::lower, bound_.values);
    const bool better = greatest_ ? bound_ > result_.score : bound_ < result_.score;
    if (better || n_found_ == 0) {
      if (!better && bound_ != result_.score) return;
      result_.score = bound_;
      result_.core_of_rank = current_;
      n_found_ = 0;
    } else if (bound_ != result_.score) {
      return;
    }
    n_paths_overflow_ |= __builtin_add_overflow(n_found_, n_equal, &n_found_);
    result_.n_optimal = n_paths_overflow_ ? std::nullopt : std::optional(n_found_);
  }

  bool spend_step() {
    if (++steps_ > most_steps_ || (steps_ % 1024 == 0 && deadline_.passed())) result_.finished = false;
    return result_.finished;
  }

  const SearchSpace& space_;
  CoreTree tree_;
  std::unique_ptr<PartialScore> score_;
  bool greatest_;
  std::uint64_t most_steps_;
  const Deadline& deadline_;
  std::vector<CoreIndex> current_;
  std::vector<std::vector<CoreChoice>> choices_;  ///< [depth], kept to save allocations
  Score bound_;
  SearchResult result_;
  std::uint64_t n_found_ = 0;
  bool n_paths_overflow_ = false;
  std::uint64_t steps_ = 0;
};

}  // namespace

SearchResult branch_and_bound(const SearchSpace& space, std::span<const CoreIndex> start,
                              std::uint64_t most_steps, const Deadline& deadline) {
  return Search(space, partial_score(space.problem, space.traffic), space.problem.worst, most_steps, deadline)
      .run(start);
}

}  // namespace corewise
