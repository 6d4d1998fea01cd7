// The scheduler of a thread: its loop, fibers and tasks.
#include "node_thread.hpp"

#include <sched.h>

#include <cstring>

#include "node.hpp"
#include "ticks.hpp"

namespace corewise::pgas::detail {
namespace {

using namespace std::chrono_literals;

/// A round of the loop costs a few ns, network progress 100 ns. So while there are tasks, only one in this
/// number of rounds (a power of two) makes progress.
constexpr unsigned rounds_per_progress = 64;

// An idle thread spins while an answer may be about to arrive, then yields the core to other threads, then
// sleeps. Messages from other nodes cause no wake-up, so the comm_server sleeps only for short intervals.
constexpr auto spin_time = 10us;
constexpr auto yield_time = 1ms;
constexpr auto network_poll_interval = 100us;
constexpr auto worker_sleep = 10ms;

}  // namespace

NodeThread::NodeThread(Node& node, Duties duties)
    : ThreadContext(node.info()),
      node_(node),
      duties_(duties),
      flush_time_(std::chrono::nanoseconds(static_cast<std::int64_t>(node.options().flush_s * 1e9))),
      thread_fiber_(*this),
      tasks_(node.task_depot()) {}

NodeThread::~NodeThread() {
  while (Task* const task = deque_.pop()) tasks_.give_back(task);
  (void)inbox_.take_all([this](Task* task) { tasks_.give_back(task); }, [](Fiber*) {});
}

void NodeThread::enter() {
  this_context = this;
  thread_fiber_.enter_thread();
  if (Fiber* const fiber = loop_fiber()) switch_to(fiber);
}

void NodeThread::end_suspended_tasks() {
  if (node_.failed()) {
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      if (fibers_[i]->suspended()) switch_to(fibers_[i].get());
    }
  }
  this_context = nullptr;
}

void NodeThread::loop() {
  node_.fail_on_error([this] {
    run_until_stopped();
    return true;
  });
  switch_to(&thread_fiber_);
}

void NodeThread::run_until_stopped() {
  while (!node_.stopping()) {
    ++round_;
    bool busy = round_ % rounds_per_progress == 0 && progress();
    task_first_ = !task_first_;  // alternates, so that neither new tasks nor ready fibers starve
    if (!task_first_ || deque_.empty()) {
      if (Fiber* const fiber = ready_.pop()) {
        was_idle_ = false;
        idle_fibers_.push_back(current_);
        switch_to(fiber);
        continue;
      }
    }
    if (Task* const task = duties_.compute ? next_task() : nullptr) {
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
}

Task* NodeThread::next_task() {
  Task* const own = deque_.pop();
  return own != nullptr ? own : node_.workers().steal(*this);
}

void NodeThread::execute(Task* task) {
  try {
    task->run(*this, *task);
  } catch (const std::exception& error) {
    node_.fail(error);
  } catch (...) {
    node_.fail("a task threw something that is no std::exception");
  }
  tasks_.give_back(task);
}

bool NodeThread::progress() noexcept {
  return node_.fail_on_error([this] { return make_progress(); });
}

bool NodeThread::make_progress() {
  bool busy = !inbox_.empty();
  if (busy) take_inbox();
  if (duties_.service) {
    while (Buffer* const message = node_.helpers().pop()) {
      serve(message);
      busy = true;
    }
  }
  if (!outgoing().destinations().empty() && Clock::now() - outgoing().oldest() > flush_time_) flush();
  if (duties_.network) busy = node_.comm_server().progress(*this) || busy;
  return busy;
}

void NodeThread::take_inbox() {
  const std::size_t n_tasks = inbox_.take_all([this](Task* task) { deque_.push(task); },
                                              [this](Fiber* fiber) { ready_.push(fiber); });
  if (n_tasks > 1) node_.workers().wake_one();
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
  if (fibers_.size() == node_.options().max_fibers) return nullptr;
  try {
    fibers_.push_back(std::make_unique<Fiber>(*this, node_.options().stack_bytes, &loop_on_fiber));
    idle_fibers_.reserve(fibers_.capacity());
    return fibers_.back().get();
  } catch (const std::exception& error) {
    node_.fail(error);
  }
  return nullptr;
}

inline void NodeThread::suspend_for(Fiber* fiber) {
  Fiber* const self = current_;
  Completion* const saved = scope();
  self->set_suspended(true);
  switch_to(fiber);
  self->set_suspended(false);
  exchange_scope(saved);
}

void NodeThread::suspend() {
  if (++round_ % rounds_per_progress == 0) progress();
  Fiber* next = ready_.pop();
  if (next == nullptr) next = loop_fiber();
  while (next == nullptr) {  // no fiber is left: wait on this one, without starting further tasks
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
  if (failed()) throw_failed();
}

void NodeThread::make_ready(Fiber* fiber) {
  if (this_context == this) {
    ready_.push(fiber);
    return;
  }
  inbox_.push(fiber);
}

void NodeThread::idle() noexcept {
  node_.fail_on_error([this] {
    flush();
    return true;
  });
  const Clock::time_point now = Clock::now();
  if (!was_idle_) {
    was_idle_ = true;
    idle_since_ = now;
  }
  const auto waited = now - idle_since_;
  if (waited < spin_time && !node_.plan().oversubscribed()) {
    pause();
  } else if (waited < yield_time) {
    sched_yield();
  } else if (duties_.network && n_nodes() > 1) {
    node_.comm_server().return_all_credits();
    sleep(network_poll_interval);
  } else {
    sleep(worker_sleep);
  }
}

void NodeThread::sleep(std::chrono::microseconds limit) {
  inbox_.sleep(limit, [this] {
    if (duties_.compute) node_.workers().note_asleep();
    return !node_.stopping() && !(duties_.network && node_.network().any_queued());
  });
  if (duties_.compute) node_.workers().note_awake();
}

void NodeThread::push(Task* task) {
  if (!duties_.compute) {
    node_.workers().push(task);
    return;
  }
  deque_.push(task);
  node_.workers().wake_one();
}

void NodeThread::begin_bulk_read() {
  while (node_.bulk_reads().full()) {
    flush();
    progress();
    yield();
  }
  node_.bulk_reads().start();
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
