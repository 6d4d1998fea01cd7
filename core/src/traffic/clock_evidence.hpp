/// What the events of a job say of the clocks of its nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "corewise/events.hpp"
#include "traffic/node_clocks.hpp"

namespace corewise {

/// What of a call orders events of several ranks.
enum class Order {
  none,
  matched_send,  ///< a synchronous send: it ends after its receive was posted
  barrier,       ///< nobody leaves it before all have entered
  exchange,      ///< nor this one, where it has bytes: a collective that gives every member something of all
};

/// @param flow  cw_profile_flow.
[[nodiscard]] Order order_of(const CallInfo& call, int flow);

struct ClockEvidence {
  const EventLog& log;                 ///< with matched messages
  std::vector<std::size_t> node_of;    ///< [rank]
  std::vector<Order> order;            ///< [call of the log]
  std::set<std::uint64_t> identified;  ///< ids of communicators that no other has: in these, the k-th
                                       ///< collective of one member is the k-th of all
};

/// Adds what messages between nodes say, synchronous sends, and collectives of a log that is whole; rooted
/// ones and those without bytes bind nobody.
void add_evidence(const ClockEvidence& evidence, ClockComparison& comparison);

}  // namespace corewise
