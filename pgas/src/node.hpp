// One node of a job: its threads, its objects, and how it starts and ends.
#pragma once

#include <atomic>
#include <barrier>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "flow_control.hpp"
#include "node_thread.hpp"
#include "roles.hpp"

namespace corewise::pgas::detail {

/// Lives for one run(). Shared by the node's threads.
class Node {
 public:
  Node(Transport& transport, const Options& options);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Runs the node in the calling thread, which is its comm_server, and those that it starts; node 0 runs
  /// `root`.
  /// @throws Error when the run failed, with the same sentence on every node as far as it can be told.
  void run(const std::function<void()>& root);

  /// Ends the run with an error, first come first served; any thread.
  void fail(const std::string& sentence) noexcept;

  /// Whether threads leave their loops.
  [[nodiscard]] bool stopping() const noexcept { return stopping_.load(std::memory_order_acquire); }
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }

  [[nodiscard]] const std::atomic<bool>& failed_flag() const noexcept { return failed_; }
  [[nodiscard]] int n_workers() const noexcept { return n_workers_; }
  [[nodiscard]] const ThreadPlan& plan() const noexcept { return plan_; }
  [[nodiscard]] Clock::duration flush_time() const noexcept { return flush_time_; }

  /// Whether each thread of the job on this machine has a PU of its own.
  [[nodiscard]] bool spinning_helps() const noexcept { return !plan_.oversubscribed(); }

  /// Gives a task to some worker; for threads that run none themselves.
  void push_elsewhere(Task* task);

  /// A task from another worker, or nullptr.
  [[nodiscard]] Task* steal(const NodeThread& thief);

  /// Wakes a worker that sleeps, if any.
  void wake_worker() {
    if (sleeping_workers.load(std::memory_order_relaxed) > 0) wake_one();
  }
  void wake_comm_server();

  /// A message for a helper to serve, or nullptr.
  [[nodiscard]] Buffer* next_for_helper();

  // The comm_server's; @return whether anything happened.
  bool progress_network(NodeThread& comm_server) noexcept;
  void send_queued() noexcept;
  void return_all_credits() noexcept;

  [[nodiscard]] std::uint32_t new_object_id();
  void keep_object(std::uint32_t id, void* object, void (*destroy)(void*));
  void drop_object(std::uint32_t id);

  Transport& transport;
  const Options options;
  BufferPool pool;
  FlowControlledSender sender;
  std::vector<std::atomic<void*>> objects;
  std::atomic<int> sleeping_workers{0};
  std::atomic<int> bulk_reads_in_flight{0};
  SharedTasks shared_tasks;

 private:
  void check_peers_match();
  void make_threads();
  void push_root(const std::function<void()>& root);
  void stop_threads();
  bool exchange_messages(NodeThread& comm_server);
  template <class Work>
  bool fail_on_error(Work work) noexcept;
  void wake_one();
  void deliver(Buffer* message, NodeThread& comm_server);

  ThreadPlan plan_;
  int n_workers_;
  Clock::duration flush_time_;
  std::vector<std::unique_ptr<NodeThread>> threads_;  // the comm_server first, then helpers, then workers
  std::vector<NodeThread*> workers_;
  std::vector<NodeThread*> helpers_;
  std::atomic<bool> root_ended_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> failed_{false};
  std::atomic<unsigned> next_worker_{0};
  std::atomic<bool> any_for_helpers_{false};

  std::mutex mutex_;  // of what follows
  std::string sentence_;
  bool failure_from_peer_ = false;
  std::deque<Buffer*> for_helpers_;
  std::vector<void (*)(void*)> destroyers_;
  std::vector<std::uint32_t> free_ids_;
  std::uint32_t n_ids_made_ = 0;
};

}  // namespace corewise::pgas::detail
