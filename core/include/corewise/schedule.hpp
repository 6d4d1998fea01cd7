/// Schedule: what each process does, in order: compute, send, receive, wait. Independent of placement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corewise/events.hpp"
#include "corewise/index.hpp"
#include "corewise/profile.hpp"

namespace corewise {

/// @param name  "openmpi" or "mpich". @throws Error(bad_input) suggesting the nearest for any other name.
[[nodiscard]] MpiLibrary mpi_library_named(std::string_view name);

/// One message from rank to rank.
struct ScheduledMessage {
  Rank src;
  Rank dst;
  std::uint64_t bytes = 0;
};

/// One step of a process.
struct Action {
  /// `send` and `receive` only start a message; `wait_sent` and `wait_received` wait for its end. A send is
  /// complete once the message has left the program's buffer. `test_sent` is the wait of a program that polls
  /// with MPI_Test: it can do something else before the send is complete.
  enum class Kind : std::uint8_t { compute, send, receive, wait_sent, test_sent, wait_received, start, join };
  Kind kind = Kind::compute;
  std::int32_t call = -1;   ///< index into Schedule::calls; -1: none
  std::int32_t index = -1;  ///< a message; a process for `start` and `join`
  double compute_s = 0;     ///< for `compute`
};

/// A thread of a rank, or a non-blocking collective, which progresses while its caller continues.
struct Process {
  Rank rank;
  bool started = true;  ///< runs from the start; false: another process starts it
  std::vector<Action> actions;
};

/// All processes of a job and the messages between them. Each message is sent once and received once.
struct Schedule {
  std::int32_t n_ranks = 0;
  std::vector<ScheduledMessage> messages;
  std::vector<Process> processes;
  std::vector<std::string> calls;     ///< names
  std::vector<std::string> left_out;  ///< what of the job is missing here, one sentence each
};

/// One message of a collective, or of another pattern that is given step by step.
struct Transfer {
  std::int32_t step = 0;
  std::int32_t src = 0;
  std::int32_t dst = 0;
  std::uint64_t bytes = 0;
};

/// Multiplies all computing times by `factor`. @pre factor >= 0
[[nodiscard]] Schedule with_compute_scaled(Schedule schedule, double factor);

/// The schedule of a traced job: each thread's calls in order, with its computing between them. A collective
/// becomes the messages of the algorithm that `library` chooses for its size and number of ranks. Messages
/// without a matching receive, one-sided transfers and collectives that lack a member are left out;
/// `left_out` lists them.
/// @throws Error(bad_input) for a log without events, or with lost or damaged events.
[[nodiscard]] Schedule schedule_of_events(const Profile& profile, const EventLog& log, MpiLibrary library);

}  // namespace corewise
