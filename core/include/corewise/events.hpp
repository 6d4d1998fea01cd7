/// Events: the individual calls of a job, from a profile of `corewise trace --mode events`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corewise/profile.hpp"

namespace corewise {

/// One call, or one message of a call with several messages.
struct Event {
  Rank rank;
  std::uint32_t thread = 0;  ///< thread of the rank, numbered by the time of its first call
  std::int32_t call = 0;     ///< index into EventLog::calls
  std::int32_t peer = -1;    ///< world rank; of a collective the root's rank in the communicator; -1: none,
                             ///< any source, or a process of another MPI_COMM_WORLD
  std::int64_t tag = 0;
  std::uint64_t comm = 0;  ///< id of the communicator
  std::uint64_t bytes = 0;
  double begin_s = 0;  ///< since the start of the job's first rank
  double end_s = 0;
  std::int32_t completed_by = -1;  ///< index of the event that completed this request; -1: none
  std::int32_t matches = -1;       ///< index of the other end of a point-to-point message; -1: not found
  bool sends = false;
  bool receives = false;
  bool collective = false;
  bool starts = false;  ///< starts a request, which another event completes
  bool part = false;    ///< a further message of the previous event, with its times
  bool failed = false;  ///< the call returned an error
};

/// Events of all ranks, sorted by rank, thread and time.
struct EventLog {
  std::vector<CallInfo> calls;
  std::vector<Event> events;
  std::uint64_t n_dropped = 0;  ///< events that the tracer left out
  std::uint64_t n_damaged = 0;  ///< chunks that could not be read to their end
  std::int32_t n_nodes = 0;     ///< files of the profile; each has its own clock
};

/// Reads the events of a profile, completes requests and matches both ends of each message. A receive has the
/// actual source, tag and size. The log is empty for a profile without events.
///
/// Times are by the system time of the rank's node. Which message a receive gets follows from MPI's order of
/// messages, never from times of several nodes, whose clocks may differ.
/// @throws Error(bad_input) as Profile::read(), and for more than 2^25 events.
[[nodiscard]] EventLog read_events(const std::string& directory);

/// Whether a call only polls for a message or for finished requests, and never waits (MPI_Iprobe, MPI_Test,
/// ...).
[[nodiscard]] bool is_polling(std::string_view call);

/// Estimates how much of the time between calls a thread spent polling. A polling call (MPI_Iprobe, MPI_Test
/// and similar calls) that finds nothing is no event. The profile only has the total time of all polling
/// calls of a rank. From it the time of those among the events is subtracted, and 0.3 us are added per call
/// for the loop around it. The rest is divided in proportion among the gaps that end in a successful polling
/// call. If it exceeds these gaps, the excess is divided among all other gaps.
/// @return [event] share, 0 to 1, of the gap since the previous call of the thread that was spent polling; 0
/// for a thread's first call and for parts.
[[nodiscard]] std::vector<double> polled_shares(const Profile& profile, const EventLog& log);

}  // namespace corewise
