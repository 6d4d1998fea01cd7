// Tests of temporal motifs: known counts for the CollegeMsg graph, and brute force on random graphs.
#include "kernels/motif.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>

#include "kernels/input_error.hpp"
#include "kernels/random.hpp"
#include "kernels/snap.hpp"

namespace corewise::workloads {
namespace {

constexpr std::int64_t hour_s = 3600, day_s = 24 * hour_s;

std::uint64_t count_all(const TemporalGraph& graph, const char* pattern, std::int64_t delta_s) {
  return count_motif(graph, Pattern(pattern), delta_s, 0, static_cast<std::uint32_t>(graph.edges().size()));
}

/// Tries every ascending tuple of edges. Shares only the pattern's parser with the search.
class BruteForce {
 public:
  BruteForce(std::vector<TemporalEdge> edges, const char* pattern, std::int64_t delta_s)
      : edges_(std::move(edges)), pattern_(pattern), delta_s_(delta_s) {}

  [[nodiscard]] std::uint64_t count() { return below(0); }

 private:
  std::uint64_t below(std::size_t next) {
    if (chosen_.size() == static_cast<std::size_t>(pattern_.n_edges())) return is_match();
    std::uint64_t found = 0;
    for (std::size_t e = next; e < edges_.size(); ++e) {
      chosen_.push_back(edges_[e]);
      found += below(e + 1);
      chosen_.pop_back();
    }
    return found;
  }

  [[nodiscard]] bool is_match() const {
    if (chosen_.empty() || chosen_.back().time_s - chosen_.front().time_s > delta_s_) return false;
    std::vector<std::int64_t> image(Pattern::max_vertices, -1);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const auto [src, dst] = pattern_.edge(static_cast<int>(i));
      for (const auto& [vertex, found] : {std::pair{src, chosen_[i].src}, std::pair{dst, chosen_[i].dst}}) {
        if (image[vertex] >= 0 && image[vertex] != found) return false;
        image[vertex] = found;
      }
    }
    for (std::size_t a = 0; a < image.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (image[a] >= 0 && image[a] == image[b]) return false;
      }
    }
    return true;
  }

  std::vector<TemporalEdge> edges_;
  Pattern pattern_;
  std::int64_t delta_s_;
  std::vector<TemporalEdge> chosen_;
};

/// Few vertices and few times, so there are many ties, repeated edges and self-loops.
std::vector<TemporalEdge> crowded_edges(std::uint64_t seed) {
  const Stream stream(seed);
  std::vector<TemporalEdge> edges;
  for (std::uint64_t e = 0; e < 24; ++e) {
    edges.push_back({static_cast<std::uint32_t>(stream.bits(3 * e) % 5),
                     static_cast<std::uint32_t>(stream.bits(3 * e + 1) % 5),
                     static_cast<std::int64_t>(stream.bits(3 * e + 2) % 12)});
  }
  sort_by_time(edges);
  return edges;
}

TEST(Motif, counts_equal_brute_force_on_random_graphs) {
  std::uint64_t total = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const std::vector<TemporalEdge> edges = crowded_edges(seed);
    for (const char* pattern : {"01", "00", "01,10", "01,12", "01,12,20", "01,02,03", "00,01,10", "01,12,23",
                                "01,21,23", "01,12,23,30", "01,01,12,20"}) {
      for (const std::int64_t delta_s : {0, 3, 12}) {
        const std::uint64_t brute = BruteForce(edges, pattern, delta_s).count();
        EXPECT_EQ(count_all(TemporalGraph(edges), pattern, delta_s), brute) << pattern << " seed " << seed;
        total += brute;
      }
    }
  }
  EXPECT_GT(total, 2'000u) << "the graphs have too few matches to tell anything";
}

TEST(Motif, edges_of_one_time_keep_their_order) {
  const TemporalGraph graph({{0, 1, 5}, {1, 2, 5}});
  EXPECT_EQ(count_all(graph, "01,12", 0), 1u);
  const TemporalGraph turned({{1, 2, 5}, {0, 1, 5}});
  EXPECT_EQ(count_all(turned, "01,12", 0), 0u);
}

struct Golden {
  const char* pattern;
  std::uint64_t hour;
  std::optional<std::uint64_t> day;
};

class CollegeMsg : public testing::TestWithParam<Golden> {};

TEST_P(CollegeMsg, has_as_many_matches_as_the_field_notes_say) {
  std::ifstream in(CW_COLLEGE_MSG);
  if (!in) GTEST_SKIP() << "SNAP's CollegeMsg.txt is not here (it is not ours to hand on)";
  const TemporalGraph graph(read_temporal_edges(in, {CW_COLLEGE_MSG, 1}));
  ASSERT_EQ(graph.edges().size(), 59'835u);
  const auto& [pattern, hour, day] = GetParam();
  EXPECT_EQ(count_all(graph, pattern, hour_s), hour);
  if (day) {
    EXPECT_EQ(count_all(graph, pattern, day_s), *day);
  }
}

INSTANTIATE_TEST_SUITE_P(
    FieldNotes, CollegeMsg,
    testing::Values(Golden{"01,12,23", 78'528, 1'492'281}, Golden{"01,12,13", 227'378, 3'743'944},
                    Golden{"01,12,20", 1'657, 9'854}, Golden{"01,12,23,30", 3'769, 64'263},
                    Golden{"01,12,23,31", 1'075, 55'360}, Golden{"01,12,23,30,10", 6'720, 51'206},
                    Golden{"01,12,23,34", 77'358, 5'658'171}, Golden{"01,02,03", 1'470'957, 10'651'169},
                    Golden{"02,03,12,13", 10'785, std::nullopt}));

TEST(Pattern, reads_what_it_prints) {
  EXPECT_EQ(Pattern("01,12,23,30,10").text(), "01,12,23,30,10");
  EXPECT_EQ(Pattern("02,03,12").text(), "02,03,12");
  EXPECT_EQ(Pattern("02,03,12").edge(2).src, 3);
  EXPECT_EQ(Pattern("00").n_edges(), 1);
}

class BadPattern : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(BadPattern, is_refused_with_the_reason) {
  const auto& [text, why] = GetParam();
  EXPECT_THAT([&text = text] { (void)Pattern(text); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr(why)));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadPattern,
    testing::Values(std::pair{"", "has no edge"}, std::pair{"01,", "no edge at position 1"},
                    std::pair{"01,2", "no edge at position 4"}, std::pair{"01;12", "no edge at position 1"},
                    std::pair{"0a", "no edge at position 1"}, std::pair{"08", "no edge at position 1"},
                    std::pair{"01,23", "touches no earlier one"},
                    std::pair{"01,01,01,01,01,01,01,01,01", "more than 8 edges"}));

TEST(SyntheticGraph, has_the_asked_size_few_busy_vertices_and_answers) {
  const std::vector<TemporalEdge> edges = synthetic_temporal_edges(1000, 6000, 7);
  ASSERT_EQ(edges.size(), 6000u);
  EXPECT_TRUE(std::ranges::is_sorted(edges, {}, &TemporalEdge::time_s));
  std::vector<int> degree(1000, 0);
  for (const TemporalEdge& edge : edges) {
    ++degree.at(edge.src);
    ++degree.at(edge.dst);
  }
  std::ranges::sort(degree, std::greater());
  EXPECT_GT(std::accumulate(degree.begin(), degree.begin() + 100, 0), 6000) << "half of all ends in a tenth";
  EXPECT_EQ(synthetic_temporal_edges(1000, 6000, 7), edges);
  EXPECT_NE(synthetic_temporal_edges(1000, 6000, 8), edges);
  EXPECT_GT(count_all(TemporalGraph(edges), "01,10", 30 * day_s), 100u);
}

}  // namespace
}  // namespace corewise::workloads
