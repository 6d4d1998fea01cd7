// The helpers of a node, which serve messages, and the queue of messages for them.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

namespace corewise::pgas::detail {

struct Buffer;
class NodeThread;

/// A queue of messages from the comm_server to the helpers. Safe in any thread, except for add(), which is
/// called before the threads start.
class Helpers {
 public:
  void add(NodeThread& helper) { threads_.push_back(&helper); }

  /// Queues a message and wakes the helpers.
  void push(Buffer* message);

  /// The oldest message, or nullptr.
  [[nodiscard]] Buffer* pop();

 private:
  std::vector<NodeThread*> threads_;
  std::atomic<bool> any_{false};
  std::mutex mutex_;  // protects messages_
  std::deque<Buffer*> messages_;
};

}  // namespace corewise::pgas::detail
