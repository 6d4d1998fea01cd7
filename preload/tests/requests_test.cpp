/// The table of persistent requests: many live ones, handles that change, handles that are used again.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

extern "C" {
#include "../pmpi/requests.h"
}

namespace corewise {
namespace {

/// A request whose one event has `bytes`, entered under `handle`.
cw_request* enter(std::uint64_t handle, std::uint64_t bytes) {
  cw_request* request = cw_request_new();
  const cw_event event = {0, 0, 0, 0, bytes, 0, 0};
  cw_request_add(request, &event);
  cw_requests_enter(request, handle);
  return request;
}

TEST(Requests, AreFoundByTheirHandlesHoweverManyLive) {
  // Handles as of pointers: multiples of 256. Every third one is removed again.
  constexpr std::uint64_t kMany = 20000;
  for (std::uint64_t i = 1; i <= kMany; ++i) enter(256 * i, i);
  for (std::uint64_t i = 3; i <= kMany; i += 3) cw_requests_remove(256 * i);
  for (std::uint64_t i = 1; i <= kMany; ++i) {
    const cw_request* found = cw_requests_find(256 * i);
    if (i % 3 == 0) {
      EXPECT_EQ(found, nullptr) << i;
    } else {
      ASSERT_NE(found, nullptr) << i;
      EXPECT_EQ(found->events[0].bytes, i);
    }
  }
  for (std::uint64_t i = 1; i <= kMany; ++i) cw_requests_remove(256 * i);
  EXPECT_EQ(cw_requests_find(256), nullptr);
}

TEST(Requests, KeepTheirEventsWhereTheirHandleChanges) {
  cw_request* request = enter(100, 7);
  cw_requests_enter(request, 200);
  EXPECT_EQ(cw_requests_find(100), nullptr);
  ASSERT_EQ(cw_requests_find(200), request);
  EXPECT_EQ(request->events[0].bytes, 7u);
  cw_requests_remove(200);
}

TEST(Requests, TakeThePlaceOfAnEarlierOneOfTheirHandle) {
  enter(100, 7);
  enter(100, 8);
  ASSERT_NE(cw_requests_find(100), nullptr);
  EXPECT_EQ(cw_requests_find(100)->events[0].bytes, 8u);
  cw_requests_remove(100);
  EXPECT_EQ(cw_requests_find(100), nullptr);
}

TEST(Requests, OfSeveralThreadsLiveInOneTable) {
  std::vector<std::thread> threads;
  std::atomic<int> n_found = 0;
  for (std::uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint64_t i = 1; i <= 1000; ++i) {
        const std::uint64_t handle = 4 * i + thread;
        enter(handle, i);
        if (cw_requests_find(handle)->events[0].bytes == i) ++n_found;
        cw_requests_remove(handle);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(n_found, 4000);
}

}  // namespace
}  // namespace corewise
