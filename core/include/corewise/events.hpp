/// Events: the calls of a job one by one, as a profile of the mode `events` holds them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corewise/profile.hpp"

namespace corewise {

/// One call, or one message of a call that has several.
struct Event {
  Rank rank;
  std::uint32_t thread = 0;  ///< of the rank, numbered as they made their first call
  std::int32_t call = 0;     ///< index into EventLog::calls
  std::int32_t peer =
      -1;  ///< world rank; for collectives the root in its communicator; -1: none, any, foreign
  std::int64_t tag = 0;
  std::uint64_t comm = 0;  ///< id of the communicator
  std::uint64_t bytes = 0;
  double begin_s = 0;  ///< from the begin of the job's first rank on
  double end_s = 0;
  std::int32_t completed_by = -1;  ///< index of the event that completed the request; -1: none did
  std::int32_t matches = -1;       ///< index of the other end of a point-to-point message; -1: not found
  bool sends = false;
  bool receives = false;
  bool collective = false;
  bool starts = false;  ///< a request that another event completes
  bool part = false;    ///< of the event before; has its times
  bool failed = false;  ///< the call returned an error
};

/// What was found out about the clock of a node; all times of its events are set right by it.
struct NodeClockInfo {
  std::string host;
  double ahead_s = 0;             ///< of the first node's clock, at the start of the job
  double drift = 0;               ///< seconds that it gains in a second
  std::optional<double> error_s;  ///< greatest error of both together; empty: no messages bind it, and its
                                  ///< times rest on its own clock
};

/// Events of all ranks, sorted by rank, thread and time.
struct EventLog {
  std::vector<CallInfo> calls;
  std::vector<Event> events;
  std::uint64_t n_dropped = 0;             ///< left out by the tracer
  std::uint64_t n_damaged = 0;             ///< chunks that were not read to their end
  std::vector<NodeClockInfo> node_clocks;  ///< in the order of the profile's files
  double clock_error_s = 0;                ///< greatest error_s of all nodes
  bool clocks_aligned = false;             ///< false: times of some nodes rest on their own clocks
};

/// Reads the events of a profile, with completed requests and both ends of each message found. A receive has
/// the source, tag and size that it really had. Empty for a profile without events.
///
/// Clocks of several nodes are compared through the messages between them (no message is received before it
/// is sent, no synchronous send ends before its receive began), and through the collectives that nobody
/// leaves before all have entered; times are by the first node's clock.
/// @throws Error(bad_input) as Profile::read(), and for more than 2^25 events.
[[nodiscard]] EventLog read_events(const std::string& directory);

/// Whether a call never waits: it looks for a message or for finished requests (MPI_Iprobe, MPI_Test, ...).
[[nodiscard]] bool is_look(std::string_view call);

/// Looks (is_look) that find nothing are no events. What a rank spent in them is known as a sum, the time of all its looks in the
/// profile's rows less that of those among the events, and 0.3 us around each. It is taken to be shared
/// evenly by the gaps that end in a look which found something; what exceeds these, by all other gaps between
/// calls.
/// @return [event] which share of the gap between its thread's call before and itself, 0 to 1, was spent in
/// looks that found nothing; 0 for a thread's first call and for parts.
[[nodiscard]] std::vector<double> polled_shares(const Profile& profile, const EventLog& log);

}  // namespace corewise
