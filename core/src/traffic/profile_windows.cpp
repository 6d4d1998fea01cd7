/// Decodes window records, and adds them up in windows of equal length for the whole job. A thread that runs
/// out of space for windows doubles their length; its level is the number of doublings.
#include "traffic/profile_windows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "traffic/varint.hpp"

namespace corewise {
namespace {

/// Windows above this level would be longer than 10^5 years, whatever their first length was.
constexpr std::uint32_t kHighestLevel = 62;
constexpr std::uint64_t kLongestWindowNs = std::uint64_t{1} << 62;

using ThreadKey = std::pair<std::int32_t, std::uint32_t>;  // rank, thread

/// Windows of one thread at its highest level.
struct ThreadWindows {
  std::uint32_t level = 0;
  std::int32_t open_region = 1;   ///< region after the last record
  std::uint64_t last_number = 0;  ///< greatest window number
  std::vector<const FileWindows*> chunks;
};

std::map<ThreadKey, ThreadWindows> highest_levels(const ProfileFile& file) {
  std::map<ThreadKey, ThreadWindows> threads;
  for (const FileWindows& windows : file.windows) {
    ThreadWindows& thread = threads[{raw(windows.rank), windows.thread}];
    if (!thread.chunks.empty() && windows.level < thread.level) continue;
    if (windows.level > thread.level) thread = {windows.level, 1, 0, {}};
    thread.open_region = windows.open_region;
    thread.chunks.push_back(&windows);
    for (const FileWindowCell& cell : windows.cells)
      thread.last_number = std::max(thread.last_number, cell.number);
  }
  return threads;
}

/// The window of each thread's last call; if that is not recorded, of its rank's start.
std::map<ThreadKey, std::uint64_t> last_windows(const ProfileFile& file, double length_ns) {
  std::map<std::int32_t, const cw_profile_rank*> records;
  for (const FileRank& rank : file.ranks) records.try_emplace(raw(rank.rank), &rank.record);
  std::map<ThreadKey, std::uint64_t> windows;
  const auto add = [&](Rank rank, std::uint32_t thread, std::uint64_t ticks) {
    const auto record = records.find(raw(rank));
    if (record == records.end()) return;
    const cw_profile_rank& of = *record->second;
    const double ticks_since = ticks > of.begin_ticks ? static_cast<double>(ticks - of.begin_ticks) : 0;
    const double unix_ns = static_cast<double>(of.begin_unix_ns) + ticks_since / of.ticks_per_s * 1e9;
    const auto window = static_cast<std::uint64_t>(std::clamp(unix_ns / length_ns, 0.0, 1e18));
    std::uint64_t& latest = windows[{raw(rank), thread}];
    latest = std::max(latest, window);
  };
  for (const FileRow& row : file.rows) {
    if (!windows.contains({raw(row.rank), row.thread})) add(row.rank, row.thread, 0);
  }
  for (const FileLastCall& last : file.last_calls) add(last.rank, last.thread, last.ticks);
  return windows;
}

/// The counts and bytes of a file's rows that are not yet assigned to a window.
class RowsLeft {
 public:
  explicit RowsLeft(const ProfileFile& file) : file_(file) {
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
      const FileRow& row = file.rows[i];
      places_.push_back({{raw(row.rank), row.thread, row.number_in_thread}, i});
      count_.push_back(row.row.count);
      bytes_.push_back(row.row.bytes);
    }
    std::sort(places_.begin(), places_.end());
  }

  /// Assigns the counts of the thread's window records, at most those of the rows themselves.
  void take_recorded(const ThreadKey& key, const ThreadWindows& thread, std::uint32_t level,
                     std::vector<RowShare>& shares) {
    for (const FileWindows* windows : thread.chunks) {
      for (const FileWindowCell& cell : windows->cells) {
        if (const auto row = find(key, cell.row)) {
          take(*row, cell.number >> (level - thread.level), cell.region, {cell.count, cell.bytes}, shares);
        }
      }
    }
  }

  /// Assigns the counts after each thread's last record to the window of its last call.
  void take_rest(const std::map<ThreadKey, ThreadWindows>& threads, std::uint32_t level,
                 const std::map<ThreadKey, std::uint64_t>& last_windows, std::vector<RowShare>& shares) {
    for (std::size_t i = 0; i < file_.rows.size(); ++i) {
      const ThreadKey key{raw(file_.rows[i].rank), file_.rows[i].thread};
      const auto last = last_windows.find(key);
      if (last == last_windows.end()) continue;
      const auto thread = threads.find(key);
      const bool known = thread != threads.end();
      const std::uint64_t recorded = known ? thread->second.last_number >> (level - thread->second.level) : 0;
      take(i, std::max(recorded, last->second), known ? thread->second.open_region : 1,
           {count_[i], bytes_[i]}, shares);
    }
  }

 private:
  using Key = std::tuple<std::int32_t, std::uint32_t, std::uint32_t>;  // rank, thread, number of the row
  struct Amount {
    std::uint64_t count;
    std::uint64_t bytes;
  };

  void take(std::size_t row, std::uint64_t window, std::int32_t region, Amount amount,
            std::vector<RowShare>& shares) {
    const std::uint64_t count = std::min(amount.count, count_[row]);
    const std::uint64_t bytes = std::min(amount.bytes, bytes_[row]);
    if (count == 0 && bytes == 0) return;
    count_[row] -= count;
    bytes_[row] -= bytes;
    shares.push_back({row, window, region, count, bytes});
  }

  [[nodiscard]] std::optional<std::size_t> find(const ThreadKey& thread, std::uint32_t number) const {
    const Key key{thread.first, thread.second, number};
    const auto at = std::lower_bound(places_.begin(), places_.end(), std::pair(key, std::size_t{0}));
    return at != places_.end() && at->first == key ? std::optional(at->second) : std::nullopt;
  }

  const ProfileFile& file_;
  std::vector<std::uint64_t> count_;  ///< left in each row
  std::vector<std::uint64_t> bytes_;
  std::vector<std::pair<Key, std::size_t>> places_;
};

}  // namespace

std::optional<DecodedWindows> decode_windows(Rank rank, std::uint32_t thread, const cw_profile_windows& head,
                                             std::span<const std::uint8_t> records) {
  const bool sound = head.window_ns > 0 && head.level <= kHighestLevel &&
                     head.window_ns <= kLongestWindowNs >> head.level && head.used_bytes <= records.size();
  if (!sound) return std::nullopt;
  DecodedWindows found{{rank, thread, head.window_ns, head.level, head.open_region, {}}, false};
  VarintReader reader(records.first(head.used_bytes));
  std::uint64_t number = head.first_number;
  while (!reader.at_end()) {
    number += reader.next();
    const auto region = static_cast<std::int32_t>(reader.next_signed());
    const std::uint64_t n_rows = reader.next();
    std::uint64_t row = 0;
    for (std::uint64_t i = 0; i < n_rows && reader.ok(); ++i) {
      row += reader.next();
      FileWindowCell cell{number, region, static_cast<std::uint32_t>(row), 0, 0};
      cell.count = reader.next();
      cell.bytes = reader.next();
      (void)reader.next();  // ticks: windows ignore times
      if (reader.ok() && row <= UINT32_MAX) found.windows.cells.push_back(cell);
    }
    if (!reader.ok()) {
      found.damaged = true;
      break;
    }
  }
  return found;
}

WindowAssembly::WindowAssembly(const std::vector<ProfileFile>& files) {
  bool same_length = true;
  for (const ProfileFile& file : files) {
    for (const auto& [key, thread] : highest_levels(file)) {
      const std::uint64_t length = thread.chunks.front()->window_ns;
      same_length = same_length && (window_ns_ == 0 || window_ns_ == length);
      window_ns_ = length;
      level_ = std::max(level_, thread.level);
    }
  }
  if (!same_length) window_ns_ = 0;
}

double WindowAssembly::length_ns() const {
  return std::ldexp(static_cast<double>(window_ns_), static_cast<int>(level_));
}

std::vector<RowShare> WindowAssembly::shares(const ProfileFile& file) const {
  const std::map<ThreadKey, ThreadWindows> threads = highest_levels(file);
  RowsLeft left(file);
  std::vector<RowShare> shares;
  for (const auto& [key, thread] : threads) left.take_recorded(key, thread, level_, shares);
  left.take_rest(threads, level_, last_windows(file, length_ns()), shares);
  return shares;
}

}  // namespace corewise
