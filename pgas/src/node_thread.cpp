// A thread of a node: its loop, its fibers, its tasks.
#include "node_thread.hpp"

#include <sched.h>

#include <cstring>

#include "node.hpp"
#include "ticks.hpp"

namespace corewise::pgas::detail {
namespace {

using namespace std::chrono_literals;

/// A round of the loop costs a few ns, progress on the network 100 ns: so only one round in this many (a
/// power of two) makes progress while there are tasks.
constexpr unsigned rounds_per_progress = 64;

// An idle thread spins while an answer may be on its way, then yields the core to other threads, then sleeps.
// No signal announces a message of another node, so the comm_server sleeps for short intervals only.
constexpr auto spin_time = 10us;
constexpr auto yield_time = 1ms;
constexpr auto network_poll_interval = 100us;
constexpr auto worker_sleep = 10ms;

}  // namespace

NodeThread::NodeThread(Node& node, Duties duties)
    : node_(node),
      duties_(duties),
      thread_fiber_(*this),
      tasks_(node.shared_tasks),
      streams_storage_(static_cast<std::size_t>(node.transport.n_nodes())) {
  Lane::node = node.transport.node();
  n_nodes = node.transport.n_nodes();
  only_thread = node.plan().workers() + node.plan().helpers() == 0;
  streams = streams_storage_.data();
  objects = node.objects.data();
  failed = &node.failed_flag();
  n_workers_ = node.n_workers();
  max_record_bytes_ = node.options.buffer_bytes - sizeof(MessageHeader) - sizeof(Segment);
}

NodeThread::~NodeThread() {
  while (Task* const task = deque_.pop()) tasks_.give_back(task);
  for (Task* const task : inbox_tasks_) tasks_.give_back(task);
}

void NodeThread::enter() {
  this_lane = this;
  thread_fiber_.enter_thread();
  switch_to(loop_fiber());
}

void NodeThread::unwind() {
  if (node_.failed()) {
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      if (fibers_[i]->suspended) switch_to(fibers_[i].get());
    }
  }
  this_lane = nullptr;
}

void NodeThread::loop() {
  while (!node_.stopping()) {
    ++round_;
    bool busy = round_ % rounds_per_progress == 0 && progress();
    task_first_ = !task_first_;  // neither new tasks nor resumed fibers may starve the other
    if (!task_first_ || deque_.empty()) {
      if (Fiber* const fiber = ready_.pop()) {
        was_idle_ = false;
        idle_fibers_.push_back(current_);
        switch_to(fiber);
        continue;
      }
    }
    if (Task* const task = duties_.works ? next_task() : nullptr) {
      was_idle_ = false;
      execute(task);
      continue;
    }
    busy = progress() || busy;
    if (busy) {
      was_idle_ = false;
    } else if (ready_.empty() && deque_.empty()) {
      idle();
    }
  }
  switch_to(&thread_fiber_);
}

Task* NodeThread::next_task() {
  Task* const own = deque_.pop();
  return own != nullptr ? own : node_.steal(*this);
}

void NodeThread::execute(Task* task) {
  try {
    task->run(*this, *task);
  } catch (const std::exception& error) {
    node_.fail(error.what());
  } catch (...) {
    node_.fail("a task threw something that is no std::exception");
  }
  tasks_.give_back(task);
}

bool NodeThread::progress() {
  bool busy = any_inbox_.load(std::memory_order_acquire) && take_inbox();
  if (duties_.helps) {
    while (Buffer* const message = node_.next_for_helper()) {
      serve(message);
      busy = true;
    }
  }
  if (!open_streams_.empty() && Clock::now() - oldest_ > node_.flush_time()) flush();
  if (duties_.network) busy = node_.progress_network(*this) || busy;
  return busy;
}

bool NodeThread::take_inbox() {
  {
    const std::lock_guard lock(mutex_);
    taken_tasks_.swap(inbox_tasks_);
    taken_fibers_.swap(inbox_fibers_);
    any_inbox_.store(false, std::memory_order_relaxed);
  }
  for (Task* const task : taken_tasks_) deque_.push(task);
  for (Fiber* const fiber : taken_fibers_) ready_.push(fiber);
  const bool any = !taken_tasks_.empty() || !taken_fibers_.empty();
  if (taken_tasks_.size() > 1) node_.wake_worker();
  taken_tasks_.clear();
  taken_fibers_.clear();
  return any;
}

inline void NodeThread::switch_to(Fiber* fiber) {
  Fiber* const from = current_;
  current_ = fiber;
  from->switch_to(*fiber);
}

Fiber* NodeThread::loop_fiber() {
  if (!idle_fibers_.empty()) {
    Fiber* const fiber = idle_fibers_.back();
    idle_fibers_.pop_back();
    return fiber;
  }
  if (fibers_.size() == node_.options.max_fibers) return nullptr;
  fibers_.push_back(std::make_unique<Fiber>(*this, node_.options.stack_bytes, &loop_on_fiber));
  return fibers_.back().get();
}

inline void NodeThread::suspend_for(Fiber* fiber) {
  Fiber* const self = current_;
  Completion* const saved = scope;
  self->suspended = true;
  switch_to(fiber);
  self->suspended = false;
  scope = saved;
}

void NodeThread::suspend() {
  if (++round_ % rounds_per_progress == 0) progress();
  Fiber* next = ready_.pop();
  if (next == nullptr) next = loop_fiber();
  while (next == nullptr) {  // no fiber left: wait on this one, where no further task can start
    if (node_.stopping()) return;
    if (!progress()) idle();
    next = ready_.pop();
  }
  if (next != current_) suspend_for(next);
}

void NodeThread::yield() {
  throw_if_failed();
  const bool alone = ready_.empty() && deque_.empty();
  if (++round_ % (alone ? rounds_per_progress / 8 : rounds_per_progress) == 0) progress();
  Fiber* next = deque_.empty() ? nullptr : loop_fiber();
  if (next == nullptr && ready_.empty()) return;
  ready_.push(current_);
  if (next == nullptr) next = ready_.pop();
  suspend_for(next);
  throw_if_failed();
}

void NodeThread::throw_if_failed() const {
  if (node_.failed()) throw_failed();
}

void NodeThread::make_ready(Fiber* fiber) {
  if (this_lane == this) {
    ready_.push(fiber);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    inbox_fibers_.push_back(fiber);
    any_inbox_.store(true, std::memory_order_seq_cst);
  }
  wake();
}

void NodeThread::push_inbox(Task* task) {
  {
    const std::lock_guard lock(mutex_);
    inbox_tasks_.push_back(task);
    any_inbox_.store(true, std::memory_order_seq_cst);
  }
  wake();
}

void NodeThread::wake() {
  if (!asleep() || !asleep_.exchange(false, std::memory_order_seq_cst)) return;  // another one does it
  const std::lock_guard lock(mutex_);
  wake_up_.notify_one();
}

void NodeThread::idle() {
  flush();
  const Clock::time_point now = Clock::now();
  if (!was_idle_) {
    was_idle_ = true;
    idle_since_ = now;
  }
  const auto waited = now - idle_since_;
  if (waited < spin_time && node_.spinning_helps()) {
    pause();
  } else if (waited < yield_time) {
    sched_yield();
  } else if (duties_.network && n_nodes > 1) {
    node_.return_all_credits();
    sleep(network_poll_interval);
  } else {
    sleep(worker_sleep);
  }
}

void NodeThread::sleep(std::chrono::microseconds limit) {
  std::unique_lock lock(mutex_);
  asleep_.store(true, std::memory_order_seq_cst);
  if (duties_.works) node_.sleeping_workers.fetch_add(1, std::memory_order_seq_cst);
  const bool nothing = !any_inbox_.load(std::memory_order_seq_cst) && !node_.stopping() &&
                       !(duties_.network && node_.sender.any_queued());
  if (nothing) wake_up_.wait_for(lock, limit);
  if (duties_.works) node_.sleeping_workers.fetch_sub(1, std::memory_order_seq_cst);
  asleep_.store(false, std::memory_order_seq_cst);
}

void NodeThread::push_task(Task* task) {
  if (!duties_.works) {
    node_.push_elsewhere(task);
    return;
  }
  deque_.push(task);
  node_.wake_worker();
}

Task* NodeThread::make_task(std::size_t closure_bytes) { return tasks_.take(closure_bytes); }

void NodeThread::start_bulk() {
  constexpr int max_bulk_reads = 64;
  while (node_.bulk_reads_in_flight.load(std::memory_order_relaxed) >= max_bulk_reads) {
    flush();
    progress();
    yield();
  }
  node_.bulk_reads_in_flight.fetch_add(1, std::memory_order_relaxed);
}

void NodeThread::progress_if_due() {
  throw_if_failed();
  const std::uint64_t now = ticks();
  if (now > next_progress_) {
    next_progress_ = now + ticks_between_progress;
    progress();
  }
  if (!ready_.empty()) yield();
}

}  // namespace corewise::pgas::detail
