// The loopback transport: the nodes of a job are groups of threads in one process, each with a mailbox.
#include <barrier>
#include <cstring>
#include <deque>

#include "transport.hpp"

namespace corewise::pgas::detail {
namespace {

/// Shared by all endpoints.
struct Mailboxes {
  explicit Mailboxes(int n_nodes)
      : box(static_cast<std::size_t>(n_nodes)),
        gathered(static_cast<std::size_t>(n_nodes)),
        arrival(n_nodes) {}

  struct Box {
    std::mutex mutex;
    std::deque<std::vector<std::byte>> messages;
  };
  std::vector<Box> box;                          // [node]
  std::vector<std::vector<std::byte>> gathered;  // [node]
  std::barrier<> arrival;
};

class Loopback final : public Transport {
 public:
  Loopback(int node, std::shared_ptr<Mailboxes> mail) : node_(node), mail_(std::move(mail)) {}

  [[nodiscard]] int node() const override { return node_; }
  [[nodiscard]] int n_nodes() const override { return static_cast<int>(mail_->box.size()); }

  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
    mail_->gathered[static_cast<std::size_t>(node_)].assign(own.begin(), own.end());
    mail_->arrival.arrive_and_wait();
    auto all = mail_->gathered;
    mail_->arrival.arrive_and_wait();
    return all;
  }

  void start(BufferPool& pool) override { pool_ = &pool; }

  void send(int node, Buffer* buffer) override {
    const std::byte* const data = buffer->data();
    std::vector<std::byte> message(data, data + buffer->header().bytes);
    pool_->give_back(buffer);
    Mailboxes::Box& box = mail_->box[static_cast<std::size_t>(node)];
    const std::lock_guard lock(box.mutex);
    box.messages.push_back(std::move(message));
  }

  [[nodiscard]] Buffer* receive() override {
    Mailboxes::Box& box = mail_->box[static_cast<std::size_t>(node_)];
    std::vector<std::byte> message;
    {
      const std::lock_guard lock(box.mutex);
      if (box.messages.empty()) return nullptr;
      message = std::move(box.messages.front());
      box.messages.pop_front();
    }
    Buffer* const buffer = pool_->take();
    std::memcpy(buffer->data(), message.data(), message.size());
    return buffer;
  }

  void finish(bool) override {}

 private:
  int node_;
  std::shared_ptr<Mailboxes> mail_;
  BufferPool* pool_ = nullptr;
};

}  // namespace

std::vector<std::unique_ptr<Transport>> make_loopback(int n_nodes) {
  const auto mail = std::make_shared<Mailboxes>(n_nodes);
  std::vector<std::unique_ptr<Transport>> endpoints;
  for (int node = 0; node < n_nodes; ++node) endpoints.push_back(std::make_unique<Loopback>(node, mail));
  return endpoints;
}

}  // namespace corewise::pgas::detail
