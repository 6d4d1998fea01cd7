// The comm_server's work: sends what threads hand over, as far as credits go, and fetches what arrives.
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

/// Messages of one node. Each destination has `credits` messages under way at most; the receiver returns a
/// credit when it has served a message, in the header of its own messages or, where it has none, by an empty
/// one. Credits need no credits, and serving never waits, so they always return.
class Courier {
 public:
  Courier(Transport& transport, BufferPool& pool, const Options& options);

  /// Sends a filled buffer to `node` in its turn; any thread.
  void hand_over(int node, Buffer* buffer);

  /// Whether messages were handed over since the last send_waiting(); any thread.
  [[nodiscard]] bool any_handed_over() const noexcept {
    return any_handed_over_.load(std::memory_order_seq_cst);
  }

  /// A message of `node` has been served; any thread.
  void served(int node) noexcept;

  /// Messages to `node` that have not left; any thread.
  [[nodiscard]] int backlog(int node) const noexcept;

  // The rest is the comm_server's.

  /// Sends what can be sent.
  void send_waiting();

  /// The next message to serve, or nullptr; stop and failure show in stopped() and failure().
  [[nodiscard]] Buffer* receive();

  /// Keeps peers informed that this node lives, and looks whether they do.
  /// @throws Error where one is dead, or silent for Options::timeout_s.
  void watch_peers();

  /// Returns credits that no message took along.
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

  Buffer* control(Kind kind);
  void send(int node, Buffer* buffer);
  void drain(Peer& peer, int node);

  Transport& transport_;
  BufferPool& pool_;
  const Options& options_;
  std::vector<Peer> peers_;
  std::mutex mutex_;
  std::vector<Outgoing> handed_over_;
  std::atomic<bool> any_handed_over_{false};
  std::vector<Outgoing> taken_;
  int n_waiting_ = 0;
  bool stopped_ = false;
  std::string failure_;
  Clock::time_point next_watch_;
};

}  // namespace corewise::pgas::detail
