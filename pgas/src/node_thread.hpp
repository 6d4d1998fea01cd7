// A thread of a node: runs tasks on fibers, serves messages, drives the network, or does all of these.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "corewise/pgas/detail/thread_context.hpp"
#include "fiber.hpp"
#include "fiber_queue.hpp"
#include "inbox.hpp"
#include "task_deque.hpp"
#include "task_pool.hpp"

namespace corewise::pgas::detail {

struct Buffer;
class Node;

/// What a thread does. The comm_server takes over the duties of a role without threads.
struct Duties {
  bool network = false;  ///< calls the transport (comm_server)
  bool service = false;  ///< serves messages (helpers)
  bool compute = false;  ///< runs tasks (workers)
};

/// The scheduler of one thread. A task runs on the fiber of the scheduler's loop. If the task waits, it is
/// suspended together with this fiber, and another fiber continues the loop.
class NodeThread final : public ThreadContext {
 public:
  NodeThread(Node& node, Duties duties);
  ~NodeThread();

  /// Runs on the calling thread until the node stops. After a failure, waiting tasks are ended by an Error,
  /// but only after wait_for_all() has returned, because other threads may still refer to them.
  template <class WaitForAll>
  void run(WaitForAll wait_for_all) {
    enter();
    wait_for_all();
    end_suspended_tasks();
  }

  [[nodiscard]] Node& owner() const noexcept { return node_; }
  [[nodiscard]] const Duties& duties() const noexcept { return duties_; }

  // Any thread:

  /// Resumes a suspended fiber of this thread.
  void make_ready(Fiber* fiber);

  /// The oldest task that waits here, or nullptr.
  [[nodiscard]] Task* steal() { return deque_.steal(); }

  /// Where other threads put tasks for this thread.
  [[nodiscard]] Inbox& inbox() noexcept { return inbox_; }

  // Only this thread:

  /// Suspends the running task until make_ready(current()), and runs other tasks. Returns at once if the node
  /// stops and no fiber is left.
  void suspend();

  /// Runs other tasks. @throws Error if the run has failed.
  void yield();

  /// The running fiber.
  [[nodiscard]] Fiber* current() const noexcept { return current_; }

  /// Serves the segments of a message and releases it.
  void serve(Buffer* message);

  // Called by the functions of ThreadContext with the same names:

  [[nodiscard]] std::byte* append_segment(int destination, const Segment& segment);
  void flush();
  [[nodiscard]] Task* new_task(std::size_t closure_bytes) { return tasks_.take(closure_bytes); }
  void push(Task* task);
  void begin_bulk_read();
  void progress_if_due();

 private:
  using Clock = std::chrono::steady_clock;

  void enter();
  void end_suspended_tasks();
  static void loop_on_fiber(NodeThread& self) { self.loop(); }
  void loop();
  void run_until_stopped();
  void execute(Task* task);
  [[nodiscard]] Task* next_task();
  bool progress() noexcept;
  bool make_progress();
  void take_inbox();
  void idle() noexcept;
  void sleep(std::chrono::microseconds limit);
  void throw_if_failed() const;

  [[nodiscard]] Fiber* loop_fiber();
  void switch_to(Fiber* fiber);
  void suspend_for(Fiber* fiber);

  void send(int destination);
  void wait_for_room(int destination);

  Node& node_;
  const Duties duties_;
  const Clock::duration flush_time_;  // Options::flush_s

  Fiber thread_fiber_;  // the thread's original stack
  Fiber* current_ = &thread_fiber_;
  FiberQueue ready_;  // suspended fibers that may continue
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_fibers_;  // in loop(), without a task
  TaskDeque deque_;
  TaskPool tasks_;
  Inbox inbox_;

  int serving_ = 0;                  // depth of serve()
  unsigned round_ = 0;               // number of scheduling rounds
  bool task_first_ = false;          // does this round prefer new tasks to ready fibers?
  std::uint64_t next_progress_ = 0;  // ticks, see progress_if_due()
  bool was_idle_ = false;            // in the last round
  Clock::time_point idle_since_;
};

/// The calling thread, which must belong to a node.
[[nodiscard]] inline NodeThread& current_thread() { return static_cast<NodeThread&>(*this_context); }

}  // namespace corewise::pgas::detail
