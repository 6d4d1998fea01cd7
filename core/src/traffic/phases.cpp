/// find_stretches(): divides consecutive windows into stretches of different communication patterns.
#include "corewise/phases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace corewise {
namespace {

std::uint64_t weight_of(const PairTraffic& pair, bool by_messages) {
  return by_messages ? pair.messages : pair.bytes;
}
double total_of(const CommMatrix& matrix, bool by_messages) {
  return static_cast<double>(by_messages ? matrix.messages() : matrix.bytes());
}

/// Sum of |a_ij / a - b_ij / b| over one row without the diagonal.
double row_distance(std::span<const PairTraffic> a, double scale_a, std::span<const PairTraffic> b,
                    double scale_b, Rank self, bool by_messages) {
  double sum = 0;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() || k < b.size()) {
    const bool take_a = k == b.size() || (i < a.size() && a[i].peer <= b[k].peer);
    const bool take_b = i == a.size() || (k < b.size() && b[k].peer <= a[i].peer);
    const Rank peer = take_a ? a[i].peer : b[k].peer;
    const double of_a = take_a ? static_cast<double>(weight_of(a[i++], by_messages)) * scale_a : 0;
    const double of_b = take_b ? static_cast<double>(weight_of(b[k++], by_messages)) * scale_b : 0;
    if (peer != self) sum += std::abs(of_a - of_b);
  }
  return sum;
}

/// The steps of find_stretches().
class StretchFinder {
 public:
  explicit StretchFinder(std::span<const CommMatrix> windows) {
    for (std::size_t i = 0; i < windows.size(); ++i) add(windows[i], i);
    for (const Part& part : parts_) all_ += weight(part.matrix);
  }

  std::vector<Stretch> find() {
    join_passages();
    name_patterns();
    join_small();
    std::vector<Stretch> stretches;
    std::vector<std::int32_t> order;  // patterns by first appearance
    for (const Part& part : parts_) {
      auto known = std::find(order.begin(), order.end(), part.pattern);
      if (known == order.end()) known = order.insert(order.end(), part.pattern);
      stretches.push_back({part.first, part.last, static_cast<std::int32_t>(known - order.begin())});
    }
    return stretches;
  }

 private:
  /// A stretch under construction.
  struct Part {
    CommMatrix matrix;  ///< sum of its windows
    std::size_t first = 0;
    std::size_t last = 0;
    std::int32_t pattern = 0;
  };

  [[nodiscard]] static double weight(const CommMatrix& matrix) {
    return total_of(matrix, matrix.bytes() == 0);
  }
  [[nodiscard]] static bool is_empty(const CommMatrix& matrix) { return matrix.messages() == 0; }

  void add(const CommMatrix& window, std::size_t index) {
    if (parts_.empty()) {
      parts_.push_back({window, index, index, 0});
      return;
    }
    Part& last = parts_.back();
    const bool goes_on =
        is_empty(window) || is_empty(last.matrix) || pattern_distance(last.matrix, window) <= kSamePattern;
    if (!goes_on) {
      parts_.push_back({window, index, index, 0});
      return;
    }
    if (!is_empty(window)) last.matrix = sum(last.matrix, window);
    last.last = index;
  }

  [[nodiscard]] static CommMatrix sum(const CommMatrix& a, const CommMatrix& b) {
    const CommMatrix both[] = {a, b};
    return sum_of(both);
  }

  void join_with_next(std::size_t i) {
    Part& left = parts_[i];
    const Part& right = parts_[i + 1];
    if (weight(right.matrix) > weight(left.matrix)) left.pattern = right.pattern;
    left.matrix = sum(left.matrix, right.matrix);
    left.last = right.last;
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }

  void join_with_nearer(std::size_t i) {
    const bool has_left = i > 0;
    const bool has_right = i + 1 < parts_.size();
    const double to_left = has_left ? pattern_distance(parts_[i - 1].matrix, parts_[i].matrix) : 2;
    const double to_right = has_right ? pattern_distance(parts_[i].matrix, parts_[i + 1].matrix) : 2;
    if (has_left || has_right) join_with_next(to_left <= to_right ? i - 1 : i);
  }

  /// Joins a single window between two longer stretches: it contains the transition and resembles neither.
  void join_passages() {
    for (std::size_t i = 1; i + 1 < parts_.size();) {
      const bool single = parts_[i].first == parts_[i].last;
      const bool between_longer =
          parts_[i - 1].first < parts_[i - 1].last && parts_[i + 1].first < parts_[i + 1].last;
      single&& between_longer ? join_with_nearer(i) : void(++i);
    }
  }

  /// Centroid clustering of the stretches. Stretches of one cluster get the same pattern number.
  void name_patterns() {
    std::vector<CommMatrix> centres;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].pattern = static_cast<std::int32_t>(i);
      centres.push_back(parts_[i].matrix);
    }
    std::vector<bool> alive(centres.size(), true);
    std::vector<std::vector<double>> distance(centres.size(), std::vector<double>(centres.size(), 2));
    for (std::size_t i = 0; i < centres.size(); ++i) {
      for (std::size_t k = i + 1; k < centres.size(); ++k) {
        distance[i][k] = pattern_distance(centres[i], centres[k]);
      }
    }
    while (true) {
      const auto [i, k] = nearest_pair(distance, alive);
      if (i == k || distance[i][k] > kSamePattern) return;
      centres[i] = sum(centres[i], centres[k]);
      alive[k] = false;
      for (Part& part : parts_) {
        if (part.pattern == static_cast<std::int32_t>(k)) part.pattern = static_cast<std::int32_t>(i);
      }
      for (std::size_t other = 0; other < centres.size(); ++other) {
        if (!alive[other] || other == i) continue;
        distance[std::min(i, other)][std::max(i, other)] = pattern_distance(centres[i], centres[other]);
      }
    }
  }

  [[nodiscard]] static std::pair<std::size_t, std::size_t> nearest_pair(
      const std::vector<std::vector<double>>& distance, const std::vector<bool>& alive) {
    std::pair<std::size_t, std::size_t> nearest{0, 0};
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < alive.size(); ++i) {
      for (std::size_t k = i + 1; alive[i] && k < alive.size(); ++k) {
        if (alive[k] && distance[i][k] < least) {
          least = distance[i][k];
          nearest = {i, k};
        }
      }
    }
    return nearest;
  }

  void join_equal_neighbours() {
    for (std::size_t i = 0; i + 1 < parts_.size();) {
      parts_[i].pattern == parts_[i + 1].pattern ? join_with_next(i) : void(++i);
    }
  }

  void join_small() {
    for (join_equal_neighbours(); parts_.size() > 1; join_equal_neighbours()) {
      const auto least = std::min_element(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
        return weight(a.matrix) < weight(b.matrix);
      });
      if (weight(least->matrix) >= kSmallestPhase * all_ && parts_.size() <= kMostPhases) return;
      join_with_nearer(static_cast<std::size_t>(least - parts_.begin()));
    }
  }

  std::vector<Part> parts_;
  double all_ = 0;
};

}  // namespace

double pattern_distance(const CommMatrix& a, const CommMatrix& b) {
  const bool by_messages = a.bytes() == 0 && b.bytes() == 0;
  const double of_a = total_of(a, by_messages);
  const double of_b = total_of(b, by_messages);
  if (of_a == 0 || of_b == 0) return of_a == of_b ? 0 : 1;
  double sum = 0;
  for (std::int32_t src = 0; src < a.n_ranks(); ++src) {
    sum += row_distance(a.row(Rank{src}), 1 / of_a, b.row(Rank{src}), 1 / of_b, Rank{src}, by_messages);
  }
  return sum / 2;
}

std::vector<Stretch> find_stretches(std::span<const CommMatrix> windows) {
  return windows.empty() ? std::vector<Stretch>{} : StretchFinder(windows).find();
}

CommMatrix sum_of(std::span<const CommMatrix> matrices) {
  if (matrices.size() == 1) return matrices.front();
  std::vector<MatrixEntry> entries;
  for (const CommMatrix& matrix : matrices) {
    for (std::int32_t src = 0; src < matrix.n_ranks(); ++src) {
      for (const PairTraffic& pair : matrix.row(Rank{src})) {
        entries.push_back({Rank{src}, pair.peer, pair.bytes, pair.messages});
      }
    }
  }
  return CommMatrix::from_entries(matrices.front().n_ranks(), std::move(entries));
}

}  // namespace corewise
