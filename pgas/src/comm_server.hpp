// The comm_server's work: moves messages between the network and the node's threads, and ends the run.
#pragma once

#include <atomic>

namespace corewise::pgas::detail {

class Network;
class Node;
class NodeThread;

/// The functions of this class are called in the middle of tasks too. So a network error never leaves them as
/// an exception, which would blame the task: it ends the run by Node::fail().
class CommServer {
 public:
  CommServer(Node& node, Network& network) : node_(node), network_(network) {}

  /// The root task has ended: the next progress() ends the run on all nodes. Any thread.
  void root_ended() noexcept { root_ended_.store(true, std::memory_order_seq_cst); }

  // The thread with the network duty only:

  /// Sends, receives, and serves messages or gives them to the helpers. @return whether anything happened.
  bool progress(NodeThread& thread) noexcept;

  /// Sends queued messages now, as far as credits allow.
  void send_queued() noexcept;

  /// Returns all credits now, since the thread is going to sleep.
  void return_all_credits() noexcept;

 private:
  bool exchange_messages(NodeThread& thread);

  Node& node_;
  Network& network_;
  std::atomic<bool> root_ended_{false};
};

}  // namespace corewise::pgas::detail
