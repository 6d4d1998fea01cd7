// The work of the comm_server: moves messages between the network and the node's threads, and ends the run.
#pragma once

#include <atomic>

namespace corewise::pgas::detail {

class Network;
class Node;
class NodeThread;

/// These functions are also called in the middle of tasks. A network error must not leave them as an
/// exception, which would be attributed to the task: instead, it ends the run by Node::fail().
class CommServer {
 public:
  CommServer(Node& node, Network& network) : node_(node), network_(network) {}

  /// Called by any thread when the root task has ended: the next progress() ends the run on all nodes.
  void root_ended() noexcept { root_ended_.store(true, std::memory_order_seq_cst); }

  // Only on the thread with the network duty:

  /// Sends, receives, and serves messages or gives them to the helpers. @return true if anything happened.
  bool progress(NodeThread& thread) noexcept;

  /// Sends queued messages now, as far as credits allow.
  void send_queued() noexcept;

  /// Returns all credits now, because the thread is about to sleep.
  void return_all_credits() noexcept;

 private:
  bool exchange_messages(NodeThread& thread);

  Node& node_;
  Network& network_;
  std::atomic<bool> root_ended_{false};
};

}  // namespace corewise::pgas::detail
