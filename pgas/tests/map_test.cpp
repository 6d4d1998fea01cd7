// Tests of the distributed hash map and multimap, over the loopback.
#include <vector>

#include "loopback_nodes.hpp"

namespace {

using corewise::pgas::GlobalArray;
using corewise::pgas::HashMap;
using corewise::pgas::HashMultimap;

class Maps : public OnLoopback {};
CW_ON_LOOPBACK(Maps);

TEST_P(Maps, inserted_keys_are_found_and_others_are_not) {
  run([] {
    auto map = HashMap<int, double>::create(100);
    for (int key = 0; key < 500; ++key) map.insert_nb(key, key / 2.0);
    corewise::pgas::wait();
    EXPECT_EQ(map.size(), 500u);
    EXPECT_EQ(map.find(7), 3.5);
    EXPECT_EQ(map.find(500), std::nullopt);
    EXPECT_FALSE(map.insert(7, 1.0));
    EXPECT_TRUE(map.erase(7));
    EXPECT_FALSE(map.erase(7));
    EXPECT_EQ(map.size(), 499u);
    map.destroy();
  });
}

TEST_P(Maps, concurrent_updates_of_a_key_lose_nothing) {
  run([] {
    auto map = HashMap<int, long>::create();
    corewise::pgas::parallel_for(0, 3000, [map](std::size_t i) {
      map.update_nb(static_cast<int>(i % 5), [i](long& sum) { sum += static_cast<long>(i); });
    });
    long total = 0;
    for (int key = 0; key < 5; ++key) total += map.find(key).value();
    EXPECT_EQ(total, 3000L * 2999 / 2);
  });
}

TEST_P(Maps, for_each_visits_every_key_once) {
  run([] {
    auto map = HashMap<int, int>::create();
    auto visits = GlobalArray<int>::create(200);
    for (int key = 0; key < 200; ++key) map.insert_nb(key, 1);
    corewise::pgas::wait();
    map.for_each([visits](int key, int& value) { visits.add_nb(static_cast<std::size_t>(key), value); });
    for (std::size_t i = 0; i < 200; ++i) ASSERT_EQ(visits.get(i), 1);
  });
}

TEST_P(Maps, a_multimap_keeps_all_values_of_a_key_together) {
  run([] {
    auto graph = HashMultimap<int, int>::create();
    corewise::pgas::parallel_for(
        0, 1000, [graph](std::size_t i) { graph.insert_nb(static_cast<int>(i % 10), static_cast<int>(i)); });
    EXPECT_EQ(graph.size(), 10u);
    graph.for_each([](int, std::vector<int>& values) { std::sort(values.begin(), values.end()); });
    const std::vector<int> threes = graph.find(3);
    ASSERT_EQ(threes.size(), 100u);
    for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(threes[k], static_cast<int>(3 + 10 * k));
    EXPECT_EQ(graph.visit(3, [](std::span<const int> values) { return values.size(); }), 100u);
    EXPECT_TRUE(graph.find(10).empty());
  });
}

TEST_P(Maps, a_vector_longer_than_a_buffer_comes_back_whole) {
  run([] {
    const int last = corewise::pgas::n_nodes() - 1;
    const auto numbers = corewise::pgas::call_at(last, [] {
      std::vector<int> result(100'000);
      for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<int>(i);
      return result;
    });
    ASSERT_EQ(numbers.size(), 100'000u);
    for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], static_cast<int>(i));
  });
}

}  // namespace
