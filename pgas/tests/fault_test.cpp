// Tests of faults: a run ends with an error that names the cause, after a limited time.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "loopback_nodes.hpp"
#include "node.hpp"

namespace {

namespace pgas = corewise::pgas;
using pgas::detail::Buffer;
using testing::HasSubstr;

/// Node 0 of two. The peer's settings differ in their first byte, the number of its handlers.
class OtherProgram : public pgas::detail::Transport {
 public:
  [[nodiscard]] int node() const override { return 0; }
  [[nodiscard]] int n_nodes() const override { return 2; }
  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
    std::vector<std::vector<std::byte>> all(2, {own.begin(), own.end()});
    all[1][0] ^= std::byte{1};
    return all;
  }
  void start(pgas::detail::BufferPool&) override {}
  void send(int, Buffer*) override {}
  [[nodiscard]] Buffer* receive() override { return nullptr; }
  void finish(bool) override {}
};

std::string error_of(const pgas::Options& options, const std::function<void()>& root) {
  try {
    pgas::run_loopback(options, root);
  } catch (const pgas::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Faults, a_peer_that_runs_another_program_is_refused_at_the_start) {
  OtherProgram transport;
  try {
    const pgas::detail::Node node(transport, options_for({2, 0, 0}));
    FAIL() << "no error";
  } catch (const pgas::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("start the same executable everywhere"));
  }
}

TEST(Faults, a_message_without_a_handler_is_an_error_on_both_nodes) {
  const auto send_nonsense = [] {
    pgas::detail::Completion done;
    done.expect();
    (void)pgas::detail::this_context->append_segment(1, {987'654, 8, 1, 0, pgas::detail::token_of(done)});
    done.wait();
  };
  EXPECT_EQ(error_of(options_for({2, 0, 0}), send_nonsense),
            "a message of node 0 wants handler 987654, which this program does not have");
}

TEST(Faults, using_a_destroyed_array_is_an_error) {
  const auto use_after_destroy = [] {
    auto array = pgas::GlobalArray<int>::create(100);
    auto same = array;
    array.destroy();
    same.put(99, 1);
  };
  EXPECT_THAT(error_of(options_for({2, 0, 0}), use_after_destroy), HasSubstr("was it created"));
}

TEST(Faults, exhausted_buffers_are_an_error) {
  pgas::Options options = options_for({2, 0, 0});
  options.max_buffers = 20;
  // Each 64 KiB of 16-byte requests cause 1 MiB of answers.
  const auto ask_for_too_much = [] {
    auto array = pgas::GlobalArray<std::array<char, 256>>::create(2);
    pgas::Handle handle;
    std::vector<std::array<char, 256>> results(20'000);
    for (auto& result : results) array.get_nb(handle, 1, &result);
    handle.wait();
  };
  EXPECT_THAT(error_of(options, ask_for_too_much), HasSubstr("all 20 message buffers"));
}

TEST(Faults, a_read_much_larger_than_all_buffers_goes_piece_by_piece) {
  pgas::Options options = options_for({2, 0, 0});
  options.max_buffers = 200;  // of 64 KiB: 12.5 MiB
  pgas::run_loopback(options, [] {
    auto array = pgas::GlobalArray<char>::create(64 << 20);
    array.put((64 << 20) - 1, 'z');
    std::vector<char> second_half(32 << 20);
    array.get(32 << 20, second_half);
    EXPECT_EQ(second_half.back(), 'z');
  });
}

TEST(Faults, waiting_tasks_beyond_the_limit_of_fibers_still_end) {
  pgas::Options options = options_for({2, 0, 0});
  options.max_fibers = 4;
  pgas::run_loopback(options, [] {
    auto array = pgas::GlobalArray<int>::create(2);
    pgas::Handle handle;
    for (int i = 0; i < 100; ++i) pgas::spawn(handle, [array] { array.add(1, 1); });
    handle.wait();
    EXPECT_EQ(array.get(1), 100);
  });
}

TEST(Faults, options_out_of_range_are_refused) {
  pgas::Options options;
  options.buffer_bytes = 100;
  EXPECT_THAT(error_of(options, [] {}), HasSubstr("Options::buffer_bytes is 100"));
  options = {};
  options.policy = "topologi";
  EXPECT_THAT(error_of(options, [] {}), HasSubstr("threads cannot be placed"));
}

TEST(Faults, a_destroyed_array_s_copy_does_not_reach_the_next_one) {
  for (const int nodes : {1, 2}) {
    EXPECT_THAT(error_of(options_for({nodes, 0, 0}),
                         [] {
                           const auto old = pgas::GlobalArray<long>::create(100);
                           auto copy = old;
                           copy.destroy();
                           (void)pgas::GlobalArray<long>::create(100);
                           old.put(99, 1);
                         }),
                HasSubstr("does not exist"));
  }
}

TEST(Faults, an_array_larger_than_memory_can_be_is_refused) {
  for (const std::size_t size : {std::size_t{1} << 62U, ~std::size_t{0}, std::size_t{1} << 60U}) {
    EXPECT_THAT(error_of(options_for({2, 0, 0}), [size] { (void)pgas::GlobalArray<double>::create(size); }),
                HasSubstr("larger than memory can be"));
  }
}

TEST(Faults, a_run_whose_last_index_overflows_is_outside) {
  EXPECT_THAT(error_of(options_for({2, 0, 0}),
                       [] {
                         const auto array = pgas::GlobalArray<long>::create(100);
                         std::vector<long> values(3);
                         array.get(~std::size_t{1}, std::span<long>(values));
                       }),
              HasSubstr("not all inside the array of 100"));
}

TEST(Faults, a_loop_over_no_index_ends) {
  for (const int nodes : {1, 2}) {
    EXPECT_EQ(
        error_of(options_for({nodes, 0, 0}),
                 [] { pgas::parallel_for(10, 5, [](std::size_t) { throw pgas::Error("an iteration"); }); }),
        "no error");
  }
}

TEST(Faults, a_loop_up_to_the_last_index_ends) {
  constexpr std::size_t last = ~std::size_t{0};
  EXPECT_EQ(error_of(options_for({1, 0, 0}),
                     [] {
                       const auto sum = pgas::GlobalArray<long>::create(1);
                       const auto body = [sum](std::size_t) { sum.add_nb(0, 1); };
                       pgas::parallel_for(last - 10, last, body, {.chunk = last});
                       if (sum.get(0) != 10) throw pgas::Error("not ten iterations");
                     }),
            "no error");
}

TEST(Faults, a_node_that_does_not_exist_is_named) {
  EXPECT_EQ(error_of(options_for({2, 0, 0}), [] { pgas::spawn_at(2, [] {}); }),
            "node 2 does not exist: the job has 2 nodes, from 0");
}

// Sanitizers reserve more than any memory limit, and abort at such a large allocation as the map's.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Faults, a_map_with_more_room_than_memory_is_refused) {
  for (const std::size_t expected : {~std::size_t{0}, std::size_t{1} << 60U}) {
    for (const int nodes : {1, 2}) {
      EXPECT_THAT(error_of(options_for({nodes, 0, 0}),
                           [expected] { (void)pgas::HashMap<long, long>::create(expected); }),
                  HasSubstr("for a map with room for"));
      EXPECT_THAT(error_of(options_for({nodes, 0, 0}),
                           [expected] { (void)pgas::HashMultimap<int, int>::create(expected); }),
                  HasSubstr("for a map with room for"));
    }
  }
}

TEST(Deaths, a_run_without_memory_ends_with_a_sentence) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // Limits the address space to its current size plus some MiB.
  const auto with_room_for = [](std::size_t mib) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * 4096 + (mib << 20U);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    std::exit(pgas::run(options_for({2, 0, 0}), [] {
      auto map = pgas::HashMap<long, long>::create(16);
      pgas::parallel_for(0, 10'000'000, [map](std::size_t i) { map.insert_nb(static_cast<long>(i), 1); });
    }));
  };
  for (const std::size_t mib : {24U, 32U, 64U, 128U}) {
    EXPECT_EXIT(with_room_for(mib), testing::ExitedWithCode(1), "corewise pgas: [^\n]* memory [^\n]*\n$");
  }
}

#endif

}  // namespace
