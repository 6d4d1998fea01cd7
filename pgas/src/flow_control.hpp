// Flow control: each destination has a limited number of messages in flight; the rest wait in queues.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "corewise/pgas/run.hpp"
#include "transport.hpp"

namespace corewise::pgas::detail {

using Clock = std::chrono::steady_clock;

/// Credit-based flow control for one node's messages. At most `Options::credits` messages to a destination
/// are in flight. The receiver returns one credit for each message that it has served: in the header of a
/// message that it sends anyway, or in an empty message. Empty messages cost no credit, and serving a message
/// never waits for another one, so credits always come back.
class FlowControlledSender {
 public:
  FlowControlledSender(Transport& transport, BufferPool& pool, const Options& options);

  /// Queues a filled buffer for `node`; any thread. The comm_server sends it.
  void enqueue(int node, Buffer* buffer);

  /// Whether messages were queued since the last send_queued(); any thread.
  [[nodiscard]] bool any_queued() const noexcept { return any_queued_.load(std::memory_order_seq_cst); }

  /// Notes that a message of `node` was served, so that `node` gets a credit back; any thread.
  void owe_credit(int node) noexcept;

  /// Number of messages to `node` that are queued and not sent yet; any thread.
  [[nodiscard]] int backlog(int node) const noexcept;

  // The functions below are called by the comm_server only.

  /// Sends queued messages as far as credits allow.
  void send_queued();

  /// The next message to serve, or nullptr. Control messages are handled here: see stopped() and failure().
  [[nodiscard]] Buffer* receive();

  /// Sends heartbeats to peers and checks theirs.
  /// @throws Error where a peer's process is dead, or was not heard from for Options::timeout_s.
  void watch_peers();

  /// Returns credits by empty messages: `all`, or only to nodes that are owed half of their credits.
  void return_credits(bool all);

  void send_stop();
  void send_failure(const std::string& sentence);

  [[nodiscard]] bool stopped() const noexcept { return stopped_; }
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

 private:
  struct Outgoing {
    int node;
    Buffer* buffer;
  };
  struct Peer {
    int credits = 0;
    std::deque<Buffer*> waiting;
    std::atomic<int> owed{0};
    std::atomic<int> backlog{0};
    Clock::time_point heard;
  };

  Buffer* control(MessageKind kind);
  void send(int node, Buffer* buffer);
  void drain(Peer& peer, int node);

  Transport& transport_;
  BufferPool& pool_;
  const Options& options_;
  std::vector<Peer> peers_;
  std::mutex mutex_;
  std::vector<Outgoing> queued_;
  std::atomic<bool> any_queued_{false};
  std::vector<Outgoing> taken_;
  int n_waiting_ = 0;
  bool stopped_ = false;
  std::string failure_;
  Clock::time_point next_watch_;
};

}  // namespace corewise::pgas::detail
