// Heartbeats: how a node notices that another one is dead or cut off.
#pragma once

#include <chrono>
#include <vector>

#include "flow_control.hpp"
#include "transport.hpp"

namespace corewise::pgas::detail {

/// Node 0 and every other node exchange heartbeats, so n nodes send 2 (n - 1) of them in each interval; other
/// pairs need none, since a failure that node 0 sees ends the run on all nodes. Any message counts as a
/// heartbeat. Used by the comm_server.
class PeerMonitor {
 public:
  /// @param timeout_s a node not heard from for so long is an error.
  PeerMonitor(Transport& transport, FlowControlledSender& sender, double timeout_s);

  /// A message of `node` has arrived.
  void heard_from(int node) { last_heard_[static_cast<std::size_t>(node)] = Clock::now(); }

  /// Where it is time, sends heartbeats and checks the peers.
  /// @throws Error where a process is dead, or was not heard from for `timeout_s`.
  void check();

 private:
  using Clock = std::chrono::steady_clock;

  Transport& transport_;
  FlowControlledSender& sender_;
  double timeout_s_;
  Clock::time_point next_check_;
  std::vector<Clock::time_point> last_heard_;  // [node]
};

}  // namespace corewise::pgas::detail
