/// ProcessedTime: how long ranks computed in a recorded run whose processors they shared.
#pragma once

#include <vector>

#include "corewise/events.hpp"
#include "corewise/profile.hpp"

namespace corewise {

/// Between two calls of a thread it computes. Where more threads do so at a moment than there are processors,
/// each is taken to have had the same share of them.
class ProcessedTime {
 public:
  /// @param n_processors  0: every thread had one.
  ProcessedTime(const Profile& profile, const EventLog& log, double n_processors);

  /// What a thread computed from `begin_s` to `end_s`, on the log's clock, s of one processor; 0 where it
  /// ends first.
  [[nodiscard]] double between(double begin_s, double end_s) const;

 private:
  /// From `at_s` on every computing thread has `share` of a processor; `got_s` it has had before.
  struct Stretch {
    double at_s;
    double got_s;
    double share;
  };

  [[nodiscard]] double got_by(double at_s) const;

  std::vector<Stretch> stretches_;  ///< empty: every thread had a processor
};

}  // namespace corewise
