// Flow control: limits the number of messages in flight to each destination; the rest waits in queues.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <string_view>
#include <vector>

#include "transport.hpp"

namespace corewise::pgas::detail {

/// Credit-based flow control of one node's messages. Each message with operations costs a credit for its
/// destination. After serving the message, the receiver returns the credit: in the header of any message, or
/// in an empty message. Control messages cost no credit, and serving a message never waits for another
/// message, so credits always come back.
class FlowControlledSender {
 public:
  /// @param credits greatest number of messages in flight to one destination.
  FlowControlledSender(Transport& transport, BufferPool& pool, int credits);

  // Any thread:

  /// Queues a filled buffer for `node`. The comm_server sends it.
  void enqueue(int node, Buffer* message);

  /// Were messages queued since the last send_queued()?
  [[nodiscard]] bool any_queued() const noexcept { return any_queued_.load(std::memory_order_seq_cst); }

  /// Number of messages to `node` that are queued and not sent yet.
  [[nodiscard]] int backlog(int node) const noexcept;

  /// A message of `node` was served: the next message to `node` returns a credit.
  void owe_credit(int node) noexcept;

  // Only the comm_server:

  /// Sends queued messages as far as credits allow.
  void send_queued();

  /// Adds credits that `node` has returned, and sends messages that waited for them.
  void add_credits(int node, int credits);

  /// Sends an empty message to each node that is owed at least this number of credits.
  void return_credits(int at_least);

  /// Sends a control message with a text, at once. The text is cut to the size of a buffer.
  void send_control(int node, MessageKind kind, std::string_view text = {});

 private:
  struct Outgoing {
    int node;
    Buffer* message;
  };
  struct Destination {
    int credits = 0;
    std::deque<Buffer*> waiting;  // for credits
    std::atomic<int> backlog{0};
    std::atomic<int> owed_credits{0};
  };

  [[nodiscard]] Destination& destination(int node) { return destinations_[static_cast<std::size_t>(node)]; }
  void send(int node, Buffer* message);
  void send_waiting(int node);

  Transport& transport_;
  BufferPool& pool_;
  std::vector<Destination> destinations_;  // [node]
  std::atomic<bool> any_queued_{false};
  std::mutex mutex_;              // protects queued_
  std::vector<Outgoing> queued_;  // since the last send_queued()
  std::vector<Outgoing> taken_;   // swapped with queued_, so that both keep their memory
};

}  // namespace corewise::pgas::detail
