/// polled_shares(): divides the total time of unsuccessful polling calls among the gaps between calls.
#include <algorithm>
#include <array>
#include <string_view>

#include "corewise/events.hpp"

namespace corewise {
namespace {

/// Polling calls. Those that find nothing are no events (preload/trace/events.c).
constexpr std::array<std::string_view, 7> kLooks = {"MPI_Improbe", "MPI_Iprobe",  "MPI_Request_get_status",
                                                    "MPI_Test",    "MPI_Testall", "MPI_Testany",
                                                    "MPI_Testsome"};

/// Time of the loop and the tracer per polling call, s. Measured in a loop of only polling calls: 0.09 us
/// with MPICH 4.0, 0.25 us with Open MPI 4.1 (tests/mpi/programs/polling.c, 2026-11-23, a virtual machine
/// with a load of 9).
constexpr double kAroundLookS = 0.3e-6;

std::vector<bool> are_looks(const std::vector<CallInfo>& calls) {
  std::vector<bool> found;
  for (const CallInfo& call : calls) found.push_back(is_polling(call.name));
  return found;
}

/// The time between two calls of a thread.
struct Gap {
  std::size_t event;  ///< the call that ends it
  double seconds;
};

std::vector<Gap> gaps_of(const EventLog& log) {
  std::vector<Gap> gaps;
  double free_s = 0;
  for (std::size_t i = 0; i < log.events.size(); ++i) {
    const Event& event = log.events[i];
    const bool is_first =
        i == 0 || log.events[i - 1].rank != event.rank || log.events[i - 1].thread != event.thread;
    if (is_first) free_s = event.end_s;
    if (!is_first && !event.part) gaps.push_back({i, std::max(0.0, event.begin_s - free_s)});
    free_s = std::max(free_s, event.end_s);
  }
  return gaps;
}

/// Sums of one rank.
struct Sums {
  double polled_s = 0;        ///< in unsuccessful polling calls and the loop around them
  double before_looks_s = 0;  ///< in gaps that end in a successful polling call
  double other_gaps_s = 0;
};

double share(double part_s, double of_s) { return of_s > 0 ? std::clamp(part_s / of_s, 0.0, 1.0) : 0; }

}  // namespace

bool is_polling(std::string_view call) { return std::ranges::find(kLooks, call) != kLooks.end(); }

std::vector<double> polled_shares(const Profile& profile, const EventLog& log) {
  const std::vector<bool> looks_in_profile = are_looks(profile.calls()), looks_in_log = are_looks(log.calls);
  std::vector<Sums> sums(static_cast<std::size_t>(profile.n_ranks()));
  const auto sums_of = [&](Rank rank) -> Sums& { return sums[static_cast<std::size_t>(raw(rank))]; };
  const auto looks = [&](const Event& event) { return looks_in_log[static_cast<std::size_t>(event.call)]; };
  for (const ProfileRow& row : profile.rows()) {
    const bool is_poll = looks_in_profile[static_cast<std::size_t>(row.call)];
    if (!is_poll || !row.own_call) continue;
    sums_of(row.rank).polled_s += row.time_s + static_cast<double>(row.count) * kAroundLookS;
  }
  for (const Event& event : log.events) {
    if (looks(event) && !event.part)
      sums_of(event.rank).polled_s -= event.end_s - event.begin_s + kAroundLookS;
  }
  const std::vector<Gap> gaps = gaps_of(log);
  for (const Gap& gap : gaps) {
    Sums& own = sums_of(log.events[gap.event].rank);
    (looks(log.events[gap.event]) ? own.before_looks_s : own.other_gaps_s) += gap.seconds;
  }
  std::vector<double> shares(log.events.size());
  for (const Gap& gap : gaps) {
    const Event& event = log.events[gap.event];
    const Sums& own = sums_of(event.rank);
    shares[gap.event] = looks(event) ? share(own.polled_s, own.before_looks_s)
                                     : share(own.polled_s - own.before_looks_s, own.other_gaps_s);
  }
  return shares;
}

}  // namespace corewise
