// Tests of messages that are being filled: which records join a segment, and what a finished message
// contains.
#include "corewise/pgas/detail/outgoing_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "buffers.hpp"

namespace {

using corewise::pgas::detail::BufferPool;
using corewise::pgas::detail::MessageHeader;
using corewise::pgas::detail::OutgoingMessages;
using corewise::pgas::detail::Segment;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t buffer_bytes = 256;
constexpr Segment of_handler_7{.handler = 7, .record_bytes = 16, .count = 1, .object_id = 3, .token = 42};

class Outgoing : public testing::Test {
 protected:
  BufferPool pool_{buffer_bytes, 4};
  OutgoingMessages messages_{2};  // nodes
};

TEST_F(Outgoing, records_of_one_handler_object_and_token_share_a_segment) {
  messages_.start(1, pool_.take(), buffer_bytes);
  std::byte* const first = messages_.add(1, of_handler_7);
  EXPECT_EQ(messages_.extend(1, of_handler_7), first + 16);
  Segment other = of_handler_7;
  other.object_id = 4;
  EXPECT_EQ(messages_.extend(1, other), nullptr);
  other = of_handler_7;
  other.token = 43;
  EXPECT_EQ(messages_.extend(1, other), nullptr);
  EXPECT_EQ(messages_.end_of_last_record(1, 7), first + 32);
  EXPECT_EQ(messages_.end_of_last_record(1, 8), nullptr);
  const auto& segment = *reinterpret_cast<const Segment*>(first - sizeof(Segment));
  EXPECT_EQ(segment.count, 2u);
}

TEST_F(Outgoing, a_full_message_takes_no_further_record) {
  messages_.start(1, pool_.take(), buffer_bytes);
  (void)messages_.add(1, of_handler_7);
  int n_records = 1;
  while (messages_.extend(1, of_handler_7) != nullptr) ++n_records;
  // 256 bytes minus the headers of message and segment, in records of 16 bytes.
  EXPECT_EQ(n_records, static_cast<int>((256 - sizeof(MessageHeader) - sizeof(Segment)) / 16));
  EXPECT_FALSE(messages_.fits(1, of_handler_7));
}

TEST_F(Outgoing, a_finished_message_has_its_size_and_leaves_none_behind) {
  messages_.start(0, pool_.take(), buffer_bytes);
  messages_.start(1, pool_.take(), buffer_bytes);
  (void)messages_.add(1, of_handler_7);
  EXPECT_THAT(messages_.destinations(), ElementsAre(0, 1));
  EXPECT_EQ(messages_.finish(1)->header().bytes, sizeof(MessageHeader) + sizeof(Segment) + 16);
  EXPECT_FALSE(messages_.started(1));
  EXPECT_EQ(messages_.extend(1, of_handler_7), nullptr);
  EXPECT_EQ(messages_.finish(0)->header().bytes, sizeof(MessageHeader));
  EXPECT_THAT(messages_.destinations(), IsEmpty());
}

}  // namespace
