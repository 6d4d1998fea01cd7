/// Derives bounds on the clocks of a job's nodes from its events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "corewise/events.hpp"
#include "traffic/node_clocks.hpp"

namespace corewise {

/// The order that a call guarantees between events of different ranks.
enum class Order {
  none,
  matched_send,  ///< a synchronous send ends after its receive was posted
  barrier,       ///< no member leaves before all have entered
  exchange,      ///< as barrier if bytes are sent, because every member gets data from all
};

/// @param flow  cw_profile_flow.
[[nodiscard]] Order order_of(const CallInfo& call, int flow);

struct ClockEvidence {
  const EventLog& log;                 ///< with matched messages
  std::vector<std::size_t> node_of;    ///< [rank]
  std::vector<Order> order;            ///< [index into EventLog::calls]
  std::set<std::uint64_t> identified;  ///< ids that belong to a single communicator: the k-th collective of
                                       ///< one member is the k-th of all
};

/// Adds the bounds of all messages between nodes, and of collectives between nodes if no event was lost.
void add_evidence(const ClockEvidence& evidence, ClockComparison& comparison);

}  // namespace corewise
