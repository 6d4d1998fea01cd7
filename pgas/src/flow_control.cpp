// Credits and queues of messages by destination.
#include "flow_control.hpp"

namespace corewise::pgas::detail {

FlowControlledSender::FlowControlledSender(Transport& transport, BufferPool& pool, int credits)
    : transport_(transport), pool_(pool), destinations_(static_cast<std::size_t>(transport.n_nodes())) {
  for (Destination& to : destinations_) to.credits = credits;
}

void FlowControlledSender::enqueue(int node, Buffer* message) {
  message->header().kind = MessageKind::operations;
  destination(node).backlog.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  queued_.push_back({node, message});
  any_queued_.store(true, std::memory_order_seq_cst);
}

int FlowControlledSender::backlog(int node) const noexcept {
  return destinations_[static_cast<std::size_t>(node)].backlog.load(std::memory_order_relaxed);
}

void FlowControlledSender::owe_credit(int node) noexcept {
  destination(node).owed_credits.fetch_add(1, std::memory_order_release);
}

void FlowControlledSender::send(int node, Buffer* message) {
  MessageHeader& header = message->header();
  header.source = static_cast<std::uint32_t>(transport_.node());
  header.credits =
      static_cast<std::uint32_t>(destination(node).owed_credits.exchange(0, std::memory_order_acquire));
  transport_.send(node, message);
}

void FlowControlledSender::send_waiting(int node) {
  Destination& to = destination(node);
  while (!to.waiting.empty() && to.credits > 0) {
    send(node, to.waiting.front());
    to.waiting.pop_front();
    --to.credits;
    to.backlog.fetch_sub(1, std::memory_order_relaxed);
  }
}

void FlowControlledSender::send_queued() {
  if (!any_queued_.load(std::memory_order_acquire)) return;
  {
    const std::lock_guard lock(mutex_);
    taken_.swap(queued_);
    any_queued_.store(false, std::memory_order_relaxed);
  }
  for (const auto& [node, message] : taken_) {
    destination(node).waiting.push_back(message);
    send_waiting(node);
  }
  taken_.clear();
}

void FlowControlledSender::add_credits(int node, int credits) {
  destination(node).credits += credits;
  send_waiting(node);
}

void FlowControlledSender::return_credits(int at_least) {
  for (int node = 0; node < transport_.n_nodes(); ++node) {
    if (destination(node).owed_credits.load(std::memory_order_relaxed) >= at_least) {
      send_control(node, MessageKind::credits);
    }
  }
}

void FlowControlledSender::send_control(int node, MessageKind kind, std::string_view text) {
  Buffer* const message = pool_.take();
  auto* const body = reinterpret_cast<char*>(message->data() + sizeof(MessageHeader));
  const std::size_t bytes = text.copy(body, pool_.buffer_bytes() - sizeof(MessageHeader));
  message->header() = {static_cast<std::uint32_t>(sizeof(MessageHeader) + bytes), kind, 0, 0};
  send(node, message);
}

}  // namespace corewise::pgas::detail
