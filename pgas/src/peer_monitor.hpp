// Heartbeats: how a node notices that another node is dead or unreachable.
#pragma once

#include <chrono>
#include <vector>

#include "flow_control.hpp"
#include "transport.hpp"

namespace corewise::pgas::detail {

/// Only node 0 and each other node exchange heartbeats, 2 (n - 1) of them per interval for n nodes. This
/// suffices because a failure that node 0 notices ends the run on all nodes. Any message counts as a
/// heartbeat. Used by the comm_server.
class PeerMonitor {
 public:
  /// @param timeout_s silence of a node for this time is an error.
  PeerMonitor(Transport& transport, FlowControlledSender& sender, double timeout_s);

  /// A message of `node` has arrived.
  void heard_from(int node) { last_heard_[static_cast<std::size_t>(node)] = Clock::now(); }

  /// If it is time, sends heartbeats and checks the peers.
  /// @throws Error if a process is dead, or was silent for `timeout_s`.
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
