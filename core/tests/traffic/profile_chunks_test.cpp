/// Chunks of a profile's file: unknown kinds and impossible sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "corewise/profile.hpp"
#include "profile_builder.hpp"
#include "profile_folder.hpp"

namespace corewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint32_t kUnknown = CW_N_CHUNK_KINDS;  // the first unknown kind
constexpr std::uint32_t kPage = CW_PROFILE_CHUNK_BYTES;

class ProfileChunks : public ProfileFolder {};

/// Two ranks; rank 0 has sent three messages of 8 bytes to rank 1. The record of a rank is one chunk.
HandMadeFile& add_ranks(HandMadeFile& file, bool finished = true) { return file.rank(0, finished).rank(1); }
HandMadeFile& add_rows(HandMadeFile& file) { return file.rows(0, {test_row(kSend, 1, 4, kMessage, 3, 24)}); }

void expect_the_whole_traffic(const Profile& profile) {
  ASSERT_EQ(profile.rows().size(), 1u);
  EXPECT_EQ(profile.rows()[0].bytes, 24u);
  EXPECT_EQ(profile.traffic(Layer::p2p, 0).folded().messages(), 3u);
}

TEST_F(ProfileChunks, OfUnknownKindsAreSkippedWhereverTheyAre) {
  HandMadeFile file(2);
  file.disguised(kUnknown, kPage);
  add_ranks(file).disguised(kUnknown + 1, 3 * kPage);
  add_rows(file).disguised(0xffffffffu, 2 * kPage);
  const Profile profile = read(file);
  expect_the_whole_traffic(profile);
  EXPECT_TRUE(profile.complete());
  EXPECT_THAT(profile.faults(), IsEmpty());
  EXPECT_EQ(profile.skipped().count, 3u);
  EXPECT_EQ(profile.skipped().bytes, 6u * kPage);
}

TEST_F(ProfileChunks, OfThreadTimesBelongToTheThreadsOfTheSameIdAndMayBeMissing) {
  HandMadeFile file(2);
  add_ranks(file);
  const std::size_t threads = file.chunk(CW_CHUNK_THREADS, 1, 2);
  file.put(threads, cw_profile_thread{7, 0, "a", {}});
  file.put(threads + sizeof(cw_profile_thread), cw_profile_thread{8, 0, "b", {}});
  const std::size_t times = file.chunk(CW_CHUNK_THREAD_TIMES, 1, 2);
  file.put(times, cw_profile_thread_time{8, 1, 3'000'000'000});
  file.put(times + sizeof(cw_profile_thread_time), cw_profile_thread_time{9, 0, 1});  // no such thread
  const Profile profile = read(file);
  ASSERT_EQ(profile.ranks()[1].threads.size(), 2u);
  EXPECT_EQ(profile.ranks()[1].threads[0].cpu_s, std::nullopt);
  EXPECT_EQ(profile.ranks()[1].threads[1].cpu_s, 3.0);
  EXPECT_TRUE(profile.ranks()[1].threads[1].of_mpi);
  EXPECT_EQ(profile.ranks()[1].cpu_s, std::nullopt);  // as in files of an older tracer
  EXPECT_TRUE(profile.complete());
  EXPECT_EQ(profile.skipped().count, 0u);
}

TEST_F(ProfileChunks, OfDevicesHoldVariablesAndTheFilesThatWereOpen) {
  HandMadeFile file(2);
  add_ranks(file);
  const std::size_t at_init = file.chunk(CW_CHUNK_DEVICES, 1, 1);
  file.put(at_init, cw_profile_device{"CUDA_VISIBLE_DEVICES", "1"});
  const std::size_t at_finalize = file.chunk(CW_CHUNK_DEVICES, 1, 99);  // more than the chunk has room for
  file.put(at_finalize, cw_profile_device{"", "nvidia1 dri/renderD129"});
  const Profile profile = read(file);
  EXPECT_THAT(profile.ranks()[1].device_variables, ElementsAre(DeviceVariable{"CUDA_VISIBLE_DEVICES", "1"}));
  EXPECT_THAT(profile.ranks()[1].device_files, ElementsAre("/dev/dri/renderD129", "/dev/nvidia1"));
  EXPECT_THAT(profile.ranks()[0].device_variables, IsEmpty());
  EXPECT_TRUE(profile.complete());
}

TEST_F(ProfileChunks, OfDevicesWithTextsWithoutAnEndAreReadUpToTheirRoom) {
  HandMadeFile file(2);
  cw_profile_device endless{};
  std::memset(&endless, 'x', sizeof endless);
  add_ranks(file);
  file.put(file.chunk(CW_CHUNK_DEVICES, 0, 1), endless);
  const DeviceVariable found = read(file).ranks()[0].device_variables.at(0);
  EXPECT_EQ(found.name.size(), sizeof endless.name);
  EXPECT_EQ(found.value.size(), sizeof endless.value);
}

TEST_F(ProfileChunks, OfUnknownKindsAddUpOverTheFilesOfAJob) {
  HandMadeFile a(2, "job", "n0");
  HandMadeFile b(2, "job", "n1");
  a.rank(0).disguised(kUnknown, kPage).write(directory_, "n0.cwprof");
  b.rank(1).disguised(kUnknown, 2 * kPage).write(directory_, "n1.cwprof");
  const Profile profile = Profile::read(directory_);
  EXPECT_TRUE(profile.complete());
  EXPECT_EQ(profile.skipped().count, 2u);
  EXPECT_EQ(profile.skipped().bytes, 3u * kPage);
}

TEST_F(ProfileChunks, OfGroupsHoldOneBehindTheOther) {
  // Members 0 and 2, 2-1-0 backwards, and 0 alone. The ranges of the first two end at odd multiples of 4
  // bytes, so padding follows.
  HandMadeFile file = file_of(3);
  file.groups({{5, {{0, 2, 2}}}, {6, {{2, -1, 3}}}, {7, {{0, 1, 1}}}});
  file.rows(0, {test_row(kBcast, 1, 4, kCollective, 1, 8, 5), test_row(kBcast, 2, 4, kCollective, 1, 8, 6),
                test_row(kBcast, 0, 4, kCollective, 1, 8, 7)});
  const Profile profile = read(file);
  EXPECT_TRUE(profile.complete());
  ASSERT_EQ(profile.comms().size(), 3u);
  EXPECT_THAT(profile.comms()[0].members, ElementsAre(Rank{0}, Rank{2}));
  EXPECT_THAT(profile.comms()[1].members, ElementsAre(Rank{2}, Rank{1}, Rank{0}));
  EXPECT_THAT(profile.comms()[2].members, ElementsAre(Rank{0}));
}

TEST_F(ProfileChunks, OfGroupsAreReadUpToTheFirstDamagedOne) {
  HandMadeFile file = file_of(2);
  file.groups({{5, {{0, 1, 2}}}, {6, {{1, 1, 2}}}, {7, {{0, 1, 1}}}});  // 6 has a rank 2
  file.rows(0, {test_row(kBcast, 0, 4, kCollective, 1, 8, 5)});
  const Profile profile = read(file);
  EXPECT_THAT(profile.faults(), ElementsAre(HasSubstr("1 damaged parts were left out")));
  EXPECT_THAT(profile.comms()[0].members, ElementsAre(Rank{0}, Rank{1}));
}

TEST_F(ProfileChunks, ThatWereNeverFilledAreSkippedByTheirSize) {
  // The writer was killed after it had written three pages of content, but before it set the chunk's kind.
  HandMadeFile file(2);
  add_ranks(file).disguised(CW_CHUNK_EMPTY, 4 * kPage);
  add_rows(file);
  const Profile profile = read(file);
  expect_the_whole_traffic(profile);
  EXPECT_THAT(profile.faults(), IsEmpty());
  EXPECT_EQ(profile.skipped().count, 0u);
}

TEST_F(ProfileChunks, OfAnUnknownKindMayBeTruncatedInTheFileOfAKilledJob) {
  for (const std::size_t left : {std::size_t{64}, std::size_t{kPage}, std::size_t{3 * kPage + 100}}) {
    HandMadeFile file(2);
    add_rows(add_ranks(file, false));
    const std::size_t begin = file.data().size();
    file.disguised(kUnknown, 4 * kPage);
    file.data().resize(begin + left);
    const Profile profile = read(file);
    expect_the_whole_traffic(profile);
    EXPECT_FALSE(profile.ranks()[0].finished) << "the content of the chunk was taken for a record";
    EXPECT_THAT(profile.faults(), ElementsAre(HasSubstr("shorter than what was written"))) << left;
    EXPECT_EQ(profile.skipped().count, 0u);
  }
}

TEST_F(ProfileChunks, OfAnUnknownKindThatAFinishedJobLostRefuseTheFile) {
  HandMadeFile file(2);
  add_rows(add_ranks(file)).disguised(kUnknown, 4 * kPage);
  file.data().resize(file.data().size() - 1);
  file.write(directory_);
  EXPECT_THAT(why_refused(), HasSubstr("expected the whole file"));
}

TEST_F(ProfileChunks, OfImpossibleSizesAreDamageAndWhatFollowsIsRead) {
  for (const std::uint32_t kind : {kUnknown, 0xffffffffu, std::uint32_t{CW_CHUNK_ROWS}}) {
    for (const std::uint32_t size : {0u, 1u, kPage - 1, kPage + 1, 64 * kPage, 0xfffff000u, 0xffffffffu}) {
      HandMadeFile file(2);
      add_ranks(file);
      const std::size_t begin = file.data().size();
      file.disguised(kind, kPage);
      file.put(begin + offsetof(cw_profile_chunk, bytes), size);
      add_rows(file);
      const Profile profile = read(file);
      expect_the_whole_traffic(profile);
      EXPECT_THAT(profile.faults(), ElementsAre(HasSubstr("1 damaged parts were left out")))
          << "kind " << kind << " of " << size << " bytes";
      EXPECT_EQ(profile.skipped().count, 0u);
    }
  }
}

}  // namespace
}  // namespace corewise
