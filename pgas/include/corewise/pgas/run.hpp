/// Starts the runtime, and gives tasks their node's number and size.
///
///     int main() {
///       return corewise::pgas::run({}, [] {
///         auto table = corewise::pgas::GlobalArray<long>::create(1'000'000);
///         corewise::pgas::parallel_for(0, 1'000'000, [table](std::size_t i) { table.add_nb(i % 7, 1); });
///       });
///     }
///
/// A node is one process of the job with its part of the memory (GMT's node, SHAD's locality), numbered from
/// 0 to n_nodes() - 1. The root task runs on node 0 and starts everything else as tasks and loops. Threads
/// have three roles: workers run tasks; helpers serve the operations of other nodes; the comm_server, which
/// is the main thread of the process, is the only one that calls MPI (MPI_THREAD_FUNNELED). If a role has no
/// thread, the comm_server takes it over: on one core, one thread does everything.
///
/// Rules for tasks: closures that are sent to other nodes are trivially copyable; a task stays on the thread
/// on which it started; a task that holds a lock must not wait.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "corewise/pgas/error.hpp"

namespace corewise::pgas {

/// The runtime chooses the number of threads.
inline constexpr int automatic = -1;

/// How a job runs; must be equal on all nodes. COREWISE_AFFINITY (see corewise-affinity(7)) overrides the
/// first three.
struct Options {
  int workers = automatic;     ///< threads that run tasks; 0: the comm_server runs them
  int helpers = automatic;     ///< threads that serve other nodes; 0: the comm_server serves them
  std::string policy;          ///< thread policy of libcorewise-affinity; empty: its default
  bool print_threads = false;  ///< each node prints its threads and their PUs to standard error

  std::size_t buffer_bytes = 64 * 1024;  ///< size of a message, which collects operations for one node
  int credits = 8;                       ///< most messages in flight to one node, 1 to 65536
  std::size_t max_buffers = 4096;        ///< message buffers of a node; needing more is an error
  double flush_s = 50e-6;                ///< a message that is not full is sent after this time
  std::size_t stack_bytes = 128 * 1024;  ///< stack of a task, 16 KiB to 1 GiB; an overflow ends the process
                                         ///< by SIGSEGV, at the page without access below it
  std::size_t max_fibers = 8192;         ///< tasks of one thread that can wait at the same time
  int loopback_nodes = 1;                ///< number of nodes, if the program is linked without MPI
};

/// Runs `root` as a task on node 0, and returns when it and all tasks that it started have ended. Every
/// process of the job calls it once, from its main thread, with the same options. The transport is MPI or
/// loopback, as the program is linked (CMake's cw_pgas_program).
/// @return the exit status: 0; or 1 after printing an error to standard error. An error when writing standard
/// output, for example on a full disk, counts as well.
[[nodiscard]] int run(const Options& options, const std::function<void()>& root);

/// Like run(), but on `options.loopback_nodes` nodes that are groups of threads in this process; for tests
/// and ThreadSanitizer.
/// @throws Error if a task threw, or the options are invalid.
void run_loopback(const Options& options, const std::function<void()>& root);

/// The number of this node, from 0; only in tasks.
[[nodiscard]] int here() noexcept;

/// Number of nodes of the job; only in tasks.
[[nodiscard]] int n_nodes() noexcept;

/// Number of threads of this node that run tasks; only in tasks.
[[nodiscard]] int n_workers() noexcept;

/// The threads of a node, after applying COREWISE_AFFINITY.
struct Threads {
  std::string policy;  ///< thread policy of libcorewise-affinity
  int workers;         ///< threads that only run tasks
  int helpers;         ///< threads that only serve messages
  int total;           ///< workers, helpers and the comm_server
};

/// This node's threads; only in tasks.
[[nodiscard]] Threads threads();

/// Lets other tasks of this thread run; only in tasks.
void yield();

}  // namespace corewise::pgas
