/// replay(): a discrete-event simulation of processes that compute, send, receive and wait.
#include "estimate/replay.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <queue>

#include "corewise/error.hpp"
#include "estimate/fair_shares.hpp"
#include "estimate/tcp_connections.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// Eager thresholds for machines whose figures have none: Open MPI 4.1's btl_vader_eager_limit and
/// btl_tcp_eager_limit, minus the header of 56 bytes that they include (mca_pml_ob1_send_request_start_btl).
constexpr std::uint64_t kEagerOnNode = 4096 - 56;
constexpr std::uint64_t kEagerBetweenNodes = 65536 - 56;

/// Time between two calls of a watch. The clock is read every kStepsPerLook steps; a step takes microseconds.
constexpr std::chrono::milliseconds kWatchPeriod{100};
constexpr std::uint32_t kStepsPerLook = 256;

/// Size on the wire of an empty message and of a handshake: headers of btl/tcp, TCP, IP and Ethernet.
constexpr double kLeastBytes = 100;

class Replay {
  using Kind = TcpConnections::Kind;

 public:
  Replay(const Schedule& schedule, const Machine& machine, const LinkPaths& paths,
         std::span<const LinkFigures> figures, const Placement& placement, const Watch& watch)
      : schedule_(schedule),
        machine_(machine),
        paths_(paths),
        figures_(figures),
        placement_(placement),
        watch_(watch),
        shares_(paths.capacities()),
        connections_(paths.capacities()),
        messages_(schedule.messages.size()),
        processes_(schedule.processes.size()) {
    found_.end_s.resize(processes_.size());
    found_.compute_s.resize(processes_.size());
    found_.wait_s.resize(schedule.calls.size());
    found_.link_bytes.resize(paths.capacities().size());
  }

  Replayed run() {
    for (std::int32_t process = 0; process < n_processes(); ++process) {
      if (schedule_.processes[at(process)].started) resume(process);
    }
    for (std::uint32_t n_steps = 1; step() || give_up_tests(); ++n_steps) {
      if (watch_ && n_steps % kStepsPerLook == 0) watch();
    }
    require_ended();
    return std::move(found_);
  }

 private:
  struct MessageState {
    bool sent = false, received = false;  ///< send and receive were called
    bool left = false, arrived = false;   ///< send and receive are complete
    bool under_way = false;
    bool announced = false;            ///< the receiver has the request of a rendezvous handshake
    std::int32_t waiting_sender = -1;  ///< number of a process; -1: none
    std::int32_t waiting_receiver = -1;
  };
  struct ProcessState {
    std::size_t next = 0;  ///< index of the next action
    bool ended = false;
    bool computed = false;  ///< the next action is a compute action, and its time has passed
    double blocked_since_s = -1;
    std::int32_t joined_by = -1;
  };
  /// An event whose time is already known: a process continues (resume), a message starts to use its links
  /// (flow) or is there (arrive), the receiver (announced) or the sender (cleared) of a handshake acts.
  struct Event {
    double at_s;
    std::uint64_t order;  ///< order of creation, which decides between events at the same time
    enum class Kind : std::uint8_t { resume, flow, arrive, announced, cleared } kind;
    std::int32_t index;
    friend bool operator>(const Event& a, const Event& b) {
      return a.at_s != b.at_s ? a.at_s > b.at_s : a.order > b.order;
    }
  };

  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  [[nodiscard]] std::int32_t n_processes() const { return static_cast<std::int32_t>(processes_.size()); }
  void later(double at_s, Event::Kind kind, std::int32_t index) {
    events_.push({at_s, n_events_++, kind, index});
  }

  void watch() {
    const auto now = std::chrono::steady_clock::now();
    if (now - watched_ < kWatchPeriod) return;
    watched_ = now;
    watch_();
  }

  /// Advances to the next time at which something happens, and handles all of it; false at the end.
  bool step() {
    shares_.settle(now_s_);
    const double flow_s = shares_.next_end_s();
    const double event_s = events_.empty() ? std::numeric_limits<double>::infinity() : events_.top().at_s;
    const double next_s = std::min({flow_s, event_s, connections_.next_s()});
    if (!std::isfinite(next_s)) return false;
    now_s_ = std::max(now_s_, next_s);
    while (shares_.next_end_s() <= now_s_) end_flow(shares_.end_next());
    while (connections_.next_s() <= now_s_) {
      TcpConnections::Parcel parcel{};
      if (connections_.next(parcel)) deliver(parcel);
    }
    while (!events_.empty() && events_.top().at_s <= now_s_) {
      const Event event = events_.top();
      events_.pop();
      if (event.kind == Event::Kind::resume) resume(event.index);
      if (event.kind == Event::Kind::flow) begin_flow(event.index);
      if (event.kind == Event::Kind::arrive) arrive(event.index);
      if (event.kind == Event::Kind::announced) announced(event.index);
      if (event.kind == Event::Kind::cleared) transmit(event.index, Kind::data);
    }
    return true;
  }

  /// Lets a process act until it has to wait.
  void resume(std::int32_t process) {
    ProcessState& own = processes_[at(process)];
    const Process& script = schedule_.processes[at(process)];
    if (own.blocked_since_s >= 0) end_wait(own, script);
    for (; own.next < script.actions.size(); ++own.next) {
      const Action& action = script.actions[own.next];
      if (act(process, action)) continue;
      if (action.kind != Action::Kind::compute) own.blocked_since_s = now_s_;
      return;
    }
    own.ended = true;
    found_.end_s[at(process)] = now_s_;
    if (own.joined_by >= 0) later(now_s_, Event::Kind::resume, own.joined_by);
  }

  void end_wait(ProcessState& own, const Process& script) {
    const Action& over = script.actions[own.next];
    if (over.call >= 0 && script.started) found_.wait_s[at(over.call)] += now_s_ - own.blocked_since_s;
    own.blocked_since_s = -1;
  }

  /// Performs an action. Returns false if the process has to wait: act() is called again when it is resumed.
  bool act(std::int32_t process, const Action& action) {
    switch (action.kind) {
      case Action::Kind::compute:
        if (!computed(process, action.compute_s)) return false;
        found_.compute_s[at(process)] += action.compute_s;
        return true;
      case Action::Kind::send:
        send(action.index);
        return true;
      case Action::Kind::receive:
        receive(action.index);
        return true;
      case Action::Kind::wait_sent:
      case Action::Kind::test_sent:
        return over(messages_[at(action.index)].left, messages_[at(action.index)].waiting_sender, process);
      case Action::Kind::wait_received:
        return over(messages_[at(action.index)].arrived, messages_[at(action.index)].waiting_receiver,
                    process);
      case Action::Kind::start:
        later(now_s_, Event::Kind::resume, action.index);
        return true;
      case Action::Kind::join:
        return over(processes_[at(action.index)].ended, processes_[at(action.index)].joined_by, process);
    }
    return true;
  }

  /// Returns false at first, and schedules the end of the computing; true after that.
  bool computed(std::int32_t process, double seconds) {
    ProcessState& own = processes_[at(process)];
    if (seconds <= 0 || own.computed) {
      own.computed = false;
      return true;
    }
    own.computed = true;
    later(now_s_ + seconds, Event::Kind::resume, process);
    return false;
  }

  static bool over(bool is_over, std::int32_t& waiting, std::int32_t process) {
    if (!is_over) waiting = process;
    return is_over;
  }

  void send(std::int32_t message) {
    MessageState& own = messages_[at(message)];
    own.sent = true;
    if (is_eager(message)) leave(message);
    if (is_connected(message)) {
      transmit(message, is_eager(message) ? Kind::data : Kind::announce);
    } else {
      start_if_ready(message);
    }
  }

  void receive(std::int32_t message) {
    MessageState& own = messages_[at(message)];
    own.received = true;
    if (!is_connected(message)) {
      start_if_ready(message);
    } else if (own.announced) {
      transmit(message, Kind::clear);
    }
  }

  void announced(std::int32_t message) {
    MessageState& own = messages_[at(message)];
    own.announced = true;
    if (own.received) transmit(message, Kind::clear);
  }

  [[nodiscard]] bool is_connected(std::int32_t message) const {
    const std::size_t level = level_of(message);
    return figures_[level - 1].tcp && static_cast<int>(level) > machine_.node_level();
  }

  void transmit(std::int32_t message, Kind kind) {
    const ScheduledMessage& what = schedule_.messages[at(message)];
    const Rank from = kind == Kind::clear ? what.dst : what.src;
    const Rank to = kind == Kind::clear ? what.src : what.dst;
    paths_.path(core_of(from), core_of(to), links_);
    std::erase_if(links_,
                  [&](std::int32_t link) { return paths_.name(link).level <= machine_.node_level(); });
    const auto bytes = kind == Kind::data ? static_cast<double>(what.bytes) : 0;
    for (const std::int32_t link : links_) found_.link_bytes[at(link)] += bytes;
    connections_.send({kind, message}, raw(from), raw(to), std::max(bytes, kLeastBytes), links_, now_s_);
  }

  void deliver(const TcpConnections::Parcel& parcel) {
    const double latency_s = figures_[level_of(parcel.message) - 1].latency_s;
    if (parcel.kind == Kind::announce) later(now_s_ + latency_s, Event::Kind::announced, parcel.message);
    if (parcel.kind == Kind::clear) later(now_s_ + latency_s, Event::Kind::cleared, parcel.message);
    if (parcel.kind == Kind::taken && !messages_[at(parcel.message)].left) leave(parcel.message);
    if (parcel.kind == Kind::data) later(now_s_ + latency_s, Event::Kind::arrive, parcel.message);
  }

  [[nodiscard]] CoreIndex core_of(Rank rank) const { return placement_.core(rank); }

  /// Ranks on the same core exchange messages through memory and use the figures of level 1.
  [[nodiscard]] std::size_t level_of(std::int32_t message) const {
    const ScheduledMessage& own = schedule_.messages[at(message)];
    return static_cast<std::size_t>(std::max(1, machine_.meeting_level(core_of(own.src), core_of(own.dst))));
  }

  [[nodiscard]] bool is_eager(std::int32_t message) const {
    const std::size_t level = level_of(message);
    const bool on_node = static_cast<int>(level) <= machine_.node_level();
    const std::uint64_t longest =
        figures_[level - 1].eager_bytes.value_or(on_node ? kEagerOnNode : kEagerBetweenNodes);
    return schedule_.messages[at(message)].bytes <= longest;
  }

  void start_if_ready(std::int32_t message) {
    MessageState& own = messages_[at(message)];
    if (own.under_way || !own.sent || !(own.received || is_eager(message))) return;
    own.under_way = true;
    const ScheduledMessage& what = schedule_.messages[at(message)];
    const auto bytes = static_cast<double>(what.bytes);
    paths_.path(core_of(what.src), core_of(what.dst), links_);
    const double latency_s = paths_.overhead(links_, figures_[level_of(message) - 1], bytes).all_s();
    for (const std::int32_t link : links_) found_.link_bytes[at(link)] += bytes;
    const bool takes_no_link = links_.empty() || what.bytes == 0;
    later(now_s_ + latency_s, takes_no_link ? Event::Kind::arrive : Event::Kind::flow, message);
  }

  void begin_flow(std::int32_t message) {
    const ScheduledMessage& what = schedule_.messages[at(message)];
    if (free_flows_.empty()) {
      free_flows_.push_back(static_cast<std::int32_t>(message_of_flow_.size()));
      message_of_flow_.push_back(-1);
    }
    const std::int32_t flow = free_flows_.back();
    free_flows_.pop_back();
    message_of_flow_[at(flow)] = message;
    paths_.path(core_of(what.src), core_of(what.dst), links_);
    shares_.begin(flow, static_cast<double>(what.bytes), links_, now_s_);
  }

  void end_flow(std::int32_t flow) {
    free_flows_.push_back(flow);
    arrive(message_of_flow_[at(flow)]);
  }

  void leave(std::int32_t message) {
    MessageState& own = messages_[at(message)];
    own.left = true;
    if (own.waiting_sender >= 0) later(now_s_, Event::Kind::resume, own.waiting_sender);
  }

  void arrive(std::int32_t message) {
    MessageState& own = messages_[at(message)];
    own.arrived = true;
    if (!own.left) leave(message);
    if (own.waiting_receiver >= 0) later(now_s_, Event::Kind::resume, own.waiting_receiver);
  }

  /// In the traced run the sends were over when MPI_Test asked. Under this placement they may wait for a
  /// receive (another level, another eager limit) that is posted only after the sender's next messages.
  /// @return false if no process can continue.
  bool give_up_tests() {
    bool goes_on = false;
    for (std::int32_t process = 0; process < n_processes(); ++process) {
      ProcessState& own = processes_[at(process)];
      const Process& script = schedule_.processes[at(process)];
      if (own.blocked_since_s < 0 || script.actions[own.next].kind != Action::Kind::test_sent) continue;
      messages_[at(script.actions[own.next].index)].waiting_sender = -1;
      end_wait(own, script);
      ++own.next;
      resume(process);
      goes_on = true;
    }
    return goes_on;
  }

  void require_ended() const {
    for (std::int32_t process = 0; process < n_processes(); ++process) {
      const ProcessState& own = processes_[at(process)];
      const Process& script = schedule_.processes[at(process)];
      if (own.ended || (own.next == 0 && !script.started)) continue;
      throw Error(ErrorCode::bad_input, stuck_text(script, script.actions[own.next]));
    }
  }

  [[nodiscard]] std::string stuck_text(const Process& script, const Action& action) const {
    std::string what = "a collective to end";
    if (action.kind == Action::Kind::wait_sent || action.kind == Action::Kind::wait_received) {
      const ScheduledMessage& message = schedule_.messages[at(action.index)];
      what = concat("the message of ", message.bytes, " bytes from rank ", raw(message.src), " to rank ",
                    raw(message.dst));
    }
    const std::string in = action.call >= 0 ? " in " + schedule_.calls[at(action.call)] : std::string();
    return concat("rank ", raw(script.rank), " waits", in, " for ", what,
                  ", which never comes; expected calls that end: was the whole program traced?");
  }

  const Schedule& schedule_;
  const Machine& machine_;
  const LinkPaths& paths_;
  std::span<const LinkFigures> figures_;
  const Placement& placement_;
  const Watch& watch_;
  std::chrono::steady_clock::time_point watched_;  ///< at the start the epoch: the first call is due at once
  FairShares shares_;
  TcpConnections connections_;
  std::vector<MessageState> messages_;
  std::vector<ProcessState> processes_;
  std::vector<std::int32_t> message_of_flow_;
  std::vector<std::int32_t> free_flows_;
  std::vector<std::int32_t> links_;  ///< of the current message
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t n_events_ = 0;
  double now_s_ = 0;
  Replayed found_;
};

}  // namespace

Replayed replay(const Schedule& schedule, const Machine& machine, const LinkPaths& paths,
                std::span<const LinkFigures> figures, const Placement& placement, const Watch& watch) {
  return Replay(schedule, machine, paths, figures, placement, watch).run();
}

}  // namespace corewise
