/// Collectives as messages: with every algorithm, each member gets the data that the collective requires.
#include "estimate/collective.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace corewise {
namespace {

using Known = std::vector<std::uint64_t>;  // [member] bit i is set if it has the data of member i

/// Simulates the transfers. A message has all data that its sender had at the start of the step.
Known spread(std::vector<Transfer> transfers, std::int32_t n) {
  Known known(static_cast<std::size_t>(n));
  for (std::int32_t i = 0; i < n; ++i) known[static_cast<std::size_t>(i)] = std::uint64_t{1} << i;
  std::ranges::stable_sort(transfers, {}, &Transfer::step);
  for (std::size_t begin = 0; begin < transfers.size();) {
    const Known before = known;
    std::size_t i = begin;
    for (; i < transfers.size() && transfers[i].step == transfers[begin].step; ++i) {
      known[static_cast<std::size_t>(transfers[i].dst)] |= before[static_cast<std::size_t>(transfers[i].src)];
    }
    begin = i;
  }
  return known;
}

std::vector<std::uint64_t> received(const std::vector<Transfer>& transfers, std::int32_t n) {
  std::vector<std::uint64_t> bytes(static_cast<std::size_t>(n));
  for (const Transfer& transfer : transfers) bytes[static_cast<std::size_t>(transfer.dst)] += transfer.bytes;
  return bytes;
}

constexpr std::uint64_t kSizes[] = {1,      8,      40,      100,     300,    700,    1500,
                                    3000,   6000,   12000,   25000,   50000,  100000, 200000,
                                    400000, 800000, 1 << 20, 3000000, 5000000};

std::vector<std::int32_t> roots_of(Collective kind, std::int32_t n) {
  const bool rooted = kind == Collective::bcast || kind == Collective::scatter ||
                      kind == Collective::reduce || kind == Collective::gather;
  return rooted ? std::vector<std::int32_t>{0, n / 2, n - 1} : std::vector<std::int32_t>{0};
}

/// Calls `check` for many sizes up to 40 members and 5 MB, to cover the algorithms of both libraries.
template <typename Check>
void for_all(Collective kind, const Check& check) {
  for (const MpiLibrary library : {MpiLibrary::openmpi, MpiLibrary::mpich}) {
    for (const std::int32_t n : {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 32, 40}) {
      for (const std::uint64_t bytes : kSizes) {
        for (const std::int32_t root : roots_of(kind, n)) {
          const std::vector<Transfer> transfers = transfers_of({kind, n, root, bytes}, library);
          SCOPED_TRACE(::testing::Message() << n << " members, root " << root << ", " << bytes << " bytes, "
                                            << (library == MpiLibrary::openmpi ? "Open MPI" : "MPICH"));
          for (const Transfer& transfer : transfers) {
            ASSERT_NE(transfer.src, transfer.dst);
            ASSERT_TRUE(transfer.src >= 0 && transfer.src < n && transfer.dst >= 0 && transfer.dst < n);
          }
          check(transfers, n, root, bytes);
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(Collectives, FromTheRootReachEveryMember) {
  for (const Collective kind : {Collective::bcast, Collective::scatter}) {
    for_all(kind, [&](const auto& transfers, std::int32_t n, std::int32_t root, std::uint64_t bytes) {
      const Known known = spread(transfers, n);
      const std::vector<std::uint64_t> got = received(transfers, n);
      for (std::int32_t i = 0; i < n; ++i) {
        ASSERT_TRUE(known[static_cast<std::size_t>(i)] >> root & 1);
        ASSERT_GE(got[static_cast<std::size_t>(i)], i == root ? 0 : bytes);
      }
    });
  }
}

TEST(Collectives, ToTheRootBringItEverybodysData) {
  for (const Collective kind : {Collective::reduce, Collective::gather}) {
    for_all(kind, [&](const auto& transfers, std::int32_t n, std::int32_t root, std::uint64_t bytes) {
      ASSERT_EQ(std::popcount(spread(transfers, n)[static_cast<std::size_t>(root)]), n);
      const std::uint64_t got = received(transfers, n)[static_cast<std::size_t>(root)];
      const auto others = static_cast<std::uint64_t>(n - 1);
      // Rabenseifner's algorithm rounds halves down: it loses up to a byte in each of 2 * log2(n) steps.
      ASSERT_GE(got + 12, n > 1 ? bytes : 0);
      ASSERT_TRUE(kind == Collective::reduce || got == others * bytes);
    });
  }
}

TEST(Collectives, OfAllToAllBringEverybodyEverybodysData) {
  for (const Collective kind :
       {Collective::allreduce, Collective::barrier, Collective::allgather, Collective::allgatherv,
        Collective::alltoall, Collective::reduce_scatter, Collective::reduce_scatter_block}) {
    for_all(kind, [&](const auto& transfers, std::int32_t n, std::int32_t, std::uint64_t bytes) {
      for (const std::uint64_t known : spread(transfers, n)) ASSERT_EQ(std::popcount(known), n);
      const auto others = static_cast<std::uint64_t>(n - 1);
      const bool has_blocks =
          kind == Collective::allgather || kind == Collective::allgatherv || kind == Collective::alltoall;
      for (const std::uint64_t got : received(transfers, n)) {
        ASSERT_GE(got, has_blocks ? others * bytes : 0);
        ASSERT_TRUE(kind != Collective::barrier || got == 0);
      }
    });
  }
}

TEST(Collectives, OfScansBringEveryMemberTheDataBeforeIt) {
  for_all(Collective::scan, [](const auto& transfers, std::int32_t n, std::int32_t, std::uint64_t) {
    const Known known = spread(transfers, n);
    for (std::int32_t i = 0; i < n; ++i) {
      ASSERT_GE(std::countr_one(known[static_cast<std::size_t>(i)]), i + 1);
    }
  });
}

TEST(Collectives, WithPairsSendEachPairOnce) {
  const std::vector<Transfer> pairs = {{0, 0, 2, 10}, {0, 2, 1, 20}, {0, 1, 0, 30}};
  for (const MpiLibrary library : {MpiLibrary::openmpi, MpiLibrary::mpich}) {
    for (const Collective kind : {Collective::alltoallv, Collective::neighbors}) {
      EXPECT_EQ(received(transfers_of({kind, 3, 0, 0, pairs}, library), 3),
                (std::vector<std::uint64_t>{30, 20, 10}));
    }
  }
}

TEST(Collectives, OfFewElementsTakeWhatOpenMpisAlgorithmsTakeInTheirPlace) {
  // The rules choose ring and Rabenseifner's algorithm. Both divide the vector among the members.
  EXPECT_EQ(algorithm_of(MpiLibrary::openmpi, Collective::allreduce, 4, 8), Algorithm::recursive_doubling);
  EXPECT_EQ(algorithm_of(MpiLibrary::openmpi, Collective::allreduce, 16, 4), Algorithm::recursive_doubling);
  EXPECT_EQ(algorithm_of(MpiLibrary::openmpi, Collective::allreduce, 3, 4096), Algorithm::ring);
  EXPECT_EQ(algorithm_of(MpiLibrary::openmpi, Collective::reduce, 2, 4), Algorithm::linear);
  // 16 members reduce one number in four exchanges, not in thirty steps of a ring.
  EXPECT_EQ(transfers_of({Collective::allreduce, 16, 0, 4}, MpiLibrary::openmpi).size(), 4U * 16);
}

TEST(Collectives, TakeTheAlgorithmOfTheLibrarysRules) {
  // Open MPI 4.1.4, 16 members: an Allreduce of 4096 bytes or more uses Rabenseifner's algorithm. Its
  // greatest messages, half the vector, are between neighbours.
  EXPECT_EQ(algorithm_of(MpiLibrary::openmpi, Collective::allreduce, 16, 4095),
            Algorithm::recursive_doubling);
  EXPECT_EQ(algorithm_of(MpiLibrary::openmpi, Collective::allreduce, 16, 4096), Algorithm::rabenseifner);
  EXPECT_EQ(algorithm_of(MpiLibrary::openmpi, Collective::bcast, 16, 1 << 20), Algorithm::scatter_allgather);
  EXPECT_EQ(algorithm_of(MpiLibrary::openmpi, Collective::alltoall, 16, 1 << 20), Algorithm::linear);
  EXPECT_EQ(algorithm_of(MpiLibrary::openmpi, Collective::barrier, 16, 0), Algorithm::recursive_doubling);
  EXPECT_EQ(algorithm_of(MpiLibrary::mpich, Collective::allreduce, 16, 2048), Algorithm::recursive_doubling);
  EXPECT_EQ(algorithm_of(MpiLibrary::mpich, Collective::bcast, 12, 20000), Algorithm::scatter_ring);
  for (const Transfer& transfer :
       transfers_of({Collective::allreduce, 16, 0, 1 << 20}, MpiLibrary::openmpi)) {
    EXPECT_EQ(transfer.bytes == 1 << 19, (transfer.src ^ transfer.dst) == 1);
  }
}

TEST(Collectives, AreKnownByTheNamesOfTheirCalls) {
  EXPECT_EQ(collective_named("MPI_Bcast"), Collective::bcast);
  EXPECT_EQ(collective_named("MPI_Ibcast_c"), Collective::bcast);
  EXPECT_EQ(collective_named("MPI_Iallreduce"), Collective::allreduce);
  EXPECT_EQ(collective_named("MPI_Alltoallw"), Collective::alltoallv);
  EXPECT_EQ(collective_named("MPI_Ineighbor_alltoall"), Collective::neighbors);
  EXPECT_EQ(collective_named("MPI_Comm_dup"), std::nullopt);
  EXPECT_EQ(collective_named("bcast"), std::nullopt);
}

}  // namespace
}  // namespace corewise
