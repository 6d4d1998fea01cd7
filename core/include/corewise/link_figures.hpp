/// LinkFigures: what the links of one level can do, who says so, and how sure that is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corewise {

/// Where a measured figure lies for sure: low <= figure <= high.
struct Bounds {
  double low = 0;
  double high = 0;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// Time of one message by its size, between two cores that meet at the level.
struct CurvePoint {
  std::uint64_t size_bytes = 0;
  double time_s = 0;
  Bounds bounds_s;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// What several pairs get together when they send at the same time.
struct SharedLoad {
  std::int32_t pairs = 1;            ///< in each direction at the same time, spread evenly over the links
  std::int32_t links = 1;            ///< that they start from; all end under one object of the level
  bool both_ways = false;            ///< in both directions at once, by the same pairs or by others
  double bandwidth_bytes_per_s = 0;  ///< of all pairs together, both directions added up
  Bounds bounds_bytes_per_s;
  friend bool operator==(const SharedLoad&, const SharedLoad&) = default;
};

/// What the links of one class can do. The curve and what follows it are there where somebody measured them.
struct LinkFigures {
  double latency_s = 0;              ///< empty message between two cores that meet at this level
  double bandwidth_bytes_per_s = 0;  ///< one direction of one link of this class
  std::string source;                ///< a citation, "measured ...", "assumed...", or "none" on bare trees
  std::optional<Bounds> latency_bounds_s{};
  std::optional<Bounds> bandwidth_bounds_bytes_per_s{};
  std::optional<std::uint64_t> eager_bytes{};  ///< longest message that is sent without a handshake
  std::vector<CurvePoint> curve{};             ///< sizes ascend
  std::vector<SharedLoad> loads{};
  /// Network adapters read and write memory by themselves (remote direct memory access): messages over these
  /// links take nothing of the links below, over which cores copy. The lowest level that says so is that of
  /// the adapters.
  bool rdma = false;
  /// Messages between two nodes over these links go by TCP: each pair of ranks has one connection, which
  /// keeps their order, and a send is over once the socket holds its rest. A network is tcp or rdma, not
  /// both.
  bool tcp = false;

  [[nodiscard]] bool assumed() const { return source.starts_with("assumed"); }

  /// Whether both directions of a link carry its bandwidth at the same time: one pair each way gets
  /// 1.5 times as much or more than one that sends one way. Absent where that wasn't measured.
  [[nodiscard]] std::optional<bool> duplex() const;

  /// Whether links under one object hinder each other, as on a shared bus: pairs on several links get less
  /// than three quarters of as many times what one link carries. Absent where that wasn't measured.
  [[nodiscard]] std::optional<bool> shares_bus() const;

  /// Time of one message: on the curve, between its points linearly in size, beyond the last one by the
  /// bandwidth; without a curve latency + size / bandwidth.
  /// @param size_bytes  0 or more.
  [[nodiscard]] double message_s(double size_bytes) const;
  friend bool operator==(const LinkFigures&, const LinkFigures&) = default;
};

/// @throws Error(bad_input) naming `level` for a figure that is no finite number in its range, bounds that
/// don't enclose their figure, a curve whose sizes don't ascend, and a level that is both rdma and tcp.
void check_figures(std::string_view level, const LinkFigures& figures);

}  // namespace corewise
