// Tests of how indices find their block, and how loops are divided.
#include <gtest/gtest.h>

#include <random>

#include "corewise/pgas/detail/array_messages.hpp"
#include "corewise/pgas/detail/fast_divisor.hpp"
#include "corewise/pgas/detail/loop.hpp"

namespace {

using corewise::pgas::detail::FastDivisor;
using corewise::pgas::detail::for_each_block;
using corewise::pgas::detail::LoopShape;

TEST(FastDivisor, divides_as_the_processor_does) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t divisor = 1 + (random() >> (32 + random() % 32));
    const std::size_t quotient = random() % 1000;
    const FastDivisor fast(divisor);
    for (const std::size_t rest : {std::size_t{0}, divisor / 2, divisor - 1}) {
      ASSERT_EQ(fast.quotient(quotient * divisor + rest), quotient) << divisor << " " << rest;
    }
  }
}

TEST(Blocks, a_run_is_cut_at_the_borders_of_blocks) {
  // Blocks of 10; elements 7 to 21: offset 7 to 9 | 0 to 9 | 0, 1.
  std::vector<std::vector<std::size_t>> seen;
  for_each_block(FastDivisor(10), 7, 15, [&seen](int node, const auto& run, std::size_t from) {
    seen.push_back({static_cast<std::size_t>(node), run.offset, run.count, from});
  });
  EXPECT_EQ(seen, (std::vector<std::vector<std::size_t>>{{0, 7, 3, 0}, {1, 0, 10, 3}, {2, 0, 2, 13}}));
}

TEST(Loops, parts_of_nodes_follow_each_other_and_cover_the_range) {
  // 10 iterations from 5 on 4 nodes: blocks of 3.
  const LoopShape whole{5, 15, 0, 1};
  EXPECT_EQ(whole.part(0, 4).begin, 5u);
  EXPECT_EQ(whole.part(0, 4).end, 8u);
  EXPECT_EQ(whole.part(3, 4).begin, 14u);
  EXPECT_EQ(whole.part(3, 4).end, 15u);
  EXPECT_EQ(LoopShape({0, 1, 0, 1}).part(3, 4).begin, LoopShape({0, 1, 0, 1}).part(3, 4).end);
}

TEST(Loops, a_chunk_is_a_sixteenth_of_a_workers_share_unless_given) {
  EXPECT_EQ(LoopShape({0, 3200, 0, 1}).chunk_for(2), 100u);
  EXPECT_EQ(LoopShape({0, 3, 0, 1}).chunk_for(2), 1u);
  EXPECT_EQ(LoopShape({0, 3200, 7, 1}).chunk_for(2), 7u);
}

}  // namespace
