// Sends heartbeats and checks those of other nodes.
#include "peer_monitor.hpp"

#include <algorithm>
#include <string>

namespace corewise::pgas::detail {
namespace {

std::chrono::nanoseconds seconds(double s) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(s * 1e9));
}

}  // namespace

PeerMonitor::PeerMonitor(Transport& transport, FlowControlledSender& sender, double timeout_s)
    : transport_(transport),
      sender_(sender),
      timeout_s_(timeout_s),
      next_check_(Clock::now()),
      last_heard_(static_cast<std::size_t>(transport.n_nodes()), next_check_) {}

void PeerMonitor::check() {
  const Clock::time_point now = Clock::now();
  if (now < next_check_) return;
  next_check_ = now + seconds(std::min(0.5, timeout_s_ / 8));
  if (const auto dead = transport_.dead_node()) {
    throw Error("the process of node " + std::to_string(*dead) + " has ended before the job did");
  }
  for (int node = 0; node < transport_.n_nodes(); ++node) {
    if (node == transport_.node() || (node != 0 && transport_.node() != 0)) continue;
    sender_.send_control(node, MessageKind::credits);
    if (now - last_heard_[static_cast<std::size_t>(node)] > seconds(timeout_s_)) {
      throw Error(
          "nothing was heard from node " + std::to_string(node) + " for " + std::to_string(timeout_s_) +
          " s: it hangs, is cut off, or computes longer than Options::timeout_s without calling the runtime");
    }
  }
}

}  // namespace corewise::pgas::detail
