/// Profile::traffic() and others: matrices of one layer for the whole job, windows, phases and regions.
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "corewise/error.hpp"
#include "corewise/phases.hpp"
#include "corewise/profile.hpp"
#include "text.hpp"
#include "traffic/collective_flow.hpp"
#include "traffic/comm_places.hpp"

namespace corewise {
namespace {

/// The smallest size class whose messages all have at least `threshold` bytes, a power of two.
int size_class_of_threshold(std::uint64_t threshold) { return static_cast<int>(std::bit_width(threshold)); }

}  // namespace

/// @param wanted  a predicate on PairRow and CollectiveRow.
template <typename Wanted>
CommMatrix Profile::matrix(Layer layer, CollectiveFlow flow, const RowRange& range,
                           const Wanted& wanted) const {
  std::vector<MatrixEntry> entries;
  for (const PairRow& row : range.pairs) {
    if (row.layer == layer && wanted(row)) entries.push_back({row.src, row.dst, row.bytes, row.count});
  }
  std::vector<const CollectiveRow*> collectives;
  for (const CollectiveRow& row : range.collectives) {
    if (layer == Layer::coll && wanted(row)) collectives.push_back(&row);
  }
  expand_collectives(collectives, flow, entries);
  return CommMatrix::from_entries(n_ranks(), std::move(entries));
}

void Profile::expand_collectives(const std::vector<const CollectiveRow*>& wanted, CollectiveFlow flow,
                                 std::vector<MatrixEntry>& entries) const {
  // All calls of one kind and root in one communicator are expanded together.
  using Key = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // communicator, call, root
  std::map<Key, std::vector<const CollectiveRow*>> calls;
  for (const CollectiveRow* row : wanted) calls[{row->comm, row->call, row->root}].push_back(row);
  CommPlaces places(comms_);
  for (const auto& [key, rows] : calls) {
    const auto [comm, call, root] = key;
    const std::vector<Rank>& members = comms_[static_cast<std::size_t>(comm)].members;
    CollectiveCalls expanded{
        members, calls_[static_cast<std::size_t>(call)].name, rows.front()->flow, root, {}};
    expanded.of_member.resize(members.size());
    for (const CollectiveRow* row : rows) {
      const auto place = places.find(comm, row->caller);
      if (!place) continue;
      expanded.of_member[*place].bytes += row->bytes;
      expanded.of_member[*place].count += row->count;
    }
    expand(expanded, flow, entries);
  }
}

CommMatrix Profile::size_class_matrix(Layer layer, int size_class) const {
  return matrix(layer, CollectiveFlow::logical, all_rows(),
                [&](const auto& row) { return row.size_class == size_class; });
}

std::vector<CommMatrix> Profile::window_matrices(Layer layer, CollectiveFlow flow) const {
  const auto of_window = [](const auto& rows, std::int32_t window) {
    const auto found = std::ranges::equal_range(rows, window, {}, [](const auto& row) { return row.window; });
    return std::span(found.begin(), found.end());
  };
  std::vector<CommMatrix> matrices;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const auto window = static_cast<std::int32_t>(i);
    const RowRange range{of_window(pairs_, window), of_window(collectives_, window)};
    matrices.push_back(matrix(layer, flow, range, [](const auto&) { return true; }));
  }
  return matrices;
}

std::vector<RegionTraffic> Profile::regions(Layer layer, CollectiveFlow flow) const {
  std::set<std::int32_t> levels;
  for (const PairRow& row : pairs_) levels.insert(row.region);
  for (const CollectiveRow& row : collectives_) levels.insert(row.region);
  std::vector<RegionTraffic> regions;
  for (const std::int32_t level : levels) {
    if (windows_.empty()) break;
    regions.push_back(
        {level, matrix(layer, flow, all_rows(), [&](const auto& row) { return row.region == level; })});
  }
  return regions;
}

std::vector<Phase> Profile::phases(Layer layer, CollectiveFlow flow) const {
  const std::vector<CommMatrix> matrices = window_matrices(layer, flow);
  std::vector<Phase> phases;
  for (const Stretch& stretch : find_stretches(matrices)) {
    const auto of_stretch = std::span(matrices).subspan(stretch.first, stretch.last - stretch.first + 1);
    const TimeSpan when{windows_[stretch.first].begin_s, windows_[stretch.last].end_s};
    phases.push_back({1, sum_of(of_stretch), when, stretch.pattern});
  }
  return phases;
}

Traffic Profile::traffic(Layer layer, std::uint64_t large_threshold_bytes, CollectiveFlow flow) const {
  constexpr std::uint64_t kLargestThreshold = std::uint64_t{1} << 62;
  if (large_threshold_bytes > kLargestThreshold) {
    throw Error(ErrorCode::bad_input,
                concat("a size threshold of ", large_threshold_bytes, " bytes; expected at most 2^62"));
  }
  const std::uint64_t threshold = std::bit_ceil(large_threshold_bytes);
  const int smallest = large_threshold_bytes == 0 ? 0 : size_class_of_threshold(threshold);
  Traffic traffic;
  traffic.phases = phases(layer, flow);
  if (traffic.phases.empty()) {
    traffic = Traffic::of(matrix(layer, flow, all_rows(), [](const auto&) { return true; }));
    traffic.phases.front().when = TimeSpan{0, job_s_};
  }
  traffic.large = LargeMessages{
      large_threshold_bytes == 0 ? 0 : threshold,
      matrix(layer, flow, all_rows(), [&](const auto& row) { return row.size_class >= smallest; })};
  return traffic;
}

}  // namespace corewise
