// Slots in shared memory: readers get only complete contents, whatever the writer does meanwhile. Also run
// with ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "slots_in_c.h"

namespace {

TEST(Slots, WhatWasNeverWrittenIsNotRead) { EXPECT_EQ(slots_test_read_empty(), 0); }

TEST(Slots, AContentIsReadAsItWasWritten) { EXPECT_EQ(slots_test_round_trip(), 1); }

TEST(Slots, OfAWriterThatEndedInTheMiddleNothingIsReadUntilItsSuccessorWrites) {
  EXPECT_EQ(slots_test_cut_off(), 1);
}

TEST(Slots, ReadersNeverSeeHalfAContent) {
  SlotsTest* const test = slots_test_make();
  std::atomic<bool> ended{false};
  std::atomic<int> n_read{0}, n_torn{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&] {
      while (!ended) {
        const int seen = slots_test_read_is_whole(test);
        n_read += seen == 1;
        n_torn += seen == 2;
      }
    });
  }
  for (int number = 1; number <= 20000 || n_read == 0; ++number) slots_test_write_all(test, number);
  ended = true;
  for (std::thread& reader : readers) reader.join();
  slots_test_free(test);
  EXPECT_EQ(n_torn, 0);
  EXPECT_GT(n_read, 0);
}

}  // namespace
