// Message buffers of one node. The pool has a limit, so that too many messages cause an error, not swapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace corewise::pgas::detail {

/// What a message is for.
enum class MessageKind : std::uint32_t {
  operations,  ///< segments to serve; costs a credit
  credits,     ///< only the header; also serves as a heartbeat
  stop,        ///< the root task has ended
  failure,     ///< the run has failed; contains the text of the error
};

/// Starts every message.
struct MessageHeader {
  std::uint32_t bytes;  ///< size of the message, with this header
  MessageKind kind;
  std::uint32_t credits;  ///< returned to the receiver
  std::uint32_t source;   ///< the sending node
};

/// One message; data() starts with a MessageHeader.
struct Buffer {
  std::unique_ptr<std::byte[]> memory;

  [[nodiscard]] std::byte* data() noexcept { return memory.get(); }
  [[nodiscard]] MessageHeader& header() noexcept { return *reinterpret_cast<MessageHeader*>(memory.get()); }
};

/// Buffers of one size; safe in any thread of a node.
class BufferPool {
 public:
  BufferPool(std::size_t buffer_bytes, std::size_t max_buffers);

  /// An empty buffer. @throws Error if `max_buffers` are in use.
  [[nodiscard]] Buffer* take();
  void give_back(Buffer* buffer);

  [[nodiscard]] std::size_t buffer_bytes() const noexcept { return buffer_bytes_; }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> all_;
  std::vector<Buffer*> free_;
  std::size_t buffer_bytes_;
  std::size_t max_buffers_;
};

}  // namespace corewise::pgas::detail
