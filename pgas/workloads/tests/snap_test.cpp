// Tests of the readers of SNAP's files.
#include "kernels/snap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "kernels/input_error.hpp"
#include "kernels/random.hpp"

namespace corewise::workloads {
namespace {

std::vector<TemporalEdge> read(const std::string& text, std::uint64_t skip_lines = 0) {
  std::istringstream in(text);
  return read_temporal_edges(in, {"graph.txt", skip_lines});
}

TEST(Snap, reads_edges_comments_tabs_and_windows_lines_and_sorts_by_time) {
  EXPECT_THAT(read("# a comment\n1 2 30\n\n3\t1\t10\r\n% another\n2 2 30\n"),
              testing::ElementsAre(TemporalEdge{3, 1, 10}, TemporalEdge{1, 2, 30}, TemporalEdge{2, 2, 30}));
}

TEST(Snap, names_a_header_and_how_to_skip_it) {
  EXPECT_THAT([] { (void)read("nd nw\n1 2 3\n"); },
              testing::ThrowsMessage<InputError>(testing::AllOf(testing::HasSubstr("graph.txt, line 1"),
                                                                testing::HasSubstr("\"nd nw\""),
                                                                testing::HasSubstr("--skip-lines 1"))));
  EXPECT_EQ(read("nd nw\n1 2 3\n", 1).size(), 1u);
}

class BadLine : public testing::TestWithParam<const char*> {};

TEST_P(BadLine, is_refused_with_its_number) {
  EXPECT_THAT([] { (void)read(std::string("1 2 3\n") + GetParam() + "\n"); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("line 2")));
}

INSTANTIATE_TEST_SUITE_P(All, BadLine,
                         testing::Values("1 2", "1 2 3 4", "-1 2 3", "1 2 3.5", "4294967295 2 3", "1 2 x",
                                         "99999999999999999999 2 3", "1 2 99999999999999999999"));

TEST(Snap, an_empty_file_is_refused) {
  EXPECT_THAT([] { (void)read("# nothing\n"); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("has no edge")));
}

TEST(Snap, plain_edges_have_two_fields) {
  std::istringstream good("7 8\n8 9\n"), bad("7 8 9\n");
  EXPECT_EQ(read_edges(good, {"edges.txt"}).size(), 2u);
  EXPECT_THROW((void)read_edges(bad, {"edges.txt"}), InputError);
}

TEST(Snap, random_bytes_are_read_or_refused) {
  const Stream stream(11);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    std::string text = "1 2 3\n4 5 6\n";
    for (std::uint64_t k = 0; k < 3; ++k) {
      text[stream.bits(8 * i + 2 * k) % text.size()] =
          static_cast<char>(stream.bits(8 * i + 2 * k + 1) % 256);
    }
    try {
      EXPECT_LE(read(text).size(), 12u);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("graph.txt"));
    }
  }
}

}  // namespace
}  // namespace corewise::workloads
