/// LinkFigures: what the links of one level can do, who says so, and how sure that is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corewise {

/// Lowest and highest plausible value of a measured figure: low <= figure <= high.
struct Bounds {
  double low = 0;
  double high = 0;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// Time of one message of a given size, between two cores whose lowest common level is this one.
struct CurvePoint {
  std::uint64_t size_bytes = 0;
  double time_s = 0;
  Bounds bounds_s;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// Bandwidth that several pairs get together when they send at the same time.
struct SharedLoad {
  std::int32_t pairs = 1;  ///< in each direction at the same time, spread evenly over the links
  std::int32_t links = 1;  ///< links that the pairs start from; all pairs end under one object of the level
  bool both_ways = false;  ///< pairs send in both directions at once: the same pairs, or others
  double bandwidth_bytes_per_s = 0;  ///< of all pairs together, both directions added up
  Bounds bounds_bytes_per_s;
  friend bool operator==(const SharedLoad&, const SharedLoad&) = default;
};

/// Performance of the links of one class. Curve, loads and eager size are empty unless they were measured.
struct LinkFigures {
  double latency_s = 0;              ///< empty message between two cores that meet at this level
  double bandwidth_bytes_per_s = 0;  ///< one direction of one link of this class
  std::string source;                ///< a citation, "measured ...", "assumed...", or "none" on bare trees
  std::optional<Bounds> latency_bounds_s{};
  std::optional<Bounds> bandwidth_bounds_bytes_per_s{};
  std::optional<std::uint64_t> eager_bytes{};  ///< largest message that is sent without a handshake
  std::vector<CurvePoint> curve{};             ///< sizes ascend
  std::vector<SharedLoad> loads{};
  /// Network adapters read and write memory themselves (remote direct memory access). Messages over these
  /// links use no bandwidth of the links below, over which cores copy. The lowest level with this flag is
  /// that of the adapters.
  bool rdma = false;
  /// Messages between nodes over these links use TCP. Each pair of ranks has one connection, which keeps the
  /// order of messages. A send is complete once the socket buffer holds the rest of it. Excludes `rdma`.
  bool tcp = false;

  [[nodiscard]] bool assumed() const { return source.starts_with("assumed"); }

  /// Whether a link carries its full bandwidth in both directions at the same time: two pairs, one each way,
  /// get at least 1.5 times the bandwidth of one pair. Absent if that wasn't measured.
  [[nodiscard]] std::optional<bool> duplex() const;

  /// Whether links under one object share bandwidth, as on a bus: pairs on n links together get less than
  /// three quarters of n times the bandwidth of one link. Absent if that wasn't measured.
  [[nodiscard]] std::optional<bool> shares_bus() const;

  /// Time of one message. With a curve: linear in size between its points, and by the bandwidth after the
  /// last point. Without a curve: latency + size / bandwidth.
  /// @param size_bytes  0 or more.
  [[nodiscard]] double message_s(double size_bytes) const;
  friend bool operator==(const LinkFigures&, const LinkFigures&) = default;
};

/// @throws Error(bad_input) naming `level` for a figure that is not finite or out of range, bounds that
/// don't enclose their figure, a curve whose sizes don't ascend, and a level that is both rdma and tcp.
void check_figures(std::string_view level, const LinkFigures& figures);

}  // namespace corewise
