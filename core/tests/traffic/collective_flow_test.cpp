/// Collectives as messages: worked out by hand for four members, and compared with a simulation of blocks for
/// other numbers of members.
#include "traffic/collective_flow.hpp"

#include <corewise_formats/profile.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

namespace corewise {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

using PairSums = std::map<std::pair<int, int>, std::pair<std::uint64_t, std::uint64_t>>;  // bytes, messages

/// The messages of a call. Member i is world rank i, and contributes bytes[i] in `count` calls.
PairSums expanded(const char* call, int flow, std::int32_t root, const std::vector<std::uint64_t>& bytes,
                  CollectiveFlow by, std::uint64_t count = 1) {
  std::vector<Rank> members;
  std::vector<Contribution> contributions;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    members.push_back(Rank{static_cast<std::int32_t>(i)});
    contributions.push_back({bytes[i], count});
  }
  std::vector<MatrixEntry> entries;
  expand({members, call, flow, root, contributions}, by, entries);
  PairSums sums;
  for (const MatrixEntry& entry : entries) {
    auto& [sum_bytes, sum_messages] = sums[{raw(entry.src), raw(entry.dst)}];
    sum_bytes += entry.bytes;
    sum_messages += entry.messages;
  }
  return sums;
}

auto message(int src, int dst, std::uint64_t bytes, std::uint64_t messages = 1) {
  return Pair(Pair(src, dst), Pair(bytes, messages));
}

TEST(CollectiveFlow, AnAllreduceRoundARingSendsEachPartTwiceButOnce) {
  // Parts of 100 / 4 bytes: each member sends 3 to reduce and 3 to distribute. Two calls: twice the messages.
  const PairSums sums =
      expanded("MPI_Allreduce", CW_FLOW_THROUGH_FIRST, -1, {100, 100, 100, 100}, CollectiveFlow::ring, 2);
  EXPECT_EQ(sums.size(), 4u);
  EXPECT_EQ(sums.at({3, 0}), std::pair(std::uint64_t{150}, std::uint64_t{12}));
}

TEST(CollectiveFlow, AnAllreduceByRecursiveDoublingSendsItsBytesInEachStep) {
  const PairSums reduced =
      expanded("MPI_Allreduce", CW_FLOW_THROUGH_FIRST, -1, {8, 8, 8}, CollectiveFlow::recursive_doubling);
  EXPECT_THAT(reduced,
              UnorderedElementsAre(message(0, 1, 8), message(1, 2, 8), message(2, 1, 8), message(1, 0, 8)));
}

TEST(CollectiveFlow, ABinomialTreeOfSixHasThePapersEdges) {
  // With root 0: 0->1 in step 0; 0->2, 1->3 in step 1; 0->4, 1->5 in step 2. With root 2: 2->3, 2->4, 3->5,
  // 2->0, 3->1.
  EXPECT_THAT(expanded("MPI_Bcast", CW_FLOW_FROM_ROOT, 2, {8, 8, 8, 8, 8, 8}, CollectiveFlow::binomial),
              UnorderedElementsAre(message(2, 3, 8), message(2, 4, 8), message(3, 5, 8), message(2, 0, 8),
                                   message(3, 1, 8)));
  EXPECT_THAT(expanded("MPI_Reduce", CW_FLOW_TO_ROOT, 0, {8, 8, 8, 8}, CollectiveFlow::binomial),
              UnorderedElementsAre(message(1, 0, 8), message(2, 0, 8), message(3, 1, 8)));
}

TEST(CollectiveFlow, GatherAndScatterPassOnWhatIsMeantForOthers) {
  // The tree of four members: the children of 0 are 1 and 2, the child of 1 is 3.
  EXPECT_THAT(expanded("MPI_Gather", CW_FLOW_TO_ROOT, 0, {0, 8, 8, 8}, CollectiveFlow::binomial),
              UnorderedElementsAre(message(1, 0, 16), message(2, 0, 8), message(3, 1, 8)));
  EXPECT_THAT(expanded("MPI_Scatter", CW_FLOW_FROM_ROOT, 0, {8, 0, 0, 0}, CollectiveFlow::binomial),
              UnorderedElementsAre(message(0, 1, 16), message(0, 2, 8), message(1, 3, 8)));
}

TEST(CollectiveFlow, CallsThatAnAlgorithmDoesNotServeGoTheirLogicalWay) {
  const std::vector<std::uint64_t> bytes = {8, 16, 32};
  for (const CollectiveFlow by :
       {CollectiveFlow::ring, CollectiveFlow::recursive_doubling, CollectiveFlow::binomial}) {
    EXPECT_EQ(expanded("MPI_Alltoall", CW_FLOW_ALL_PAIRS, -1, bytes, by),
              expanded("MPI_Alltoall", CW_FLOW_ALL_PAIRS, -1, bytes, CollectiveFlow::logical));
    EXPECT_EQ(expanded("MPI_Scan", CW_FLOW_CHAIN, -1, bytes, by).size(), 2u);
  }
}

TEST(CollectiveFlow, OneMemberSendsNothing) {
  for (const CollectiveFlow by : {CollectiveFlow::logical, CollectiveFlow::ring,
                                  CollectiveFlow::recursive_doubling, CollectiveFlow::binomial}) {
    for (int flow = CW_FLOW_NONE; flow <= CW_FLOW_CHAIN; ++flow) {
      EXPECT_TRUE(expanded("MPI_Allgather", flow, 0, {8}, by).empty()) << flow;
    }
  }
}

/// A simulation of an algorithm, step by step: the blocks that each member has, and the sums of its messages.
class Blocks {
 public:
  explicit Blocks(const std::vector<std::uint64_t>& bytes) : bytes_(bytes), holds_(bytes.size()) {
    for (std::size_t i = 0; i < bytes.size(); ++i) holds_[i] = {i};
  }
  /// Messages of one step happen at the same time.
  void step(const std::vector<std::tuple<std::size_t, std::size_t, std::set<std::size_t>>>& messages) {
    for (const auto& [src, dst, blocks] : messages) {
      auto& [bytes, count] = sums[{static_cast<int>(src), static_cast<int>(dst)}];
      for (const std::size_t block : blocks) bytes += bytes_[block];
      ++count;
    }
    for (const auto& [src, dst, blocks] : messages) holds_[dst].insert(blocks.begin(), blocks.end());
  }
  [[nodiscard]] const std::set<std::size_t>& of(std::size_t member) const { return holds_[member]; }
  [[nodiscard]] bool everyone_has_all() const {
    for (const auto& held : holds_) {
      if (held.size() != holds_.size()) return false;
    }
    return true;
  }
  PairSums sums;

 private:
  std::vector<std::uint64_t> bytes_;
  std::vector<std::set<std::size_t>> holds_;
};

std::vector<std::uint64_t> uneven_sizes(std::size_t n) {
  std::vector<std::uint64_t> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = 1 + i * i % 7 * 100;
  return bytes;
}

TEST(CollectiveFlow, ARingOfAnySizeGivesEveryoneAllBlocks) {
  for (std::size_t n = 2; n <= 17; ++n) {
    Blocks blocks(uneven_sizes(n));
    for (std::size_t step = 0; step + 1 < n; ++step) {
      std::vector<std::tuple<std::size_t, std::size_t, std::set<std::size_t>>> messages;
      for (std::size_t i = 0; i < n; ++i) messages.push_back({i, (i + 1) % n, {(i + n - step) % n}});
      blocks.step(messages);
    }
    ASSERT_TRUE(blocks.everyone_has_all());
    EXPECT_EQ(expanded("MPI_Allgatherv", CW_FLOW_ALL_PAIRS, -1, uneven_sizes(n), CollectiveFlow::ring),
              blocks.sums)
        << n;
  }
}

TEST(CollectiveFlow, RecursiveDoublingOfAnySizeGivesEveryoneAllBlocks) {
  for (std::size_t n = 2; n <= 17; ++n) {
    Blocks blocks(uneven_sizes(n));
    std::size_t power = 1;
    while (2 * power <= n) power *= 2;
    std::vector<std::size_t> doubling;  // members that take part in recursive doubling
    for (std::size_t i = 0; i < n; ++i) {
      if (i >= 2 * (n - power) || i % 2 == 1) doubling.push_back(i);
    }
    for (std::size_t i = 0; i < 2 * (n - power); i += 2) blocks.step({{i, i + 1, blocks.of(i)}});
    for (std::size_t distance = 1; distance < power; distance *= 2) {
      std::vector<std::tuple<std::size_t, std::size_t, std::set<std::size_t>>> messages;
      for (std::size_t i = 0; i < power; ++i) {
        messages.push_back({doubling[i], doubling[i ^ distance], blocks.of(doubling[i])});
      }
      blocks.step(messages);
    }
    for (std::size_t i = 0; i < 2 * (n - power); i += 2) {
      std::set<std::size_t> others = blocks.of(i + 1);
      others.erase(i);
      blocks.step({{i + 1, i, others}});
    }
    ASSERT_TRUE(blocks.everyone_has_all());
    EXPECT_EQ(expanded("MPI_Iallgather", CW_FLOW_ALL_PAIRS, -1, uneven_sizes(n),
                       CollectiveFlow::recursive_doubling),
              blocks.sums)
        << n;
  }
}

TEST(CollectiveFlow, ABinomialTreeReachesEachMemberOnceFromAnyRoot) {
  for (std::size_t n = 2; n <= 17; ++n) {
    for (std::size_t root = 0; root < n; ++root) {
      std::set<std::size_t> reached = {root};
      PairSums sums;
      for (std::size_t step = 1; step < n; step *= 2) {
        for (std::size_t i = 0; i < step && i + step < n; ++i) {
          const std::size_t src = (root + i) % n;
          const std::size_t dst = (root + i + step) % n;
          ASSERT_TRUE(reached.contains(src) && reached.insert(dst).second);
          sums[{static_cast<int>(src), static_cast<int>(dst)}] = {8, 1};
        }
      }
      ASSERT_EQ(reached.size(), n);
      EXPECT_EQ(expanded("MPI_Bcast", CW_FLOW_FROM_ROOT, static_cast<std::int32_t>(root),
                         std::vector<std::uint64_t>(n, 8), CollectiveFlow::binomial),
                sums);
    }
  }
}

}  // namespace
}  // namespace corewise
