/// RankClock: converts a rank's clock ticks to seconds.
#pragma once

#include <corewise_formats/profile.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corewise {

/// Uses the rank's clock readings; without any, the node's clock and the tick rate at the rank's start.
struct RankClock {
  cw_profile_rank record{};
  std::vector<cw_profile_clock> readings;  ///< sorted by ticks
  bool known = false;
  std::size_t node = 0;         ///< index of its file
  std::int32_t node_rank = -1;  ///< first rank of its file, whose clock stands for all ranks of the node

  /// Seconds since `origin_ns`, which is counted from 1970. It is an integer, because a double has a
  /// precision of only 0.24 us for such times.
  [[nodiscard]] double seconds_since(std::int64_t origin_ns, double ticks) const {
    double at_ticks = static_cast<double>(record.begin_ticks);
    double at_ns = ns_between(record.begin_unix_ns, origin_ns);
    double ns_per_tick = 1e9 / record.ticks_per_s;
    if (!readings.empty()) {
      const cw_profile_clock& first = readings.front();
      const cw_profile_clock& last = readings.back();
      at_ticks = static_cast<double>(first.ticks);
      at_ns = ns_between(first.reference_ns, origin_ns);
      const double between = static_cast<double>(last.ticks) - at_ticks;
      if (between > 0) ns_per_tick = ns_between(last.reference_ns, first.reference_ns) / between;
    }
    return (at_ns + (ticks - at_ticks) * ns_per_tick) * 1e-9;
  }

 private:
  /// a - b. Unsigned, so that numbers of a damaged file cause no undefined overflow.
  static double ns_between(std::int64_t a, std::int64_t b) {
    return static_cast<double>(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)));
  }
};

}  // namespace corewise
