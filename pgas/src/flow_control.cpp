// Flow control by credits.
#include "flow_control.hpp"

#include <algorithm>
#include <cstring>

namespace corewise::pgas::detail {
namespace {

std::chrono::nanoseconds seconds(double s) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(s * 1e9));
}

}  // namespace

FlowControlledSender::FlowControlledSender(Transport& transport, BufferPool& pool, const Options& options)
    : transport_(transport),
      pool_(pool),
      options_(options),
      peers_(static_cast<std::size_t>(transport.n_nodes())),
      next_watch_(Clock::now()) {
  for (Peer& peer : peers_) {
    peer.credits = options.credits;
    peer.heard = next_watch_;
  }
}

void FlowControlledSender::enqueue(int node, Buffer* buffer) {
  peers_[static_cast<std::size_t>(node)].backlog.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  queued_.push_back({node, buffer});
  any_queued_.store(true, std::memory_order_seq_cst);
}

void FlowControlledSender::owe_credit(int node) noexcept {
  peers_[static_cast<std::size_t>(node)].owed.fetch_add(1, std::memory_order_release);
}

int FlowControlledSender::backlog(int node) const noexcept {
  return peers_[static_cast<std::size_t>(node)].backlog.load(std::memory_order_relaxed);
}

void FlowControlledSender::send(int node, Buffer* buffer) {
  MessageHeader& header = buffer->header();
  header.source = static_cast<std::uint32_t>(transport_.node());
  header.credits = static_cast<std::uint32_t>(
      peers_[static_cast<std::size_t>(node)].owed.exchange(0, std::memory_order_acquire));
  transport_.send(node, buffer);
}

void FlowControlledSender::drain(Peer& peer, int node) {
  while (!peer.waiting.empty() && peer.credits > 0) {
    send(node, peer.waiting.front());
    peer.waiting.pop_front();
    --peer.credits;
    --n_waiting_;
    peer.backlog.fetch_sub(1, std::memory_order_relaxed);
  }
}

void FlowControlledSender::send_queued() {
  if (!any_queued_.load(std::memory_order_acquire)) return;
  {
    const std::lock_guard lock(mutex_);
    taken_.swap(queued_);
    any_queued_.store(false, std::memory_order_relaxed);
  }
  for (const auto& [node, buffer] : taken_) {
    Peer& peer = peers_[static_cast<std::size_t>(node)];
    buffer->header().kind = MessageKind::operations;
    peer.waiting.push_back(buffer);
    ++n_waiting_;
    drain(peer, node);
  }
  taken_.clear();
}

Buffer* FlowControlledSender::receive() {
  while (Buffer* const buffer = transport_.receive()) {
    const MessageHeader header = buffer->header();
    const int source = static_cast<int>(header.source);
    Peer& peer = peers_[header.source];
    peer.heard = Clock::now();
    if (header.credits > 0) {
      peer.credits += static_cast<int>(header.credits);
      drain(peer, source);
    }
    if (header.kind == MessageKind::operations) return buffer;
    if (header.kind == MessageKind::stop) stopped_ = true;
    if (header.kind == MessageKind::failure) {
      const auto* const text = reinterpret_cast<const char*>(buffer->data() + sizeof(MessageHeader));
      failure_.assign(text, header.bytes - sizeof(MessageHeader));
    }
    pool_.give_back(buffer);
  }
  return nullptr;
}

void FlowControlledSender::return_credits(bool all) {
  const int enough = all ? 1 : std::max(1, options_.credits / 2);
  for (std::size_t node = 0; node < peers_.size(); ++node) {
    if (peers_[node].owed.load(std::memory_order_relaxed) >= enough) {
      send(static_cast<int>(node), control(MessageKind::credits));
    }
  }
}

Buffer* FlowControlledSender::control(MessageKind kind) {
  Buffer* const buffer = pool_.take();
  buffer->header() = {sizeof(MessageHeader), kind, 0, 0};
  return buffer;
}

void FlowControlledSender::send_stop() {
  for (int node = 0; node < transport_.n_nodes(); ++node) {
    if (node != transport_.node()) send(node, control(MessageKind::stop));
  }
}

void FlowControlledSender::send_failure(const std::string& sentence) {
  for (int node = 0; node < transport_.n_nodes(); ++node) {
    if (node == transport_.node()) continue;
    Buffer* const buffer = control(MessageKind::failure);
    const std::size_t bytes = std::min(sentence.size(), pool_.buffer_bytes() - sizeof(MessageHeader));
    std::memcpy(buffer->data() + sizeof(MessageHeader), sentence.data(), bytes);
    buffer->header().bytes += static_cast<std::uint32_t>(bytes);
    send(node, buffer);
  }
}

void FlowControlledSender::watch_peers() {
  const Clock::time_point now = Clock::now();
  if (now < next_watch_) return;
  next_watch_ = now + seconds(std::min(0.5, options_.timeout_s / 8));
  if (const auto dead = transport_.dead_node()) {
    throw Error("the process of node " + std::to_string(*dead) + " has ended before the job did");
  }
  // A star: node 0 exchanges heartbeats with every other node, so n nodes send 2 (n - 1) of them.
  for (int node = 0; node < transport_.n_nodes(); ++node) {
    if (node == transport_.node() || (node != 0 && transport_.node() != 0)) continue;
    send(node, control(MessageKind::credits));
    if (now - peers_[static_cast<std::size_t>(node)].heard > seconds(options_.timeout_s)) {
      throw Error(
          "nothing was heard from node " + std::to_string(node) + " for " +
          std::to_string(options_.timeout_s) +
          " s: it hangs, is cut off, or computes longer than Options::timeout_s without calling the runtime");
    }
  }
}

}  // namespace corewise::pgas::detail
