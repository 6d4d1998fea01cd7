/// Messages that a thread is filling, one for each destination. They collect many small operations.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "corewise/pgas/detail/handlers.hpp"

namespace corewise::pgas::detail {

struct Buffer;

/// A message is a sequence of segments; a segment is a sequence of records of one size for one handler. Used
/// by one thread. The caller of finish() sends the message.
class OutgoingMessages {
 public:
  using Clock = std::chrono::steady_clock;

  explicit OutgoingMessages(int n_nodes) : messages_(static_cast<std::size_t>(n_nodes)) {}

  /// Space for one more record in the last segment of the message to `node`, if the segment has the handler,
  /// object and token of `wanted`, and the record fits; else nullptr.
  [[nodiscard]] std::byte* extend(int node, const Segment& wanted) noexcept {
    Message& message = messages_[static_cast<std::size_t>(node)];
    Segment* const last = message.last_segment;
    if (last == nullptr || last->handler != wanted.handler || last->token != wanted.token ||
        last->object_id != wanted.object_id || last->record_bytes != wanted.record_bytes ||
        message.cursor + wanted.record_bytes > message.end) [[unlikely]] {
      return nullptr;
    }
    ++last->count;
    std::byte* const record = message.cursor;
    message.cursor += wanted.record_bytes;
    return record;
  }

  /// End of the last record for `node` if its segment is for this handler, else nullptr.
  [[nodiscard]] std::byte* end_of_last_record(int node, std::uint32_t handler) const noexcept {
    const Message& message = messages_[static_cast<std::size_t>(node)];
    const bool same = message.last_segment != nullptr && message.last_segment->handler == handler;
    return same ? message.cursor : nullptr;
  }

  /// Has a message to `node` been started?
  [[nodiscard]] bool started(int node) const noexcept {
    return messages_[static_cast<std::size_t>(node)].buffer != nullptr;
  }

  /// Has a message to `node` been started, with room for this segment with one record?
  [[nodiscard]] bool fits(int node, const Segment& segment) const noexcept {
    const Message& message = messages_[static_cast<std::size_t>(node)];
    return message.buffer != nullptr && message.cursor + sizeof segment + segment.record_bytes <= message.end;
  }

  /// Starts the message to `node` in an empty buffer of `buffer_bytes`. No message to it may be started.
  void start(int node, Buffer* buffer, std::size_t buffer_bytes);

  /// Adds a segment that fits(). @return the address of its first record.
  [[nodiscard]] std::byte* add(int node, const Segment& segment) noexcept;

  /// Takes out the started message to `node`, and sets the size in its header.
  [[nodiscard]] Buffer* finish(int node);

  /// Destinations of all started messages.
  [[nodiscard]] const std::vector<int>& destinations() const noexcept { return destinations_; }

  /// Start time of the oldest started message. @pre there is one.
  [[nodiscard]] Clock::time_point oldest() const noexcept { return oldest_; }

 private:
  struct Message {
    std::byte* cursor = nullptr;  // where the next record goes
    std::byte* end = nullptr;     // end of the buffer's memory
    Segment* last_segment = nullptr;
    Buffer* buffer = nullptr;
  };

  std::vector<Message> messages_;  // [node]
  std::vector<int> destinations_;
  Clock::time_point oldest_;
};

}  // namespace corewise::pgas::detail
