// Starts, extends and finishes messages that a thread is filling.
#include "corewise/pgas/detail/outgoing_messages.hpp"

#include "buffers.hpp"

namespace corewise::pgas::detail {

void OutgoingMessages::start(int node, Buffer* buffer, std::size_t buffer_bytes) {
  messages_[static_cast<std::size_t>(node)] = {buffer->data() + sizeof(MessageHeader),
                                               buffer->data() + buffer_bytes, nullptr, buffer};
  if (destinations_.empty()) oldest_ = Clock::now();
  destinations_.push_back(node);
}

std::byte* OutgoingMessages::add(int node, const Segment& segment) noexcept {
  Message& message = messages_[static_cast<std::size_t>(node)];
  message.last_segment = reinterpret_cast<Segment*>(message.cursor);
  *message.last_segment = segment;
  std::byte* const record = message.cursor + sizeof segment;
  message.cursor = record + segment.record_bytes;
  return record;
}

Buffer* OutgoingMessages::finish(int node) {
  Message& message = messages_[static_cast<std::size_t>(node)];
  Buffer* const buffer = message.buffer;
  buffer->header().bytes = static_cast<std::uint32_t>(message.cursor - buffer->data());
  message = {};
  std::erase(destinations_, node);
  return buffer;
}

}  // namespace corewise::pgas::detail
