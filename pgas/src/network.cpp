// Receives messages, and sends those that end the run.
#include "network.hpp"

#include <algorithm>

namespace corewise::pgas::detail {

Network::Network(Transport& transport, const Options& options)
    : transport_(transport),
      credits_(options.credits),
      pool_(options.buffer_bytes, options.max_buffers),
      sender_(transport, pool_, options.credits) {}

void Network::release(Buffer* message) {
  const auto source = static_cast<int>(message->header().source);
  pool_.give_back(message);
  sender_.owe_credit(source);
}

Buffer* Network::receive() {
  while (Buffer* const message = transport_.receive()) {
    const MessageHeader header = message->header();
    const auto source = static_cast<int>(header.source);
    if (header.credits > 0) sender_.add_credits(source, static_cast<int>(header.credits));
    if (header.kind == MessageKind::operations) return message;
    if (header.kind == MessageKind::stop) stop_received_ = true;
    if (header.kind == MessageKind::failure) {
      const auto* const text = reinterpret_cast<const char*>(message->data() + sizeof header);
      failure_received_.assign(text, header.bytes - sizeof header);
    }
    pool_.give_back(message);
  }
  return nullptr;
}

void Network::return_credits(bool all) { sender_.return_credits(all ? 1 : std::max(1, credits_ / 2)); }

void Network::send_stop() {
  for (int to = 0; to < n_nodes(); ++to) {
    if (to != node()) sender_.send_control(to, MessageKind::stop);
  }
}

void Network::send_failure(const std::string& error) {
  for (int to = 0; to < n_nodes(); ++to) {
    if (to != node()) sender_.send_control(to, MessageKind::failure, error);
  }
}

}  // namespace corewise::pgas::detail
