// The journal with several threads: a reader never sees half an entry. Also, the lease to lead.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

extern "C" {
#include "act/journal.h"
#include "act/lease.h"
#include "share/shared_file.h"
}

namespace {

TEST(Lease, OneRankOfTheNodeLeadsUntilItResignsOrEnds) {
  const std::string path = ::testing::TempDir() + "corewise-leaders-" + std::to_string(getpid());
  char message[CW_SHARED_MESSAGE_BYTES];
  cw_journal* const first = cw_journal_open(path.c_str(), 0, 100, message);
  cw_journal* const second = cw_journal_open(path.c_str(), 1, 100, message);
  ASSERT_TRUE(first && second) << message;
  cw_process_id self = {};
  ASSERT_TRUE(cw_process_identify(getpid(), &self));
  const cw_pu_mask mask = {{1}};
  cw_journal_enter(first, 0, &self, &mask);
  EXPECT_TRUE(cw_lease_leads(first, 10000));
  EXPECT_TRUE(cw_lease_leads(first, 10000));
  EXPECT_FALSE(cw_lease_leads(second, 10000));
  cw_lease_resign(first);
  EXPECT_TRUE(cw_lease_leads(second, 10000));  // its slot has no process, so its lease counts as expired
  EXPECT_TRUE(cw_lease_leads(first, 10000));
  EXPECT_FALSE(cw_lease_leads(second, 10000));
  cw_journal_close(first);
  cw_journal_close(second);
  std::filesystem::remove(path);
}

TEST(JournalUnderThreads, APartyIsSeenWholeOrNotAtAll) {
  const std::string path = ::testing::TempDir() + "corewise-parties-" + std::to_string(getpid());
  char message[CW_SHARED_MESSAGE_BYTES];
  cw_journal* const journal = cw_journal_open(path.c_str(), 0, 100, message);
  ASSERT_NE(journal, nullptr) << message;
  std::thread writer([journal] {
    for (int slot = 0; slot < CW_MOST_STEERED; ++slot) {
      const cw_process_id process = {slot + 1, 1000 + slot};
      cw_pu_mask mask = {};
      mask.word[slot / 64] = std::uint64_t{1} << slot % 64;
      cw_journal_enter(journal, slot, &process, &mask);
    }
  });
  for (int slot = 0; slot < CW_MOST_STEERED; ++slot) {
    while (!cw_journal_is_steered(journal, slot)) std::this_thread::yield();
    const cw_process_id seen = cw_journal_process(journal, slot);
    EXPECT_EQ(seen.start, 1000 + slot);
    const cw_pu_mask home = cw_journal_home(journal, slot);
    EXPECT_EQ(cw_mask_first(&home), slot);
  }
  writer.join();
  cw_journal_close(journal);
  std::filesystem::remove(path);
}

}  // namespace
