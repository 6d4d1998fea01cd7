/// Traffic: the sum of all phases, and the ratio of inter-node to intra-node traffic.
#include "corewise/traffic.hpp"

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

std::uint64_t repeated(std::uint64_t amount, std::uint64_t repeat) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(amount, repeat, &product)) {
    throw Error(ErrorCode::bad_input, concat("a phase of ", amount, " bytes or messages repeated ", repeat,
                                             " times does not fit 64 bits; expected a smaller repeat"));
  }
  return product;
}

}  // namespace

Traffic Traffic::of(CommMatrix matrix) {
  Traffic traffic;
  traffic.phases.push_back({1, std::move(matrix)});
  return traffic;
}

CommMatrix Traffic::folded() const {
  if (phases.size() == 1 && phases.front().repeat == 1) return phases.front().matrix;
  std::vector<MatrixEntry> entries;
  for (const Phase& phase : phases) {
    for (std::int32_t src = 0; src < n_ranks(); ++src) {
      for (const PairTraffic& entry : phase.matrix.row(Rank{src})) {
        entries.push_back({Rank{src}, entry.peer, repeated(entry.bytes, phase.repeat),
                           repeated(entry.messages, phase.repeat)});
      }
    }
  }
  return CommMatrix::from_entries(n_ranks(), std::move(entries));
}

TrafficRatio inter_over_intra(const CommMatrix& matrix, std::span<const NodeIndex> node_of_rank) {
  if (static_cast<std::int32_t>(node_of_rank.size()) != matrix.n_ranks()) {
    throw Error(ErrorCode::size_mismatch, concat("nodes for ", node_of_rank.size(), " ranks and a matrix of ",
                                                 matrix.n_ranks(), "; expected the same number"));
  }
  double bytes[2] = {0, 0};  // [0] within nodes, [1] between nodes
  double messages[2] = {0, 0};
  for (std::int32_t src = 0; src < matrix.n_ranks(); ++src) {
    for (const PairTraffic& entry : matrix.row(Rank{src})) {
      const int between = node_of_rank[src] != node_of_rank[raw(entry.peer)] ? 1 : 0;
      bytes[between] += static_cast<double>(entry.bytes);
      messages[between] += static_cast<double>(entry.messages);
    }
  }
  TrafficRatio ratio;
  if (bytes[0] > 0) ratio.bytes = bytes[1] / bytes[0];
  if (messages[0] > 0) ratio.messages = messages[1] / messages[0];
  return ratio;
}

}  // namespace corewise
