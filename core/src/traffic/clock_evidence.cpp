/// add_evidence(): bounds on the clocks of nodes from messages, synchronous sends and collectives.
#include "traffic/clock_evidence.hpp"

#include <corewise_formats/profile.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace corewise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The event that ended the operation; null if it did not end.
const Event* end_of(const EventLog& log, const Event& event) {
  if (!event.starts) return &event;
  return event.completed_by < 0 ? nullptr : &log.events[static_cast<std::size_t>(event.completed_by)];
}

class EvidenceReader {
 public:
  EvidenceReader(const ClockEvidence& evidence, ClockComparison& comparison)
      : evidence_(evidence), log_(evidence.log), comparison_(comparison) {}

  void run() {
    for (const Event& event : log_.events) {
      if (event.sends && event.matches >= 0) add_message(event);
    }
    if (log_.n_dropped > 0 || log_.n_damaged > 0) return;  // can't match calls by number
    list_collectives();
    for (auto& [comm, of_rank] : collectives_) add_collectives(of_rank);
  }

 private:
  using Entries = std::vector<const Event*>;

  [[nodiscard]] std::size_t node(const Event& event) const {
    return evidence_.node_of[static_cast<std::size_t>(raw(event.rank))];
  }
  [[nodiscard]] Order order(const Event& event) const {
    return evidence_.order[static_cast<std::size_t>(event.call)];
  }

  void add_message(const Event& send) {
    const Event& receive = log_.events[static_cast<std::size_t>(send.matches)];
    const std::size_t src = node(send), dst = node(receive);
    if (src == dst) return;
    const Event* received = end_of(log_, receive);
    comparison_.add({src, dst, send.begin_s, (received != nullptr ? received : &receive)->end_s});
    const Event* sent = end_of(log_, send);
    if (order(send) == Order::matched_send && sent != nullptr)
      comparison_.add({dst, src, receive.begin_s, sent->end_s});
  }

  void list_collectives() {
    for (const Event& event : log_.events) {
      if (event.collective && !event.part && evidence_.identified.contains(event.comm))
        collectives_[event.comm][raw(event.rank)].push_back(&event);
    }
  }

  /// @param of_rank  [rank] its collectives in one communicator, of all threads.
  void add_collectives(std::map<std::int32_t, Entries>& of_rank) {
    std::size_t n_common = std::numeric_limits<std::size_t>::max();
    for (auto& [rank, entries] : of_rank) {
      std::ranges::stable_sort(entries, {}, [](const Event* event) { return event->begin_s; });
      n_common = std::min(n_common, entries.size());
    }
    for (std::size_t k = 0; k < n_common; ++k) {
      Entries members;
      for (const auto& [rank, entries] : of_rank) members.push_back(entries[k]);
      const Event& first = *members.front();
      const bool alike = std::ranges::all_of(members, [&](const Event* event) {
        return event->call == first.call && event->peer == first.peer && !event->failed;
      });
      if (!alike) return;
      const bool has_bytes =
          std::ranges::all_of(members, [](const Event* event) { return event->bytes > 0; });
      if (order(first) == Order::barrier || (order(first) == Order::exchange && has_bytes))
        add_collective(members);
    }
  }

  void add_collective(const Entries& members) {
    struct Stay {
      double entered_s = -kInfinity;  ///< when the last member of the node entered
      double left_s = kInfinity;      ///< when the first member of the node left
    };
    std::map<std::size_t, Stay> stays;
    for (const Event* event : members) {
      Stay& stay = stays[node(*event)];
      stay.entered_s = std::max(stay.entered_s, event->begin_s);
      if (const Event* end = end_of(log_, *event)) stay.left_s = std::min(stay.left_s, end->end_s);
    }
    for (const auto& [from, entered] : stays) {
      for (const auto& [to, left] : stays) {
        if (from != to && left.left_s < kInfinity)
          comparison_.add({from, to, entered.entered_s, left.left_s});
      }
    }
  }

  const ClockEvidence& evidence_;
  const EventLog& log_;
  ClockComparison& comparison_;
  std::map<std::uint64_t, std::map<std::int32_t, Entries>> collectives_;
};

}  // namespace

Order order_of(const CallInfo& call, int flow) {
  if (call.name == "MPI_Ssend" || call.name == "MPI_Issend" || call.name == "MPI_Ssend_c" ||
      call.name == "MPI_Issend_c")
    return Order::matched_send;
  if (call.name == "MPI_Barrier" || call.name == "MPI_Ibarrier") return Order::barrier;
  const bool reaches_all = flow == CW_FLOW_ALL_PAIRS || flow == CW_FLOW_THROUGH_FIRST;
  return call.layer == Layer::coll && reaches_all ? Order::exchange : Order::none;
}

void add_evidence(const ClockEvidence& evidence, ClockComparison& comparison) {
  EvidenceReader(evidence, comparison).run();
}

}  // namespace corewise
