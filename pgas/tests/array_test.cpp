// Tests of global arrays, over the loopback.
#include <numeric>
#include <vector>

#include "loopback_nodes.hpp"

namespace {

using corewise::pgas::GlobalArray;
using corewise::pgas::Handle;

class Arrays : public OnLoopback {};
CW_ON_LOOPBACK(Arrays);

TEST_P(Arrays, every_element_is_read_back_as_it_was_written) {
  run([] {
    const std::size_t n = 1001;
    auto array = GlobalArray<int>::create(n);
    for (std::size_t i = 0; i < n; ++i) array.put_nb(i, static_cast<int>(3 * i));
    corewise::pgas::wait();
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(array.get(i), static_cast<int>(3 * i));
    array.destroy();
  });
}

TEST_P(Arrays, concurrent_adds_lose_nothing) {
  run([] {
    auto counters = GlobalArray<long>::create(17);
    const std::size_t n = 20'000;
    corewise::pgas::parallel_for(0, n, [counters](std::size_t i) { counters.add_nb(i % 17, 1); });
    long total = 0;
    for (std::size_t i = 0; i < 17; ++i) {
      const long count = counters.get(i);
      EXPECT_EQ(count, static_cast<long>(n / 17 + (i < n % 17 ? 1 : 0))) << i;
      total += count;
    }
    EXPECT_EQ(total, static_cast<long>(n));
  });
}

TEST_P(Arrays, fetch_add_hands_out_each_number_once) {
  run([] {
    auto ticket = GlobalArray<long>::create(8);
    auto taken = GlobalArray<int>::create(2000);
    corewise::pgas::parallel_for(0, 2000, [=](std::size_t) {
      const long mine = ticket.fetch_add(7, 1);
      taken.add_nb(static_cast<std::size_t>(mine), 1);
    });
    EXPECT_EQ(ticket.get(7), 2000);
    for (std::size_t i = 0; i < 2000; ++i) ASSERT_EQ(taken.get(i), 1) << i;
  });
}

TEST_P(Arrays, compare_exchange_lets_one_task_win) {
  run([] {
    auto winner = GlobalArray<int>::create(4);
    auto wins = GlobalArray<int>::create(1);
    corewise::pgas::parallel_for(0, 300, [=](std::size_t i) {
      if (winner.compare_exchange(3, 0, static_cast<int>(i) + 1) == 0) wins.add(0, 1);
    });
    EXPECT_EQ(wins.get(0), 1);
    EXPECT_NE(winner.get(3), 0);
  });
}

TEST_P(Arrays, runs_of_elements_cross_blocks) {
  run([] {
    const std::size_t n = 60'000;
    auto array = GlobalArray<double>::create(n);
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 0.5);
    array.put(0, values);
    std::vector<double> back(n);
    array.get(0, back);
    EXPECT_EQ(back, values);
    array.put(n - 1000, std::vector<double>(999, -1.0));
    EXPECT_EQ(array.get(n - 1001), 0.5 + static_cast<double>(n - 1001));
    EXPECT_EQ(array.get(n - 1000), -1.0);
    EXPECT_EQ(array.get(n - 2), -1.0);
    EXPECT_EQ(array.get(n - 1), 0.5 + static_cast<double>(n - 1));
  });
}

TEST_P(Arrays, for_each_visits_every_element_on_its_node) {
  run([] {
    auto array = GlobalArray<std::size_t>::create(999);
    corewise::pgas::for_each(array, [](std::size_t i, std::size_t& element) { element = i * i; });
    for (std::size_t i = 0; i < 999; ++i) ASSERT_EQ(array.get(i), i * i);
    EXPECT_EQ(array.local().size() + array.local_begin(), std::min<std::size_t>(999, array.local().size()));
  });
}

TEST_P(Arrays, an_index_outside_ends_the_run_with_an_error) {
  EXPECT_THROW(
      {
        try {
          run([] { GlobalArray<int>::create(10).put(10, 1); });
        } catch (const corewise::pgas::Error& error) {
          EXPECT_STREQ(error.what(), "index 10 is outside the array of 10 elements");
          throw;
        }
      },
      corewise::pgas::Error);
}

}  // namespace
