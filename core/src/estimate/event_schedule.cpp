/// schedule_of_events(): turns the calls of a traced job into actions of its threads.
#include <algorithm>
#include <vector>

#include "corewise/error.hpp"
#include "corewise/schedule.hpp"
#include "estimate/logged_collectives.hpp"
#include "text.hpp"

namespace corewise {
namespace {

void require_whole(const EventLog& log) {
  if (log.events.empty()) {
    throw Error(ErrorCode::bad_input,
                "the profile has no events; expected a profile of `corewise trace --mode events`");
  }
  if (log.n_dropped > 0 || log.n_damaged > 0) {
    throw Error(
        ErrorCode::bad_input,
        concat("the profile lacks events: the tracer left out ", log.n_dropped, ", and ", log.n_damaged,
               " chunks are damaged; expected all of them: trace again with more "
               "room for events (option event-mib), or a shorter run"));
  }
}

/// Events begin..end - 1 of one thread of one rank.
struct ThreadEvents {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class ScheduleWriter {
 public:
  ScheduleWriter(const Profile& profile, const EventLog& log, MpiLibrary library)
      : profile_(profile),
        log_(log),
        polled_(polled_shares(profile, log)),
        message_of_(log.events.size(), -1),
        completed_(log.events.size()) {
    schedule_.n_ranks = profile.n_ranks();
    for (const CallInfo& call : log.calls) schedule_.calls.push_back(call.name);
    number_messages();
    collectives_ = expand_collectives(profile, log, library, schedule_);
    for (std::size_t i = 0; i < log.events.size(); ++i) {
      const std::int64_t by = log.events[i].completed_by;
      if (by >= 0) completed_[static_cast<std::size_t>(by)].push_back(i);
    }
  }

  Schedule write() {
    for (std::size_t begin = 0; begin < log_.events.size();) {
      std::size_t end = begin;
      while (end < log_.events.size() && same_thread(log_.events[begin], log_.events[end])) ++end;
      write_thread({begin, end});
      begin = end;
    }
    add_silent_ranks();
    say_left_out();
    return std::move(schedule_);
  }

 private:
  static bool same_thread(const Event& a, const Event& b) { return a.rank == b.rank && a.thread == b.thread; }

  void number_messages() {
    for (std::size_t i = 0; i < log_.events.size(); ++i) {
      const Event& event = log_.events[i];
      const bool p2p = log_.calls[static_cast<std::size_t>(event.call)].layer == Layer::p2p;
      if (!p2p || event.failed) continue;
      const bool is_over = !event.starts || event.completed_by >= 0;
      if (event.matches < 0) {
        n_alone_ += event.sends || (event.receives && is_over) ? 1 : 0;
      } else if (event.sends) {
        const auto number = static_cast<std::int32_t>(schedule_.messages.size());
        const auto other = static_cast<std::size_t>(event.matches);
        schedule_.messages.push_back({event.rank, log_.events[other].rank, event.bytes});
        message_of_[i] = message_of_[other] = number;
      }
    }
  }

  /// The computing before the first call and after the last call together is exact: it is the rank's time
  /// minus the span of the calls. How it divides into the two parts depends on the time of MPI_Init, which
  /// was read separately, so `before_s` is limited to the sum.
  void write_thread(const ThreadEvents& thread) {
    const Event& first = log_.events[thread.begin];
    const RankInfo& rank = profile_.ranks()[static_cast<std::size_t>(raw(first.rank))];
    double last_s = first.begin_s;
    for (std::size_t i = thread.begin; i < thread.end; ++i) last_s = std::max(last_s, log_.events[i].end_s);
    const double outside_s = std::max(0.0, rank.wall_s - (last_s - first.begin_s));
    const double before_s = std::clamp(first.begin_s - rank.begin_s, 0.0, outside_s);
    std::vector<Action> actions;
    add_compute(actions, before_s);
    double free_s = first.begin_s;
    for (std::size_t i = thread.begin; i < thread.end;) {
      std::size_t after = i + 1;
      while (after < thread.end && log_.events[after].part) ++after;
      const Event& event = log_.events[i];
      add_compute(actions, (event.begin_s - free_s) * (1 - polled_[i]));
      free_s = std::max(free_s, event.end_s);
      if (layer(event) == Layer::io) add_compute(actions, event.end_s - event.begin_s);
      write_call(actions, i, after);
      i = after;
    }
    if (first.thread == 0) add_compute(actions, outside_s - before_s);
    schedule_.processes.push_back({first.rank, true, std::move(actions)});
  }

  [[nodiscard]] Layer layer(const Event& event) const {
    return log_.calls[static_cast<std::size_t>(event.call)].layer;
  }

  static void add_compute(std::vector<Action>& actions, double seconds) {
    if (seconds > 0) actions.push_back({Action::Kind::compute, -1, -1, seconds});
  }

  /// Writes event `i` and its parts, up to `after`: first what they start, then what they wait for.
  void write_call(std::vector<Action>& actions, std::size_t i, std::size_t after) {
    if (layer(log_.events[i]) == Layer::rma) ++n_one_sided_;
    for (const bool posted : {true, false}) {
      for (std::size_t k = i; k < after; ++k) {
        if (posts_receive(log_.events[k]) == posted) begin_message(actions, k);
      }
    }
    for (std::size_t k = i; k < after; ++k) {
      if (!log_.events[k].starts) wait_for(actions, k, log_.events[i].call);
    }
    begin_collective(actions, i);
    for (const std::size_t done : completed_[i]) wait_for(actions, done, log_.events[i].call);
  }

  /// MPI_Sendrecv posts its receive before it sends (Open MPI, ompi/mpi/c/sendrecv.c; MPICH,
  /// src/mpi/pt2pt/sendrecv.c), in whatever order the log has them. Requests keep the order of the log.
  static bool posts_receive(const Event& event) { return event.receives && !event.starts; }

  void begin_message(std::vector<Action>& actions, std::size_t k) const {
    if (message_of_[k] < 0) return;
    const bool sends = log_.events[k].sends;
    actions.push_back(
        {sends ? Action::Kind::send : Action::Kind::receive, log_.events[k].call, message_of_[k], 0});
  }

  void wait_for(std::vector<Action>& actions, std::size_t k, std::int32_t call) const {
    if (message_of_[k] >= 0) {
      const bool is_test = is_polling(log_.calls[static_cast<std::size_t>(call)].name);
      const Action::Kind sent = is_test ? Action::Kind::test_sent : Action::Kind::wait_sent;
      actions.push_back({log_.events[k].sends ? sent : Action::Kind::wait_received, call, message_of_[k], 0});
    }
    const auto process = collectives_.process_of.find(k);
    if (process != collectives_.process_of.end()) {
      actions.push_back({Action::Kind::join, call, process->second, 0});
    }
  }

  void begin_collective(std::vector<Action>& actions, std::size_t i) {
    const auto found = collectives_.actions_of.find(i);
    if (found == collectives_.actions_of.end()) return;
    const Event& event = log_.events[i];
    if (!event.starts) {
      actions.insert(actions.end(), found->second.begin(), found->second.end());
      return;
    }
    actions.push_back({Action::Kind::start, event.call, collectives_.process_of.at(i), 0});
  }

  void add_silent_ranks() {
    std::vector<bool> seen(static_cast<std::size_t>(schedule_.n_ranks));
    for (const Process& process : schedule_.processes)
      seen[static_cast<std::size_t>(raw(process.rank))] = true;
    for (std::int32_t rank = 0; rank < schedule_.n_ranks; ++rank) {
      if (seen[static_cast<std::size_t>(rank)]) continue;
      schedule_.processes.push_back({Rank{rank}, true, {}});
      add_compute(schedule_.processes.back().actions,
                  profile_.ranks()[static_cast<std::size_t>(rank)].wall_s);
    }
  }

  void say_left_out() {
    const auto say = [&](std::size_t n, const char* what) {
      if (n > 0) schedule_.left_out.push_back(concat("Left out: ", n, what));
    };
    say(n_alone_, " sends and receives whose other end is not in the profile.");
    say(n_one_sided_, " one-sided calls.");
    say(collectives_.n_left_out, " collectives that not all members called, or whose members are not known.");
  }

  const Profile& profile_;
  const EventLog& log_;
  std::vector<double> polled_;  ///< [event]
  Schedule schedule_;
  std::vector<std::int32_t> message_of_;             ///< [event]
  std::vector<std::vector<std::size_t>> completed_;  ///< [event] events of the requests that it completes
  LoggedCollectives collectives_;
  std::size_t n_alone_ = 0;
  std::size_t n_one_sided_ = 0;
};

}  // namespace

Schedule schedule_of_events(const Profile& profile, const EventLog& log, MpiLibrary library) {
  require_whole(log);
  return ScheduleWriter(profile, log, library).write();
}

}  // namespace corewise
