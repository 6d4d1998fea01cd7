/// LinkFigures: latency and bandwidth of the links of one level, with their source and uncertainty.
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

/// Time of one message of a given size between two cores that meet at this level (lowest common ancestor).
struct CurvePoint {
  std::uint64_t size_bytes = 0;
  double time_s = 0;
  Bounds bounds_s;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// Measured total bandwidth of several pairs that send at the same time.
struct SharedLoad {
  std::int32_t pairs = 1;  ///< sending pairs per direction, spread evenly over the links
  std::int32_t links = 1;  ///< links that the senders use; all pairs meet under one object of the level
  bool both_ways = false;  ///< whether pairs send in both directions at the same time
  double bandwidth_bytes_per_s = 0;  ///< of all pairs together, both directions added up
  Bounds bounds_bytes_per_s;
  friend bool operator==(const SharedLoad&, const SharedLoad&) = default;
};

/// Performance of the links of one class. Only measured figures have a curve, loads and an eager size.
struct LinkFigures {
  double latency_s = 0;              ///< of an empty message between two cores that meet at this level
  double bandwidth_bytes_per_s = 0;  ///< one direction of one link of this class
  std::string source;                ///< a citation, "measured ...", "assumed...", or "none" on bare trees
  std::optional<Bounds> latency_bounds_s{};
  std::optional<Bounds> bandwidth_bounds_bytes_per_s{};
  std::optional<std::uint64_t> eager_bytes{};  ///< largest message that is sent without a handshake
  std::vector<CurvePoint> curve{};             ///< by ascending size
  std::vector<SharedLoad> loads{};
  /// Remote direct memory access: network adapters read and write memory without the cores. Messages over
  /// these links use no bandwidth of the links below. The adapters are at the lowest level with this flag.
  bool rdma = false;
  /// Messages between nodes over these links use TCP. Each pair of ranks has one connection, which keeps the
  /// order of messages. A send is complete once its remaining bytes fit the socket buffer. Excludes `rdma`.
  bool tcp = false;

  [[nodiscard]] bool assumed() const { return source.starts_with("assumed"); }

  /// Whether a link has its full bandwidth in both directions at the same time: two pairs in opposite
  /// directions get at least 1.5 times the bandwidth of one pair. Empty if not measured.
  [[nodiscard]] std::optional<bool> duplex() const;

  /// Whether links under one object share bandwidth, as on a bus: pairs on n links together get less than
  /// 0.75 times n times the bandwidth of one link. Empty if not measured.
  [[nodiscard]] std::optional<bool> shares_bus() const;

  /// Time of one message. With a curve: interpolated linearly between its points, and extrapolated by the
  /// bandwidth after the last point. Without a curve: latency + size / bandwidth.
  /// @param size_bytes  0 or more.
  [[nodiscard]] double message_s(double size_bytes) const;
  friend bool operator==(const LinkFigures&, const LinkFigures&) = default;
};

/// @throws Error(bad_input) naming `level` for a figure that is not finite or out of range, for bounds that
/// don't enclose their figure, for a curve whose sizes don't ascend, and if both rdma and tcp are set.
void check_figures(std::string_view level, const LinkFigures& figures);

}  // namespace corewise
