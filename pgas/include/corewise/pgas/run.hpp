/// Starting the runtime: options, the root task, and where a task finds itself.
///
///     int main() {
///       return corewise::pgas::run({}, [] {
///         auto table = corewise::pgas::GlobalArray<long>::create(1'000'000);
///         corewise::pgas::parallel_for(0, 1'000'000, [table](std::size_t i) { table.add_nb(i % 7, 1); });
///       });
///     }
///
/// A node is one process of the job with its part of the memory (GMT's node, SHAD's locality), here() of
/// n_nodes(). The root task runs on node 0; what else runs, and where, it decides by tasks and loops. Each
/// process has threads in three roles: workers run tasks, helpers serve what other nodes ask for, and the
/// comm_server, always the process's main thread, is the only one that calls MPI (MPI_THREAD_FUNNELED). A
/// role with no thread of its own is taken over by the comm_server: on one core one thread does everything.
///
/// Rules of tasks: closures that travel are trivially copyable; a task stays on the thread that started it;
/// it must not wait for anything but the runtime's own operations while it holds a lock.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "corewise/pgas/error.hpp"

namespace corewise::pgas {

/// A thread count that the runtime shall choose.
inline constexpr int automatic = -1;

/// How a job runs; the same on every node. COREWISE_AFFINITY (see corewise-affinity(7)) wins over the first
/// three.
struct Options {
  int workers = automatic;     ///< threads that run tasks; 0: the comm_server runs them
  int helpers = automatic;     ///< threads that serve other nodes; 0: the comm_server serves them
  std::string policy;          ///< of libcorewise-affinity; empty: its default
  bool print_threads = false;  ///< each node prints its threads and their PUs to standard error

  std::size_t buffer_bytes = 64 * 1024;  ///< operations for one node gather in buffers of this size
  int credits = 8;                       ///< buffers under way to one node before it has served one
  std::size_t max_buffers = 4096;        ///< of one node, all in all; more is an error
  double flush_s = 50e-6;                ///< a buffer that isn't full leaves after this time
  double timeout_s = 300;  ///< a node silent for so long is taken for dead; where one thread does
                           ///< everything, no task may compute longer outside the runtime's loops
  std::size_t stack_bytes = 128 * 1024;  ///< of a task that waits; an unmapped page guards its end
  std::size_t max_fibers = 8192;         ///< tasks of one thread that wait at the same time
  int loopback_nodes = 1;                ///< nodes of a program that is linked without MPI
};

/// Runs `root` as a task on node 0 and returns when it and all that it started have ended. Every process of
/// the job calls it, once, from its main thread, with the same options; the transport is the one that the
/// program is linked with (CMake's cw_pgas_program: MPI, or loopback).
/// @return the exit status: 0, or 1 after the error's sentence was printed to standard error.
[[nodiscard]] int run(const Options& options, const std::function<void()>& root);

/// As run() on `options.loopback_nodes` nodes, each a group of threads in this process; for tests and for
/// ThreadSanitizer.
/// @throws Error when a task threw, a node died, or the options are wrong.
void run_loopback(const Options& options, const std::function<void()>& root);

/// This node, from 0; only in tasks.
[[nodiscard]] int here() noexcept;

/// Nodes of the job; only in tasks.
[[nodiscard]] int n_nodes() noexcept;

/// Threads of this node that run tasks; only in tasks.
[[nodiscard]] int n_workers() noexcept;

/// The threads of a node, after COREWISE_AFFINITY had its say.
struct Threads {
  std::string policy;  ///< of libcorewise-affinity
  int workers;         ///< threads that do nothing else
  int helpers;         ///< threads that do nothing else
  int total;           ///< with the comm_server
};

/// This node's threads; only in tasks.
[[nodiscard]] Threads threads();

/// Lets other tasks of this thread go on; only in tasks.
void yield();

}  // namespace corewise::pgas
