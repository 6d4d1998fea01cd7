/// Profile::traffic: rows of one layer as a matrix; collectives by the logical flow of their data.
#include <corewise_formats/profile.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "corewise/error.hpp"
#include "corewise/profile.hpp"
#include "text.hpp"

namespace corewise {
namespace {

constexpr std::size_t kMostPairs = std::size_t{1} << 27;

/// The smallest class whose messages all have at least `threshold` bytes, for a power of two.
int size_class_of_threshold(std::uint64_t threshold) { return static_cast<int>(std::bit_width(threshold)); }

/// What one member puts into the collectives of one flow and root in one group, all size classes together.
struct Contribution {
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
};
using ContributionKey =
    std::tuple<std::size_t, int, std::int32_t, std::int32_t>;  // group, flow, root, caller

/// Adds the pairs that one contribution flows along.
class Expansion {
 public:
  Expansion(const std::vector<Rank>& members, Rank caller, Contribution contribution,
            std::vector<MatrixEntry>& entries)
      : members_(members), caller_(caller), contribution_(contribution), entries_(entries) {}

  void run(int flow, std::int32_t root) {
    switch (flow) {
      case CW_FLOW_FROM_ROOT:
        if (is_member(root)) to_all();
        break;
      case CW_FLOW_TO_ROOT:
        if (!is_member(root)) to(root);
        break;
      case CW_FLOW_ALL_PAIRS:
        to_all();
        break;
      case CW_FLOW_THROUGH_FIRST:
        if (is_member(0)) {
          to_all();
        } else {
          to(0);
        }
        break;
      case CW_FLOW_CHAIN:
        to_next();
        break;
      default:
        break;
    }
  }

 private:
  [[nodiscard]] bool is_member(std::int32_t i) const {
    return i >= 0 && members_[static_cast<std::size_t>(i)] == caller_;
  }

  void add(Rank peer) {
    if (peer == caller_) return;
    if (entries_.size() >= kMostPairs) {
      throw Error(ErrorCode::unsupported,
                  "the collectives of this profile connect more than 2^27 pairs of ranks; expected "
                  "fewer: use the point-to-point layer");
    }
    entries_.push_back({caller_, peer, contribution_.bytes, contribution_.count});
  }

  void to(std::int32_t i) {
    if (i >= 0) add(members_[static_cast<std::size_t>(i)]);
  }

  void to_all() {
    for (const Rank member : members_) add(member);
  }

  void to_next() {
    const auto me = std::find(members_.begin(), members_.end(), caller_);
    if (me != members_.end() && me + 1 != members_.end()) add(*(me + 1));
  }

  const std::vector<Rank>& members_;
  Rank caller_;
  Contribution contribution_;
  std::vector<MatrixEntry>& entries_;
};

}  // namespace

void Profile::expand_collectives(int smallest_size_class, std::vector<MatrixEntry>& entries) const {
  std::map<ContributionKey, Contribution> contributions;
  for (const CollectiveRow& row : collectives_) {
    if (row.size_class < smallest_size_class || row.flow == CW_FLOW_NONE) continue;
    Contribution& contribution = contributions[{row.group, row.flow, row.root, raw(row.caller)}];
    contribution.bytes += row.bytes;
    contribution.count += row.count;
  }
  for (const auto& [key, contribution] : contributions) {
    const auto [group, flow, root, caller] = key;
    Expansion(groups_[group], Rank{caller}, contribution, entries).run(flow, root);
  }
}

CommMatrix Profile::matrix(Layer layer, int smallest_size_class) const {
  std::vector<MatrixEntry> entries;
  for (const ProfileRow& row : rows_) {
    const bool has_pair = row.flow == RowFlow::sent || row.flow == RowFlow::fetched;
    if (!has_pair || calls_[static_cast<std::size_t>(row.call)].layer != layer) continue;
    if (row.size_class < smallest_size_class) continue;
    const bool sent = row.flow == RowFlow::sent;
    entries.push_back(
        {sent ? row.rank : Rank{row.peer}, sent ? Rank{row.peer} : row.rank, row.bytes, row.count});
  }
  if (layer == Layer::coll) expand_collectives(smallest_size_class, entries);
  return CommMatrix::from_entries(n_ranks(), std::move(entries));
}

Traffic Profile::traffic(Layer layer, std::uint64_t large_threshold_bytes) const {
  constexpr std::uint64_t kLargestThreshold = std::uint64_t{1} << 62;
  if (large_threshold_bytes > kLargestThreshold) {
    throw Error(ErrorCode::bad_input,
                concat("a size threshold of ", large_threshold_bytes, " bytes; expected at most 2^62"));
  }
  const std::uint64_t threshold = std::bit_ceil(large_threshold_bytes);
  Traffic traffic = Traffic::of(matrix(layer, 0));
  const int smallest = large_threshold_bytes == 0 ? 0 : size_class_of_threshold(threshold);
  traffic.large = LargeMessages{large_threshold_bytes == 0 ? 0 : threshold, matrix(layer, smallest)};
  return traffic;
}

}  // namespace corewise
