/// steps_of(): logical clocks of all processes, message by message.
#include "estimate/message_steps.hpp"

#include <algorithm>

#include "corewise/error.hpp"

namespace corewise {
namespace {

class LogicalClocks {
 public:
  explicit LogicalClocks(const Schedule& schedule)
      : schedule_(schedule), processes_(schedule.processes.size()), messages_(schedule.messages.size()) {}

  std::vector<std::vector<Transfer>> run() {
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (schedule_.processes[i].started) ready_.push_back(static_cast<std::int32_t>(i));
    }
    while (!ready_.empty()) {
      const std::int32_t process = ready_.back();
      ready_.pop_back();
      advance(process);
    }
    if (n_known_ < messages_.size()) {
      throw Error(
          ErrorCode::bad_input,
          "the calls of the job wait for each other without end; expected calls that end: was the whole "
          "program traced?");
    }
    return std::move(steps_);
  }

 private:
  struct ProcessState {
    std::size_t next = 0;
    std::int32_t clock = 0;  ///< the step that its next message can be in
    bool ended = false;
    std::int32_t joined_by = -1;
  };
  struct MessageState {
    std::int32_t sent_at = -1, received_at = -1;  ///< clocks of both ends; -1: not yet
    std::int32_t step = -1;
    std::vector<std::int32_t> waiting;  ///< processes
  };

  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  void advance(std::int32_t process) {
    ProcessState& own = processes_[at(process)];
    const Process& script = schedule_.processes[at(process)];
    for (; own.next < script.actions.size(); ++own.next) {
      if (!act(process, script.actions[own.next])) return;
    }
    own.ended = true;
    if (own.joined_by >= 0) ready_.push_back(own.joined_by);
  }

  /// False where the process has to wait; the action is tried again then.
  bool act(std::int32_t process, const Action& action) {
    ProcessState& own = processes_[at(process)];
    switch (action.kind) {
      case Action::Kind::compute:
        return true;
      case Action::Kind::send:
        messages_[at(action.index)].sent_at = own.clock;
        set_step(action.index);
        return true;
      case Action::Kind::receive:
        messages_[at(action.index)].received_at = own.clock;
        set_step(action.index);
        return true;
      case Action::Kind::wait_sent:
        // Whether a send waits for its receive depends on the placement: here the next step has to do.
        own.clock = std::max(own.clock, messages_[at(action.index)].sent_at + 1);
        return true;
      case Action::Kind::wait_received: {
        MessageState& message = messages_[at(action.index)];
        if (message.step < 0) {
          message.waiting.push_back(process);
          return false;
        }
        own.clock = std::max(own.clock, message.step + 1);
        return true;
      }
      case Action::Kind::start:
        processes_[at(action.index)].clock = own.clock;
        ready_.push_back(action.index);
        return true;
      case Action::Kind::join: {
        ProcessState& other = processes_[at(action.index)];
        if (!other.ended) {
          other.joined_by = process;
          return false;
        }
        own.clock = std::max(own.clock, other.clock);
        return true;
      }
    }
    return true;
  }

  /// Once both ends are known.
  void set_step(std::int32_t index) {
    MessageState& message = messages_[at(index)];
    if (message.sent_at < 0 || message.received_at < 0) return;
    message.step = std::max(message.sent_at, message.received_at);
    ++n_known_;
    if (at(message.step) >= steps_.size()) steps_.resize(at(message.step) + 1);
    const ScheduledMessage& what = schedule_.messages[at(index)];
    steps_[at(message.step)].push_back({message.step, raw(what.src), raw(what.dst), what.bytes});
    ready_.insert(ready_.end(), message.waiting.begin(), message.waiting.end());
    message.waiting.clear();
  }

  const Schedule& schedule_;
  std::vector<ProcessState> processes_;
  std::vector<MessageState> messages_;
  std::vector<std::int32_t> ready_;
  std::vector<std::vector<Transfer>> steps_;
  std::size_t n_known_ = 0;
};

}  // namespace

std::vector<std::vector<Transfer>> steps_of(const Schedule& schedule) {
  return LogicalClocks(schedule).run();
}

}  // namespace corewise
