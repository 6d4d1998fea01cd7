/// CommMatrix and PairGraph: compressed sparse rows, sorted by peer.
#include <algorithm>
#include <numeric>
#include <span>

#include "corewise/error.hpp"
#include "corewise/traffic.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// Limit of all totals, so that the sum of two totals does not overflow.
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

/// Merges the sorted rows `sent` and `received` of `rank`: one entry per peer, without `rank` itself.
void append_merged(std::span<const PairTraffic> sent, std::span<const PairTraffic> received, Rank rank,
                   std::vector<PairTraffic>& merged) {
  auto to = sent.begin();
  auto from = received.begin();
  while (to != sent.end() || from != received.end()) {
    const bool has_sent = to != sent.end() && (from == received.end() || to->peer <= from->peer);
    const bool has_received = from != received.end() && (to == sent.end() || from->peer <= to->peer);
    PairTraffic pair = has_sent ? *to++ : *from++;
    if (has_sent && has_received) {
      pair.bytes += from->bytes;
      pair.messages += from->messages;
      ++from;
    }
    if (pair.peer != rank) merged.push_back(pair);
  }
}

}  // namespace

CommMatrix CommMatrix::from_entries(std::int32_t n_ranks, std::vector<MatrixEntry> entries) {
  check_ranks(n_ranks, entries);
  const auto by_pair = [](const MatrixEntry& a, const MatrixEntry& b) {
    return std::pair(a.src, a.dst) < std::pair(b.src, b.dst);
  };
  // Most files list the rows in order. Sorting 16 million sorted entries would take seconds.
  if (!std::ranges::is_sorted(entries, by_pair)) std::ranges::sort(entries, by_pair);

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
  std::vector<std::size_t> start(static_cast<std::size_t>(n) + 1, 0);
  for (std::int32_t src = 0; src < n; ++src) {
    for (const PairTraffic& entry : matrix.row(Rank{src})) ++start[raw(entry.peer) + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());

  // [rank] entries that it receives. Sources are visited in ascending order, so each row is sorted.
  std::vector<PairTraffic> received(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (std::int32_t src = 0; src < n; ++src) {
    for (const PairTraffic& entry : matrix.row(Rank{src})) {
      received[next[raw(entry.peer)]++] = {Rank{src}, entry.bytes, entry.messages};
    }
  }

  row_start_.assign(static_cast<std::size_t>(n) + 1, 0);
  for (std::int32_t rank = 0; rank < n; ++rank) {
    const auto from =
        std::span<const PairTraffic>(received).subspan(start[rank], start[rank + 1] - start[rank]);
    append_merged(matrix.row(Rank{rank}), from, Rank{rank}, entries_);
    row_start_[rank + 1] = entries_.size();
  }
  entries_.shrink_to_fit();
}

}  // namespace corewise
