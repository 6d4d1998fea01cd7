/// schedule_of_events(): which calls of a log it keeps, leaves out and refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "corewise/error.hpp"
#include "corewise/schedule.hpp"
#include "traffic/profile_builder.hpp"
#include "traffic/profile_folder.hpp"

namespace corewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kWorld = 70;
constexpr std::int32_t kSends = 0, kReceives = 1, kAllreduces = 2, kWaits = 3, kComms = 4, kReads = 5;
constexpr std::int32_t kExchanges = 6, kStarts = 7, kProbes = 8;

/// A call of rank `rank` that starts at `begin_s` and takes 0.1 s.
Event call(std::int32_t rank, std::int32_t number, double begin_s) {
  Event event;
  event.rank = Rank{rank};
  event.call = number;
  event.begin_s = begin_s;
  event.end_s = begin_s + 0.1;
  return event;
}

Event message(std::int32_t rank, bool sends, double begin_s, std::int64_t matches) {
  Event event = call(rank, sends ? kSends : kReceives, begin_s);
  event.peer = 1 - rank;
  event.bytes = 1000;
  event.sends = sends;
  event.receives = !sends;
  event.matches = matches;
  return event;
}

Event allreduce(std::int32_t rank, double begin_s) {
  Event event = call(rank, kAllreduces, begin_s);
  event.collective = true;
  event.comm = kWorld;
  event.bytes = 8;
  return event;
}

class EventSchedule : public ProfileFolder {
 protected:
  /// Two ranks that run for 2 s each, in one MPI_COMM_WORLD.
  [[nodiscard]] Profile profile() const {
    HandMadeFile file = file_of(2);
    file.group(9, {{0, 1, 2}}).comm(kWorld, 9, 0, "MPI_COMM_WORLD").write(directory_);
    return Profile::read(directory_);
  }
  [[nodiscard]] Schedule schedule(std::vector<Event> events) const {
    return schedule_of_events(profile(), log_of(std::move(events)), MpiLibrary::openmpi);
  }
  static EventLog log_of(std::vector<Event> events) {
    EventLog log;
    log.calls = {{"MPI_Send", Layer::p2p},     {"MPI_Recv", Layer::p2p},      {"MPI_Allreduce", Layer::coll},
                 {"MPI_Wait", Layer::p2p},     {"MPI_Comm_dup", Layer::coll}, {"MPI_File_read", Layer::io},
                 {"MPI_Sendrecv", Layer::p2p}, {"MPI_Startall", Layer::p2p},  {"MPI_Iprobe", Layer::p2p}};
    log.events = std::move(events);
    return log;
  }
};

std::vector<Action::Kind> kinds(const Process& process) {
  std::vector<Action::Kind> found;
  for (const Action& action : process.actions) found.push_back(action.kind);
  return found;
}

double computed_s(const Process& process) {
  double sum = 0;
  for (const Action& action : process.actions) sum += action.compute_s;
  return sum;
}

using enum Action::Kind;

TEST_F(EventSchedule, KeepsWhatIsComputedBeforeBetweenAndAfterCalls) {
  const Schedule found = schedule({message(0, true, 0.5, 1), message(1, false, 0.2, 0)});
  ASSERT_EQ(found.processes.size(), 2U);
  EXPECT_THAT(kinds(found.processes[0]), ElementsAre(compute, send, wait_sent, compute));
  EXPECT_DOUBLE_EQ(found.processes[0].actions.front().compute_s, 0.5);
  EXPECT_DOUBLE_EQ(computed_s(found.processes[0]), 1.9);
  EXPECT_THAT(kinds(found.processes[1]), ElementsAre(compute, receive, wait_received, compute));
  ASSERT_EQ(found.messages.size(), 1U);
  EXPECT_EQ(found.messages[0].bytes, 1000U);
  EXPECT_THAT(found.left_out, ElementsAre());
}

class PolledSchedule : public EventSchedule {
 protected:
  /// Rank 0 sends at 0.7 s. Rank 1 polls from 0.3 to 1.3 s, 0.9 s of that without success.
  [[nodiscard]] Schedule polled() const {
    HandMadeFile file = file_of(2);
    file.rows(1, {test_row(kIprobe, -1, 0, CW_ROW_CALL, 1, 0)}).write(directory_);
    const std::vector<Event> events = {message(0, true, 0.7, 3), call(1, kWaits, 0.2), call(1, kProbes, 1.3),
                                       message(1, false, 1.4, 0)};
    return schedule_of_events(Profile::read(directory_), log_of(events), MpiLibrary::openmpi);
  }
};

TEST_F(PolledSchedule, WaitsForTheMessageInsteadOfComputingWhatWasPolled) {
  const Schedule found = polled();
  EXPECT_THAT(kinds(found.processes[1]), ElementsAre(compute, compute, receive, wait_received, compute));
  EXPECT_NEAR(found.processes[1].actions[1].compute_s, 0.1, 1e-12);
  EXPECT_NEAR(computed_s(found.processes[1]), 0.2 + 0.1 + 0.5, 1e-12);
}

TEST_F(EventSchedule, WaitsWhereARequestIsCompleted) {
  Event posted = message(1, false, 0.2, 2);
  posted.starts = true;
  posted.completed_by = 1;
  std::vector<Event> events = {posted, call(1, kWaits, 0.4), message(0, true, 0.5, 0)};
  std::swap(events[0], events[2]);  // rank 0 first
  std::swap(events[1], events[2]);
  events[0].matches = 1;
  events[1].matches = 0;
  events[1].completed_by = 2;
  const Schedule found = schedule(events);
  EXPECT_THAT(kinds(found.processes[1]), ElementsAre(compute, receive, compute, wait_received, compute));
}

/// The two events of an MPI_Sendrecv of rank `rank`, in the tracer's order. The events of the other rank's
/// call are `others` and `others` + 1.
std::vector<Event> sendrecv(std::int32_t rank, double begin_s, std::int64_t others) {
  std::vector<Event> found = {message(rank, true, begin_s, others + 1),
                              message(rank, false, begin_s, others)};
  found[0].call = found[1].call = kExchanges;
  found[1].part = true;
  return found;
}

TEST_F(EventSchedule, OfASendrecvPostsTheReceiveFirst) {
  std::vector<Event> events = sendrecv(0, 0.2, 2);
  const std::vector<Event> other = sendrecv(1, 0.3, 0);
  events.insert(events.end(), other.begin(), other.end());
  const Schedule found = schedule(events);
  for (const Process& process : found.processes) {
    EXPECT_THAT(kinds(process), ElementsAre(compute, receive, send, wait_sent, wait_received, compute));
  }
}

TEST_F(EventSchedule, OfSeveralRequestsBeginsThemInTheirOrder) {
  // MPI_Startall of a send and a receive: these are parts of the event, which itself is neither.
  std::vector<Event> events = {call(0, kStarts, 0.2), message(0, true, 0.2, 5), message(0, false, 0.2, 4),
                               call(0, kWaits, 0.4),  message(1, true, 0.2, 2), message(1, false, 0.5, 1)};
  for (const std::size_t part : {1U, 2U}) {
    events[part].call = kStarts;
    events[part].part = events[part].starts = true;
    events[part].completed_by = 3;
  }
  const Schedule found = schedule(events);
  EXPECT_THAT(kinds(found.processes[0]),
              ElementsAre(compute, send, receive, compute, wait_sent, wait_received, compute));
}

TEST_F(EventSchedule, HasTheMessagesOfACollective) {
  // Open MPI's Allreduce of 8 bytes with two ranks: recursive doubling, a single exchange.
  const Schedule found = schedule({allreduce(0, 0.1), allreduce(1, 0.3)});
  ASSERT_EQ(found.messages.size(), 2U);
  EXPECT_EQ(found.messages[0].bytes, 8U);
  EXPECT_THAT(kinds(found.processes[0]),
              ElementsAre(compute, receive, send, wait_sent, wait_received, compute));
}

TEST_F(EventSchedule, LetsACollectiveWithARequestGoOnByItself) {
  std::vector<Event> events = {allreduce(0, 0.1), call(0, kWaits, 0.5), allreduce(1, 0.1),
                               call(1, kWaits, 0.5)};
  for (const std::size_t i : {0U, 2U}) {
    events[i].starts = true;
    events[i].completed_by = static_cast<std::int64_t>(i) + 1;
  }
  const Schedule found = schedule(events);
  ASSERT_EQ(found.processes.size(), 4U);
  EXPECT_FALSE(found.processes[0].started);
  EXPECT_THAT(kinds(found.processes[0]), ElementsAre(receive, send, wait_sent, wait_received));
  EXPECT_THAT(kinds(found.processes[2]), ElementsAre(compute, start, compute, join, compute));
}

TEST_F(EventSchedule, CountsTheTimeOfFilesAsComputing) {
  const Schedule found = schedule({call(0, kReads, 0.5)});
  EXPECT_DOUBLE_EQ(computed_s(found.processes[0]), 2);
}

TEST_F(EventSchedule, GivesARankWithoutCallsItsTime) {
  const Schedule found = schedule({call(0, kComms, 0.5)});
  ASSERT_EQ(found.processes.size(), 2U);
  EXPECT_EQ(found.processes[1].rank, Rank{1});
  EXPECT_DOUBLE_EQ(computed_s(found.processes[1]), 2);
}

TEST_F(EventSchedule, LeavesOutAndCountsWhatHasNoOtherEnd) {
  const Schedule found = schedule({message(0, true, 0.5, -1), allreduce(1, 0.3)});
  EXPECT_EQ(found.messages.size(), 0U);
  EXPECT_THAT(found.left_out, ElementsAre(HasSubstr("1 sends and receives whose other end"),
                                          HasSubstr("1 collectives that not all members called")));
}

TEST_F(EventSchedule, OfALogThatIsNotWholeIsRefused) {
  EventLog log = log_of({message(0, true, 0.5, 1), message(1, false, 0.2, 0)});
  log.n_dropped = 5;
  EXPECT_THAT(refusal_of([&] { (void)schedule_of_events(profile(), log, MpiLibrary::openmpi); }),
              HasSubstr("the tracer left out 5"));
  EXPECT_THROW((void)schedule({}), Error);
}

TEST(MpiLibraries, HaveNames) {
  EXPECT_EQ(mpi_library_named("mpich"), MpiLibrary::mpich);
  EXPECT_EQ(mpi_library_named("openmpi"), MpiLibrary::openmpi);
  EXPECT_THROW((void)mpi_library_named("lam"), Error);
}

}  // namespace
}  // namespace corewise
