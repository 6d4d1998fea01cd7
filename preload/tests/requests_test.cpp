/// The table of requests: many live requests, and handles that change, are reused or shared.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

extern "C" {
#include "../pmpi/comms/members.h"
#include "../pmpi/requests/requests.h"
}

namespace corewise {
namespace {

/// A persistent request with one event of `bytes`, entered under `handle`.
cw_request* enter(std::uint64_t handle, std::uint64_t bytes) {
  cw_request* request = cw_request_new(true);
  const cw_event event = {0, 0, 0, 0, bytes, 0, 0};
  cw_request_add(request, &event);
  cw_requests_enter(request, handle);
  return request;
}

void remove(std::uint64_t handle) { cw_request_free(cw_requests_take(handle)); }

/// Starts an operation, entered under `handle`; returns its number.
std::uint64_t post(std::uint64_t handle) {
  cw_request* request = cw_request_new(false);
  cw_request_begin(request, 0);
  cw_requests_enter(request, handle);
  return request->operation.number;
}

TEST(Requests, AreFoundByTheirHandlesHoweverManyLive) {
  // Handles like pointers: multiples of 256. Every third one is removed again.
  constexpr std::uint64_t kMany = 20000;
  for (std::uint64_t i = 1; i <= kMany; ++i) enter(256 * i, i);
  for (std::uint64_t i = 3; i <= kMany; i += 3) remove(256 * i);
  for (std::uint64_t i = 1; i <= kMany; ++i) {
    const cw_request* found = cw_requests_find(256 * i);
    if (i % 3 == 0) {
      EXPECT_EQ(found, nullptr) << i;
    } else {
      ASSERT_NE(found, nullptr) << i;
      EXPECT_EQ(found->events[0].bytes, i);
    }
  }
  for (std::uint64_t i = 1; i <= kMany; ++i) remove(256 * i);
  EXPECT_EQ(cw_requests_find(256), nullptr);
}

TEST(Requests, ThatAreLostForWantOfMemoryKeepNoEvents) {
  const cw_event event = {0, 0, 0, 0, 7, 0, 0};
  cw_request_add(&cw_request_lost, &event);
  EXPECT_EQ(cw_request_lost.n_events, 0u);
  EXPECT_EQ(cw_request_lost.events, nullptr);
}

TEST(Requests, KeepTheirEventsWhereTheirHandleChanges) {
  cw_request* request = enter(100, 7);
  cw_requests_enter(request, 200);
  EXPECT_EQ(cw_requests_find(100), nullptr);
  ASSERT_EQ(cw_requests_find(200), request);
  EXPECT_EQ(request->events[0].bytes, 7u);
  remove(200);
}

TEST(Requests, TakeThePlaceOfAnEarlierOneOfTheirHandle) {
  enter(100, 7);
  enter(100, 8);
  ASSERT_NE(cw_requests_find(100), nullptr);
  EXPECT_EQ(cw_requests_find(100)->events[0].bytes, 8u);
  remove(100);
  EXPECT_EQ(cw_requests_find(100), nullptr);
}

TEST(Requests, OfOneHandleAreAChainOfWhichTheNewestIsTakenFirst) {
  // MPI may give the same handle to all requests that are complete from the start.
  const std::uint64_t first = post(100);
  const std::uint64_t second = post(100);
  EXPECT_NE(first, second);
  for (const std::uint64_t number : {second, first}) {
    cw_request* taken = cw_requests_take(100);
    ASSERT_NE(taken, nullptr);
    EXPECT_EQ(taken->operation.number, number);
    cw_request_free(taken);
  }
  EXPECT_EQ(cw_requests_take(100), nullptr);
}

TEST(Requests, ThatBeganAfterACallCameAreNotThoseThatItCompleted) {
  // A thread waits for the request with handle 100. MPI completes it and gives handle 100 to a request of
  // another thread.
  const std::uint64_t waited_for = post(100);
  const std::uint64_t begun = cw_requests_begun();
  const std::uint64_t later = post(100);
  cw_request* completed = cw_requests_complete(100, begun);
  ASSERT_NE(completed, nullptr);
  EXPECT_EQ(completed->operation.number, waited_for);
  cw_request_free(completed);
  EXPECT_EQ(cw_requests_complete(100, begun), nullptr);
  completed = cw_requests_complete(100, cw_requests_begun());
  ASSERT_NE(completed, nullptr);
  EXPECT_EQ(completed->operation.number, later);
  cw_request_free(completed);
  EXPECT_EQ(cw_requests_find(100), nullptr);
}

TEST(Requests, APersistentOneIsCompletedAndStaysUnlessItWasNotStarted) {
  cw_request* request = enter(300, 8);
  EXPECT_EQ(cw_requests_complete(300, cw_requests_begun()), nullptr);
  cw_request_begin(request, 0);
  EXPECT_EQ(cw_requests_complete(300, cw_requests_begun()), request);
  EXPECT_EQ(cw_requests_find(300), request);
  remove(300);
}

TEST(Requests, APersistentOneEndsWhatItsHandleStoodForBefore) {
  post(100);
  post(100);
  const std::uint64_t live = cw_requests_live();
  enter(100, 7);
  EXPECT_EQ(cw_requests_live(), live - 1);
  remove(100);
  EXPECT_EQ(cw_requests_find(100), nullptr);
  EXPECT_EQ(cw_requests_live(), live - 2);
}

TEST(Requests, NeedNoMoreMemoryThanLiveAtOnce) {
  // Many operations, 64 at a time on 16 handles, reuse the same 64 entries.
  const std::uint64_t live = cw_requests_live();
  std::set<cw_request*> entries;
  for (int round = 0; round < 2000; ++round) {
    for (std::uint64_t i = 0; i < 64; ++i) post(1 + i % 16);
    EXPECT_EQ(cw_requests_live(), live + 64);
    for (std::uint64_t i = 0; i < 64; ++i) {
      cw_request* taken = cw_requests_take(1 + i % 16);
      entries.insert(taken);
      cw_request_free(taken);
    }
  }
  EXPECT_EQ(cw_requests_live(), live);
  EXPECT_LE(entries.size(), 64u);
}

TEST(Requests, LetGoOfTheRanksThatTheyHold) {
  cw_members* members = cw_members_new(2);
  cw_request* request = cw_request_new(false);
  request->members = cw_members_hold(members);
  cw_requests_enter(request, 100);
  EXPECT_EQ(members->n_holders, 2u);
  remove(100);
  EXPECT_EQ(members->n_holders, 1u);
  cw_members_release(members);
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
        remove(handle);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(n_found, 4000);
}

}  // namespace
}  // namespace corewise
