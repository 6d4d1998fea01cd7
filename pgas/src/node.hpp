// One node of a job: its threads, what they share, and how a run starts and ends.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "bulk_reads.hpp"
#include "comm_server.hpp"
#include "helpers.hpp"
#include "network.hpp"
#include "node_thread.hpp"
#include "object_directory.hpp"
#include "task_pool.hpp"
#include "thread_plan.hpp"
#include "workers.hpp"

namespace corewise::pgas::detail {

/// Exists for one run.
class Node {
 public:
  /// Collective. @throws Error if options are out of range, or if options or programs differ between nodes.
  Node(Transport& transport, const Options& options);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Runs the node on the calling thread, which becomes its comm_server, and on threads that it starts. On
  /// node 0, the first task is `root`.
  /// @throws Error if the run failed, with the same text on every node that could be reached.
  void run(const std::function<void()>& root);

  // Any thread:

  /// Where an error occurred. A node reports only its own errors to other nodes.
  enum class Origin { here, peer };

  /// Ends the run with an error. Later errors are ignored. Allocates no memory.
  void fail(std::string_view error, Origin origin = Origin::here) noexcept;
  void fail(const std::exception& error) noexcept;

  /// @return work(), or false if it throws; an exception ends the run.
  template <class Work>
  bool fail_on_error(Work work) noexcept {
    try {
      return work();
    } catch (const std::exception& error) {
      fail(error);
      return false;
    }
  }
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }

  /// Makes all threads leave their loops.
  void stop();
  [[nodiscard]] bool stopping() const noexcept { return stopping_.load(std::memory_order_acquire); }

  /// Wakes the comm_server because there is a message to send.
  void wake_comm_server() { threads_.front()->inbox().wake(); }

  [[nodiscard]] const Options& options() const noexcept { return options_; }
  [[nodiscard]] const ThreadPlan& plan() const noexcept { return plan_; }
  [[nodiscard]] NodeInfo info() noexcept;

  // Shared by the threads:

  [[nodiscard]] Network& network() noexcept { return network_; }
  [[nodiscard]] CommServer& comm_server() noexcept { return comm_server_; }
  [[nodiscard]] Helpers& helpers() noexcept { return helpers_; }
  [[nodiscard]] Workers& workers() noexcept { return workers_; }
  [[nodiscard]] ObjectDirectory& objects() noexcept { return objects_; }
  [[nodiscard]] TaskDepot& task_depot() noexcept { return task_depot_; }
  [[nodiscard]] BulkReads& bulk_reads() noexcept { return bulk_reads_; }

 private:
  [[nodiscard]] bool comm_server_computes() const;
  void make_threads();
  void push_root(const std::function<void()>& root);
  void run_threads();
  void bind_thread(std::size_t i) noexcept;

  const Options options_;
  ThreadPlan plan_;
  Network network_;
  CommServer comm_server_;
  Helpers helpers_;
  Workers workers_;
  ObjectDirectory objects_;
  TaskDepot task_depot_;
  BulkReads bulk_reads_;
  std::vector<std::unique_ptr<NodeThread>> threads_;  // the comm_server first, then helpers, then workers
  std::atomic<bool> stopping_{false};
  std::atomic<bool> failed_{false};

  std::mutex mutex_;  // protects the following
  std::string error_;
  Origin error_origin_ = Origin::here;
};

/// The node of the calling thread, which must belong to a node.
[[nodiscard]] inline Node& current_node() { return current_thread().owner(); }

}  // namespace corewise::pgas::detail
