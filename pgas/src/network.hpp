// A node's communication with other nodes: buffers, flow control, control messages.
#pragma once

#include <string>

#include "flow_control.hpp"
#include "transport.hpp"

namespace corewise::pgas::detail {

/// Any thread fills and serves messages; only the comm_server calls the transport.
class Network {
 public:
  Network(Transport& transport, const Options& options);

  [[nodiscard]] int node() const { return transport_.node(); }
  [[nodiscard]] int n_nodes() const { return transport_.n_nodes(); }
  [[nodiscard]] std::size_t buffer_bytes() const noexcept { return pool_.buffer_bytes(); }

  // Any thread:

  /// An empty buffer. @throws Error if all are in use.
  [[nodiscard]] Buffer* take_buffer() { return pool_.take(); }

  /// Queues a filled message for `node`.
  void enqueue(int node, Buffer* message) { sender_.enqueue(node, message); }

  /// Does the comm_server have messages to send?
  [[nodiscard]] bool any_queued() const noexcept { return sender_.any_queued(); }

  /// Should a thread wait before it queues another message to `node`, because many are queued?
  [[nodiscard]] bool congested(int node) const noexcept { return sender_.backlog(node) > 2 * credits_; }

  /// Called after serving a message from receive(): frees its buffer and owes its sender a credit.
  void release(Buffer* message);

  // Only the comm_server:

  /// Starts communication.
  void start() { transport_.start(pool_); }

  /// Sends queued messages as far as credits allow.
  void send_queued() { sender_.send_queued(); }

  /// A message with operations to serve, or nullptr. Handles control messages: see stop_received() and
  /// failure_received().
  [[nodiscard]] Buffer* receive();

  /// Returns credits in empty messages. Unless `all`, only to nodes that are owed at least half of their
  /// credits: other nodes will probably get theirs soon in the header of another message.
  void return_credits(bool all);

  /// Reports to all other nodes that the root task has ended.
  void send_stop();
  [[nodiscard]] bool stop_received() const noexcept { return stop_received_; }

  /// Sends the error that ended the run here to all other nodes.
  void send_failure(const std::string& error);

  /// The error that ended the run on another node; empty: none.
  [[nodiscard]] const std::string& failure_received() const noexcept { return failure_received_; }

  /// Ends communication. If the run succeeded, nodes wait for each other.
  void finish(bool failed) { transport_.finish(failed); }

 private:
  Transport& transport_;
  const int credits_;
  BufferPool pool_;
  FlowControlledSender sender_;
  bool stop_received_ = false;
  std::string failure_received_;
};

}  // namespace corewise::pgas::detail
