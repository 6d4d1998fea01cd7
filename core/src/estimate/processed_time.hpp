/// ProcessedTime: how long ranks computed in a recorded run whose processors they shared.
#pragma once

#include <vector>

#include "corewise/events.hpp"
#include "corewise/profile.hpp"

namespace corewise {

/// Between two calls a thread computes whenever it doesn't poll (polled_shares()). Where more threads compute
/// at a moment than there are processors, each is taken to have had the same share of them; one that polls
/// for a share of the gap between two calls counts as the rest of a thread.
class ProcessedTime {
 public:
  /// @param n_processors  0: every thread had one.
  ProcessedTime(const Profile& profile, const EventLog& log, double n_processors);

  /// What a thread that doesn't poll computed from `begin_s` to `end_s`, on the log's clock, s of one
  /// processor; 0 where it ends first.
  [[nodiscard]] double between(double begin_s, double end_s) const;
  /// What the event's thread computed since `free_s`, when its call before had ended.
  [[nodiscard]] double before(std::size_t event, double free_s) const;

 private:
  /// From `at_s` on every computing thread has `share` of a processor; `got_s` it has had before.
  struct Stretch {
    double at_s;
    double got_s;
    double share;
  };

  [[nodiscard]] double got_by(double at_s) const;

  const EventLog& log_;
  std::vector<double> polled_;      ///< [event]
  std::vector<Stretch> stretches_;  ///< empty: every thread had a processor
};

}  // namespace corewise
