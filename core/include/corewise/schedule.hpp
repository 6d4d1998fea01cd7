/// Schedule: what each process of a job does in order, whatever the cores it runs on: computing, sending,
/// waiting.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corewise/events.hpp"
#include "corewise/index.hpp"
#include "corewise/profile.hpp"

namespace corewise {

/// @return "openmpi" or "mpich". @throws Error(bad_input) naming the nearest for any other name.
[[nodiscard]] MpiLibrary mpi_library_named(std::string_view name);

/// One message from rank to rank.
struct ScheduledMessage {
  Rank src;
  Rank dst;
  std::uint64_t bytes = 0;
};

/// What a process does next.
struct Action {
  /// `index` is a message, or for `start` and `join` a process. Sends and receives only begin: their ends are
  /// waited for. A send is over once its bytes left the program's buffer. `test_sent` is MPI_Test's wait: the
  /// program asks again and again, but can do something else before the send is over.
  enum class Kind : std::uint8_t { compute, send, receive, wait_sent, test_sent, wait_received, start, join };
  Kind kind = Kind::compute;
  std::int32_t call = -1;  ///< index into Schedule::calls; -1: none
  std::int32_t index = -1;
  double compute_s = 0;  ///< of `compute`
};

/// A thread of a rank, or a collective that continues while its caller does something else.
struct Process {
  Rank rank;
  bool started = true;  ///< from the begin on; false: another process starts it
  std::vector<Action> actions;
};

/// All processes of a job, with the messages between them. Each message is sent once and received once.
struct Schedule {
  std::int32_t n_ranks = 0;
  std::vector<ScheduledMessage> messages;
  std::vector<Process> processes;
  std::vector<std::string> calls;     ///< names
  std::vector<std::string> left_out;  ///< what of the job isn't in here, one sentence each
};

/// One message of a step: a collective's, or of a pattern known by heart.
struct Transfer {
  std::int32_t step = 0;
  std::int32_t src = 0;
  std::int32_t dst = 0;
  std::uint64_t bytes = 0;
};

/// The same with `factor` times as long between all calls. @pre factor >= 0
[[nodiscard]] Schedule with_compute_scaled(Schedule schedule, double factor);

/// Every rank goes through its transfers step by step: it begins all of a step, then waits for all of them.
/// @param transfers  in any order; src and dst are ranks below n_ranks.
/// @throws Error(bad_input) for a rank that there isn't.
[[nodiscard]] Schedule schedule_of_steps(std::int32_t n_ranks, std::vector<Transfer> transfers);

/// The calls of a traced job: those of each thread in order, with its computing between them. Collectives
/// travel by the algorithm that `library` chooses for their size and number of ranks. What can't be placed
/// among the calls of others (messages without a receive, one-sided transfers, collectives that lack a
/// member) is left out and said.
/// @throws Error(bad_input) for a log without events, and for one that isn't whole.
[[nodiscard]] Schedule schedule_of_events(const Profile& profile, const EventLog& log, MpiLibrary library);

}  // namespace corewise
