/// expand_collectives(): turns the collective calls of a communicator's members into messages.
#include "estimate/logged_collectives.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "estimate/collective.hpp"
#include "estimate/step_actions.hpp"

namespace corewise {
namespace {

using Calls = std::vector<std::size_t>;  // indices of events of collectives

class Collectives {
 public:
  Collectives(const Profile& profile, const EventLog& log, MpiLibrary library, Schedule& schedule)
      : log_(log), library_(library), schedule_(schedule) {
    for (const CommInfo& comm : profile.comms()) {
      if (comm.by_identity && !comm.members.empty()) comms_.emplace(comm.id, &comm);
    }
  }

  LoggedCollectives expand() {
    std::map<std::uint64_t, std::map<std::int32_t, Calls>> calls_of;  // communicator, rank
    for (std::size_t i = 0; i < log_.events.size(); ++i) {
      const Event& event = log_.events[i];
      if (!event.collective || event.part || event.failed || !collective_named(name_of(i))) continue;
      calls_of[event.comm][raw(event.rank)].push_back(i);
    }
    for (auto& [id, of_ranks] : calls_of) {
      const auto comm = comms_.find(id);
      for (auto& [rank, calls] : of_ranks) {
        std::ranges::stable_sort(calls, {}, [&](std::size_t i) { return log_.events[i].begin_s; });
      }
      if (comm != comms_.end()) {
        expand_comm(*comm->second, of_ranks);
      } else {
        for (const auto& [rank, calls] : of_ranks) found_.n_left_out += calls.size();
      }
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] const std::string& name_of(std::size_t event) const {
    return log_.calls[static_cast<std::size_t>(log_.events[event].call)].name;
  }

  void expand_comm(const CommInfo& comm, const std::map<std::int32_t, Calls>& of_ranks) {
    std::size_t most = 0;
    for (const auto& [rank, calls] : of_ranks) most = std::max(most, calls.size());
    for (std::size_t k = 0; k < most; ++k) {
      Calls same;  // [member] its k-th call
      for (const Rank member : comm.members) {
        const auto calls = of_ranks.find(raw(member));
        if (calls != of_ranks.end() && k < calls->second.size()) same.push_back(calls->second[k]);
      }
      if (!expand_call(comm, same)) ++found_.n_left_out;
    }
  }

  /// Adds the messages of a collective call. False if a member's call is missing or of another kind, or
  /// if a receiver is no member.
  bool expand_call(const CommInfo& comm, const Calls& same) {
    if (same.size() != comm.members.size()) return false;
    const Collective kind = *collective_named(name_of(same.front()));
    for (const std::size_t event : same) {
      if (collective_named(name_of(event)) != kind) return false;
    }
    std::optional<CollectiveCall> call = call_of(kind, comm, same);
    if (!call) return false;
    for (const std::size_t event : same) prepare(event);
    const auto actions_of = [&](std::size_t member) -> std::vector<Action>& {
      const auto process = found_.process_of.find(same[member]);
      return process == found_.process_of.end()
                 ? found_.actions_of[same[member]]
                 : schedule_.processes[static_cast<std::size_t>(process->second)].actions;
    };
    add_step_actions(schedule_, transfers_of(*call, library_), comm.members, log_.events[same.front()].call,
                     actions_of);
    return true;
  }

  void prepare(std::size_t event) {
    found_.actions_of.try_emplace(event);
    if (!log_.events[event].starts) return;
    found_.process_of[event] = static_cast<std::int32_t>(schedule_.processes.size());
    schedule_.processes.push_back({log_.events[event].rank, false, {}});
  }

  [[nodiscard]] std::optional<CollectiveCall> call_of(Collective kind, const CommInfo& comm,
                                                      const Calls& same) const {
    CollectiveCall call{kind, static_cast<std::int32_t>(same.size()), 0, 0, {}};
    for (std::size_t member = 0; member < same.size(); ++member) {
      const Event& event = log_.events[same[member]];
      call.bytes = std::max(call.bytes, event.bytes);
      call.root = std::max(call.root, event.peer);
      if (!add_pairs(call, comm, same[member], static_cast<std::int32_t>(member))) return std::nullopt;
    }
    if (call.root >= call.n) return std::nullopt;
    if (kind == Collective::allgatherv) call.bytes = mean_bytes(same);
    if (kind == Collective::reduce_scatter) call.bytes = bytes_of_first(call);
    if (kind == Collective::neighbors && call.pairs.empty()) add_gathered(call, same);
    return call;
  }

  /// Adds the parts of a member's event, one per message to another member. False if a receiver is no member.
  bool add_pairs(CollectiveCall& call, const CommInfo& comm, std::size_t event, std::int32_t member) const {
    for (std::size_t k = event + 1; k < log_.events.size() && log_.events[k].part; ++k) {
      const auto peer = std::ranges::find(comm.members, Rank{log_.events[k].peer});
      if (peer == comm.members.end()) return false;
      const auto place = static_cast<std::int32_t>(peer - comm.members.begin());
      call.pairs.push_back({0, member, place, log_.events[k].bytes});
    }
    return true;
  }

  /// For Gatherv: adds a message of each member to the root.
  void add_gathered(CollectiveCall& call, const Calls& same) const {
    for (std::int32_t member = 0; member < call.n; ++member) {
      const std::uint64_t bytes = log_.events[same[static_cast<std::size_t>(member)]].bytes;
      if (member != call.root && bytes > 0) call.pairs.push_back({0, member, call.root, bytes});
    }
  }

  [[nodiscard]] std::uint64_t mean_bytes(const Calls& same) const {
    std::uint64_t sum = 0;
    for (const std::size_t event : same) sum += log_.events[event].bytes;
    return sum / same.size();
  }

  /// For Reduce_scatter: the vector's size. The parts of a member's event are the vector without its own
  /// block, which is taken to have mean size.
  [[nodiscard]] static std::uint64_t bytes_of_first(const CollectiveCall& call) {
    std::uint64_t others = 0;
    for (const Transfer& pair : call.pairs) others += pair.src == 0 ? pair.bytes : 0;
    const auto n = static_cast<std::uint64_t>(call.n);
    return n > 1 ? others * n / (n - 1) : others;
  }

  const EventLog& log_;
  MpiLibrary library_;
  Schedule& schedule_;
  std::map<std::uint64_t, const CommInfo*> comms_;
  LoggedCollectives found_;
};

}  // namespace

LoggedCollectives expand_collectives(const Profile& profile, const EventLog& log, MpiLibrary library,
                                     Schedule& schedule) {
  return Collectives(profile, log, library, schedule).expand();
}

}  // namespace corewise
