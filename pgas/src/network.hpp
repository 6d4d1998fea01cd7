// A node's messages to and from the others: buffers, flow control, control messages, heartbeats.
#pragma once

#include <string>

#include "flow_control.hpp"
#include "peer_monitor.hpp"
#include "transport.hpp"

namespace corewise::pgas::detail {

/// Messages are filled and served by any thread; only the comm_server calls the transport.
class Network {
 public:
  Network(Transport& transport, const Options& options);

  [[nodiscard]] int node() const { return transport_.node(); }
  [[nodiscard]] int n_nodes() const { return transport_.n_nodes(); }
  [[nodiscard]] std::size_t buffer_bytes() const noexcept { return pool_.buffer_bytes(); }

  // Any thread:

  /// An empty buffer. @throws Error where all are in use.
  [[nodiscard]] Buffer* take_buffer() { return pool_.take(); }

  /// Queues a filled message for `node`.
  void enqueue(int node, Buffer* message) { sender_.enqueue(node, message); }

  /// Whether the comm_server has messages to send.
  [[nodiscard]] bool any_queued() const noexcept { return sender_.any_queued(); }

  /// Whether this many messages to `node` are queued that a thread should wait before it queues more.
  [[nodiscard]] bool congested(int node) const noexcept { return sender_.backlog(node) > 2 * credits_; }

  /// A message that came from receive() has been served: its buffer is free and its sender gets a credit.
  void release(Buffer* message);

  // The comm_server only:

  /// Starts communication.
  void start() { transport_.start(pool_); }

  /// Sends queued messages as far as credits allow.
  void send_queued() { sender_.send_queued(); }

  /// A message with operations to serve, or nullptr. Control messages are handled here; see stop_received()
  /// and failure_received().
  [[nodiscard]] Buffer* receive();

  /// Returns credits by empty messages: all, or only to nodes that are owed half of theirs, since the others
  /// will mostly get them in the header of a message soon.
  void return_credits(bool all);

  /// Sends heartbeats and checks those of others. @throws Error where a node is dead or cut off.
  void check_peers() { monitor_.check(); }

  /// Tells all other nodes that the root task has ended.
  void send_stop();
  [[nodiscard]] bool stop_received() const noexcept { return stop_received_; }

  /// Tells all other nodes the error that ended the run here.
  void send_failure(const std::string& error);

  /// The error of another node that ended the run there; empty: none.
  [[nodiscard]] const std::string& failure_received() const noexcept { return failure_received_; }

  /// Ends communication. Nodes whose run has not failed wait for each other up to Options::timeout_s.
  void finish(bool failed) { transport_.finish(failed, timeout_s_); }

 private:
  Transport& transport_;
  const int credits_;
  const double timeout_s_;
  BufferPool pool_;
  FlowControlledSender sender_;
  PeerMonitor monitor_;
  bool stop_received_ = false;
  std::string failure_received_;
};

}  // namespace corewise::pgas::detail
