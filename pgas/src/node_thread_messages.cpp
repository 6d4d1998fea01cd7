// Messages of a thread: filling, sending and serving them.
#include <string>
#include <thread>

#include "node.hpp"

namespace corewise::pgas::detail {

std::byte* NodeThread::append_segment(int destination, const Segment& segment) {
  // wait_for_room() serves messages, and the answers may fill the message to `destination`: so check again.
  while (!outgoing().fits(destination, segment)) {
    if (outgoing().started(destination)) send(destination);
    if (serving_ == 0) wait_for_room(destination);
    if (!outgoing().started(destination)) {
      outgoing().start(destination, node_.network().take_buffer(), node_.network().buffer_bytes());
    }
  }
  return outgoing().add(destination, segment);
}

void NodeThread::flush() {
  while (!outgoing().destinations().empty()) send(outgoing().destinations().back());
}

void NodeThread::send(int destination) {
  node_.network().enqueue(destination, outgoing().finish(destination));
  if (duties_.network) {
    node_.comm_server().send_queued();
  } else {
    node_.wake_comm_server();
  }
}

void NodeThread::wait_for_room(int destination) {
  if (duties_.network) node_.comm_server().progress(*this);
  while (node_.network().congested(destination)) {
    throw_if_failed();
    if (duties_.network) {
      node_.comm_server().progress(*this);
    } else {
      std::this_thread::yield();
    }
  }
}

void NodeThread::serve(Buffer* message) {
  const MessageHeader& header = message->header();
  const auto source = static_cast<int>(header.source);
  ++serving_;
  try {
    const std::byte* at = message->data() + sizeof header;
    const std::byte* const end = message->data() + header.bytes;
    while (at < end) {
      const auto& segment = *reinterpret_cast<const Segment*>(at);
      at += sizeof segment;
      const Handler handler = find_handler(segment.handler);
      if (handler == nullptr) {
        throw Error("a message of node " + std::to_string(source) + " wants handler " +
                    std::to_string(segment.handler) + ", which this program does not have");
      }
      handler({*this, source, segment, at});
      at += std::size_t{segment.count} * segment.record_bytes;
    }
  } catch (const std::exception& error) {
    node_.fail(error);
  }
  --serving_;
  node_.network().release(message);
}

}  // namespace corewise::pgas::detail
