/// CommMatrix and PairGraph: compressed rows, sorted by peer.
#include <algorithm>
#include <numeric>

#include "corewise/error.hpp"
#include "corewise/traffic.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// Sums stay below this, so that no later sum of two of them overflows.
constexpr std::uint64_t kLargestTotal = std::uint64_t{1} << 62;

void add_checked(std::uint64_t& total, std::uint64_t amount, const char* what) {
  if (amount > kLargestTotal || total + amount > kLargestTotal) {
    throw Error(ErrorCode::bad_input, concat("the matrix holds more than 2^62 ", what,
                                             "; expected less: divide all entries by a constant"));
  }
  total += amount;
}

void check_ranks(std::int32_t n_ranks, const std::vector<MatrixEntry>& entries) {
  if (n_ranks < 0)
    throw Error(ErrorCode::bad_input, concat("a matrix of ", n_ranks, " ranks; expected 0 or more"));
  for (const MatrixEntry& entry : entries) {
    for (const Rank rank : {entry.src, entry.dst}) {
      if (raw(rank) < 0 || raw(rank) >= n_ranks) {
        throw Error(ErrorCode::bad_input, concat("rank ", raw(rank), " in a matrix of ", n_ranks,
                                                 " ranks; expected 0-", n_ranks - 1));
      }
    }
  }
}

}  // namespace

CommMatrix CommMatrix::from_entries(std::int32_t n_ranks, std::vector<MatrixEntry> entries) {
  check_ranks(n_ranks, entries);
  std::sort(entries.begin(), entries.end(), [](const MatrixEntry& a, const MatrixEntry& b) {
    return std::pair(a.src, a.dst) < std::pair(b.src, b.dst);
  });

  CommMatrix matrix;
  matrix.row_start_.assign(static_cast<std::size_t>(n_ranks) + 1, 0);
  std::uint64_t self_messages = 0;
  const MatrixEntry* previous = nullptr;
  for (const MatrixEntry& entry : entries) {
    if (entry.bytes == 0 && entry.messages == 0) continue;
    const bool self = entry.src == entry.dst;
    add_checked(self ? matrix.self_bytes_ : matrix.bytes_, entry.bytes, "bytes");
    add_checked(self ? self_messages : matrix.messages_, entry.messages, "messages");
    if (previous != nullptr && previous->src == entry.src && previous->dst == entry.dst) {
      matrix.entries_.back().bytes += entry.bytes;
      matrix.entries_.back().messages += entry.messages;
    } else {
      matrix.entries_.push_back({entry.dst, entry.bytes, entry.messages});
      ++matrix.row_start_[raw(entry.src) + 1];
    }
    previous = &entry;
  }
  std::partial_sum(matrix.row_start_.begin(), matrix.row_start_.end(), matrix.row_start_.begin());
  return matrix;
}

PairGraph::PairGraph(const CommMatrix& matrix) {
  const std::int32_t n = matrix.n_ranks();
  std::vector<std::size_t> degree(static_cast<std::size_t>(n) + 1, 0);
  for (std::int32_t src = 0; src < n; ++src) {
    for (const PairTraffic& entry : matrix.row(Rank{src})) {
      if (raw(entry.peer) == src) continue;
      ++degree[src + 1];
      ++degree[raw(entry.peer) + 1];
    }
  }
  std::partial_sum(degree.begin(), degree.end(), degree.begin());

  // Each direction is written to both rows; sources and destinations both ascend, so a row is the merge of
  // two ascending lists and one sort per row brings the two directions of a pair side by side.
  std::vector<PairTraffic> both(degree.back());
  std::vector<std::size_t> next(degree.begin(), degree.end() - 1);
  for (std::int32_t src = 0; src < n; ++src) {
    for (const PairTraffic& entry : matrix.row(Rank{src})) {
      if (raw(entry.peer) == src) continue;
      both[next[src]++] = entry;
      both[next[raw(entry.peer)]++] = {Rank{src}, entry.bytes, entry.messages};
    }
  }

  row_start_.assign(static_cast<std::size_t>(n) + 1, 0);
  entries_.reserve(both.size());
  for (std::int32_t rank = 0; rank < n; ++rank) {
    const auto row = std::span(both).subspan(degree[rank], degree[rank + 1] - degree[rank]);
    std::sort(row.begin(), row.end(),
              [](const PairTraffic& a, const PairTraffic& b) { return a.peer < b.peer; });
    for (const PairTraffic& entry : row) {
      if (entries_.size() > row_start_[rank] && entries_.back().peer == entry.peer) {
        entries_.back().bytes += entry.bytes;
        entries_.back().messages += entry.messages;
      } else {
        entries_.push_back(entry);
      }
    }
    row_start_[rank + 1] = entries_.size();
  }
  entries_.shrink_to_fit();
}

}  // namespace corewise
