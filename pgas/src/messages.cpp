// How a thread gathers messages into buffers, hands them over, and serves those that arrive.
#include <cstring>
#include <string>

#include "node.hpp"

namespace corewise::pgas::detail {
namespace {

struct Acknowledgement {
  std::uint64_t token;
  std::uint64_t count;
};

void receive_acknowledgements(const Incoming& in) {
  const auto* const records = reinterpret_cast<const Acknowledgement*>(in.records);
  for (std::uint32_t i = 0; i < in.segment.count; ++i) {
    completion_of(records[i].token).complete(static_cast<std::int64_t>(records[i].count));
  }
}

}  // namespace

void acknowledge(Lane& lane, int node, std::uint64_t token, std::uint32_t count) {
  const std::uint32_t handler = handler_id<&receive_acknowledgements>();
  const Stream& stream = lane.streams[node];
  if (stream.open != nullptr && stream.open->handler == handler) {
    auto& last = *(reinterpret_cast<Acknowledgement*>(stream.cursor) - 1);
    if (last.token == token) {
      last.count += count;
      return;
    }
  }
  *lane.append<Acknowledgement>(node, handler, 0, 0) = {token, count};
}

std::byte* NodeThread::start_segment(int destination, Segment segment) {
  const std::size_t bytes = sizeof(Segment) + segment.record_bytes;
  Stream& stream = streams[destination];
  // What waits for room serves messages, which may fill this stream: so look again.
  while (stream.buffer == nullptr || stream.cursor + bytes > stream.end) {
    if (stream.buffer != nullptr) close_stream(destination);
    if (serving_ == 0) wait_for_room(destination);
    if (stream.buffer == nullptr) open_stream(destination);
  }
  stream.open = reinterpret_cast<Segment*>(stream.cursor);
  *stream.open = segment;
  std::byte* const record = stream.cursor + sizeof(Segment);
  stream.cursor += bytes;
  return record;
}

void NodeThread::open_stream(int destination) {
  Stream& stream = streams[destination];
  stream.buffer = node_.pool.take();
  stream.cursor = stream.buffer->data() + sizeof(MessageHeader);
  stream.end = stream.buffer->data() + node_.pool.buffer_bytes();
  stream.open = nullptr;
  if (open_streams_.empty()) oldest_ = Clock::now();
  open_streams_.push_back(destination);
}

void NodeThread::close_stream(int destination) {
  Stream& stream = streams[destination];
  stream.buffer->header().bytes = static_cast<std::uint32_t>(stream.cursor - stream.buffer->data());
  node_.sender.enqueue(destination, stream.buffer);
  stream = {};
  std::erase(open_streams_, destination);
  if (duties_.network) {
    node_.send_queued();
  } else {
    node_.wake_comm_server();
  }
}

void NodeThread::flush() {
  while (!open_streams_.empty()) close_stream(open_streams_.back());
}

void NodeThread::wait_for_room(int destination) {
  if (duties_.network) node_.progress_network(*this);
  while (node_.sender.backlog(destination) > 2 * node_.options.credits) {
    throw_if_failed();
    if (duties_.network) {
      node_.progress_network(*this);
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
    node_.fail(error.what());
  }
  --serving_;
  node_.pool.give_back(message);
  node_.sender.owe_credit(source);
}

}  // namespace corewise::pgas::detail
