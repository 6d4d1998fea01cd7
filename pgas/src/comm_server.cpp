// One cycle of the comm_server: receives and sends messages.
#include "comm_server.hpp"

#include "network.hpp"
#include "node.hpp"

namespace corewise::pgas::detail {

bool CommServer::progress(NodeThread& thread) noexcept {
  return node_.fail_on_error([&] {
    if (root_ended_.load(std::memory_order_acquire) && !node_.stopping()) {
      network_.send_stop();
      node_.stop();
    }
    return network_.n_nodes() > 1 && exchange_messages(thread);
  });
}

void CommServer::send_queued() noexcept {
  node_.fail_on_error([this] {
    network_.send_queued();
    return true;
  });
}

void CommServer::return_all_credits() noexcept {
  node_.fail_on_error([this] {
    network_.return_credits(true);
    return true;
  });
}

bool CommServer::exchange_messages(NodeThread& thread) {
  bool any = network_.any_queued();
  network_.send_queued();
  constexpr int max_messages_at_once = 16;
  for (int i = 0; i < max_messages_at_once; ++i) {
    Buffer* const message = network_.receive();
    if (message == nullptr) break;
    any = true;
    if (thread.duties().service) {
      thread.serve(message);
    } else {
      node_.helpers().push(message);
    }
  }
  network_.return_credits(false);
  if (network_.stop_received()) node_.stop();
  if (!network_.failure_received().empty()) node_.fail(network_.failure_received(), Node::Origin::peer);
  return any;
}

}  // namespace corewise::pgas::detail
