// A thread of a node: runs tasks on fibers, serves messages, sees to the network, or all of these.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "corewise/pgas/detail/directory.hpp"
#include "deque.hpp"
#include "fiber.hpp"
#include "flow_control.hpp"
#include "task_pool.hpp"

namespace corewise::pgas::detail {

class Node;

/// What a thread does besides its first role: roles fold together where threads are few.
struct Duties {
  bool network = false;  ///< comm_server
  bool helps = false;
  bool works = false;
};

/// First in, first out, linked through Fiber::next.
class FiberQueue {
 public:
  void push(Fiber* fiber) {
    fiber->next = nullptr;
    (last_ ? last_->next : first_) = fiber;
    last_ = fiber;
  }
  [[nodiscard]] Fiber* pop() {
    Fiber* const fiber = first_;
    if (fiber != nullptr) {
      first_ = fiber->next;
      if (first_ == nullptr) last_ = nullptr;
    }
    return fiber;
  }
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }

 private:
  Fiber* first_ = nullptr;
  Fiber* last_ = nullptr;
};

class NodeThread final : public Lane {
 public:
  NodeThread(Node& node, Duties duties);
  ~NodeThread();

  /// Runs until the node leaves. Tasks that still wait then are ended by an Error in them, after `all_left`
  /// says that no thread completes anything any more.
  template <class AllLeft>
  void run(AllLeft all_left) {
    enter();
    all_left();
    unwind();
  }

  /// Suspends the running task until make_ready() is called for its fiber; other tasks go on.
  void suspend();
  /// Resumes a suspended fiber of this thread; any thread.
  void make_ready(Fiber* fiber);
  void yield();

  /// A task from outside; any thread.
  void push_inbox(Task* task);
  [[nodiscard]] Task* steal() { return deque_.steal(); }

  /// Serves a message and gives it back.
  void serve(Buffer* message);

  /// Ends this thread's sleep; any thread.
  void wake();
  [[nodiscard]] bool asleep() const noexcept { return asleep_.load(std::memory_order_seq_cst); }

  [[nodiscard]] const Duties& duties() const noexcept { return duties_; }
  [[nodiscard]] Fiber* current() const noexcept { return current_; }
  [[nodiscard]] Node& owner() const noexcept { return node_; }

  // Behind the functions of Lane:
  std::byte* start_segment(int destination, Segment segment);
  Task* make_task(std::size_t closure_bytes);
  void push_task(Task* task);
  void progress_if_due();
  void start_bulk();
  void throw_if_failed() const;

  /// Sends all buffers that are not full.
  void flush();

 private:
  void enter();
  void unwind();
  static void loop_on_fiber(NodeThread& self) { self.loop(); }
  void loop();
  bool progress();
  bool take_inbox();
  void idle();
  void sleep(std::chrono::microseconds limit);
  void execute(Task* task);
  [[nodiscard]] Task* next_task();
  [[nodiscard]] Fiber* loop_fiber();
  void switch_to(Fiber* fiber);
  void suspend_for(Fiber* fiber);
  void open_stream(int destination);
  void close_stream(int destination);
  void wait_for_room(int destination);

  Node& node_;
  Duties duties_;
  Fiber thread_fiber_;
  Fiber* current_ = &thread_fiber_;
  FiberQueue ready_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_fibers_;  // in loop(), without a task
  TaskDeque deque_;
  TaskPool tasks_;
  std::vector<Stream> streams_storage_;
  std::vector<int> open_streams_;
  Clock::time_point oldest_;  // of the open streams
  int serving_ = 0;           // depth of serve()
  unsigned round_ = 0;
  bool task_first_ = false;
  std::uint64_t next_progress_ = 0;  // ticks

  std::atomic<bool> any_inbox_{false};
  std::atomic<bool> asleep_{false};
  std::mutex mutex_;  // of what follows
  std::condition_variable wake_up_;
  std::vector<Task*> inbox_tasks_;
  std::vector<Fiber*> inbox_fibers_;
  std::vector<Task*> taken_tasks_;  // the owner's side of a swap
  std::vector<Fiber*> taken_fibers_;
  Clock::time_point idle_since_;
  bool was_idle_ = false;
};

}  // namespace corewise::pgas::detail
