// Tests of flow control: how many messages are in flight, and when credits go back.
#include "flow_control.hpp"

#include <gtest/gtest.h>

namespace {

namespace pgas = corewise::pgas;
using pgas::detail::Buffer;
using pgas::detail::BufferPool;
using pgas::detail::FlowControlledSender;
using pgas::detail::MessageHeader;
using pgas::detail::MessageKind;

/// Node 0 of two; keeps the header of every message that is sent.
class RecordingTransport : public pgas::detail::Transport {
 public:
  explicit RecordingTransport(BufferPool& pool) : pool_(pool) {}
  [[nodiscard]] int node() const override { return 0; }
  [[nodiscard]] int n_nodes() const override { return 2; }
  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte>) override { return {}; }
  void start(BufferPool&) override {}
  void send(int, Buffer* message) override {
    sent.push_back(message->header());
    pool_.give_back(message);
  }
  [[nodiscard]] Buffer* receive() override { return nullptr; }
  void finish(bool) override {}

  std::vector<MessageHeader> sent;

 private:
  BufferPool& pool_;
};

class FlowControl : public testing::Test {
 protected:
  void enqueue(int n_messages) {
    for (int i = 0; i < n_messages; ++i) {
      Buffer* const message = pool_.take();
      message->header() = {sizeof(MessageHeader), MessageKind::operations, 0, 0};
      sender_.enqueue(1, message);
    }
    sender_.send_queued();
  }

  BufferPool pool_{8192, 16};
  RecordingTransport transport_{pool_};
  FlowControlledSender sender_{transport_, pool_, 2};  // credits
};

TEST_F(FlowControl, messages_beyond_the_credits_wait_until_credits_come_back) {
  enqueue(5);
  EXPECT_EQ(transport_.sent.size(), 2u);
  EXPECT_EQ(sender_.backlog(1), 3);
  sender_.add_credits(1, 1);
  EXPECT_EQ(transport_.sent.size(), 3u);
  sender_.add_credits(1, 2);
  EXPECT_EQ(transport_.sent.size(), 5u);
  EXPECT_EQ(sender_.backlog(1), 0);
}

TEST_F(FlowControl, a_message_takes_all_credits_that_its_destination_is_owed) {
  sender_.owe_credit(1);
  sender_.owe_credit(1);
  enqueue(2);
  ASSERT_EQ(transport_.sent.size(), 2u);
  EXPECT_EQ(transport_.sent[0].credits, 2u);
  EXPECT_EQ(transport_.sent[1].credits, 0u);
}

TEST_F(FlowControl, an_empty_message_returns_credits_where_enough_are_owed) {
  sender_.owe_credit(1);
  sender_.return_credits(2);
  EXPECT_TRUE(transport_.sent.empty());
  sender_.return_credits(1);
  ASSERT_EQ(transport_.sent.size(), 1u);
  EXPECT_EQ(transport_.sent[0].kind, MessageKind::credits);
  EXPECT_EQ(transport_.sent[0].credits, 1u);
}

TEST_F(FlowControl, control_messages_cost_no_credit) {
  enqueue(2);
  sender_.send_control(1, MessageKind::failure, "four");
  ASSERT_EQ(transport_.sent.size(), 3u);
  EXPECT_EQ(transport_.sent[2].bytes, sizeof(MessageHeader) + 4);
}

}  // namespace
