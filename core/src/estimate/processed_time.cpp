/// ProcessedTime: the number of computing threads over the time of a log.
#include "estimate/processed_time.hpp"

#include <algorithm>

namespace corewise {
namespace {

/// Threads begin to compute (above 0) or end it.
struct Change {
  double at_s;
  double by;
};

/// Of all threads, in order. A rank computes from its begin on, a thread that made its last call goes on. A
/// call's parts are no calls.
std::vector<Change> changes_of(const Profile& profile, const EventLog& log,
                               const std::vector<double>& polled) {
  std::vector<Change> changes;
  double free_s = 0;
  for (std::size_t i = 0; i < log.events.size(); ++i) {
    const Event& event = log.events[i];
    if (event.part) continue;
    const bool first =
        i == 0 || log.events[i - 1].rank != event.rank || log.events[i - 1].thread != event.thread;
    if (first && i > 0) changes.push_back({free_s, 1});
    if (first)
      free_s = std::min(profile.ranks()[static_cast<std::size_t>(raw(event.rank))].begin_s, event.begin_s);
    changes.push_back({free_s, 1 - polled[i]});
    changes.push_back({event.begin_s, polled[i] - 1});
    free_s = event.end_s;
  }
  if (!log.events.empty()) changes.push_back({free_s, 1});
  std::ranges::sort(changes, {}, &Change::at_s);
  return changes;
}

}  // namespace

ProcessedTime::ProcessedTime(const Profile& profile, const EventLog& log, double n_processors)
    : log_(log), polled_(polled_shares(profile, log)) {
  if (n_processors <= 0) return;
  double n_computing = 0, got_s = 0;
  for (const Change& change : changes_of(profile, log, polled_)) {
    if (!stretches_.empty()) got_s += stretches_.back().share * (change.at_s - stretches_.back().at_s);
    n_computing += change.by;
    stretches_.push_back({change.at_s, got_s, std::min(1.0, n_processors / std::max(1.0, n_computing))});
  }
}

double ProcessedTime::got_by(double at_s) const {
  const auto after = std::ranges::upper_bound(stretches_, at_s, {}, &Stretch::at_s);
  if (after == stretches_.begin()) return at_s - stretches_.front().at_s;
  const Stretch& last = *(after - 1);
  return last.got_s + last.share * (at_s - last.at_s);
}

double ProcessedTime::between(double begin_s, double end_s) const {
  if (end_s <= begin_s) return 0;
  return stretches_.empty() ? end_s - begin_s : got_by(end_s) - got_by(begin_s);
}

double ProcessedTime::before(std::size_t event, double free_s) const {
  return between(free_s, log_.events[event].begin_s) * (1 - polled_[event]);
}

}  // namespace corewise
