/// ClockComparison: compares the clocks of nodes by the messages between them.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace corewise {

/// A message from one node to another. Each time is by the clock of its node.
struct CrossingMessage {
  std::size_t src = 0;
  std::size_t dst = 0;
  double sent_s = 0;      ///< start of the sending call, so not after the message left
  double received_s = 0;  ///< end of the receiving call, so not before the message arrived
};

/// Times of the first and the last event of a node, by its own clock.
struct NodeSpan {
  double begin_s = 0;
  double end_s = 0;
};

/// Converts time t of a node's clock to the first node's clock: origin_s + rate * t.
struct NodeClock {
  double origin_s = 0;
  double rate = 1;
  /// Greatest error of the conversion within the node's span, s: no clock that is consistent with all
  /// messages deviates more. Empty if the messages do not give both an upper and a lower bound.
  std::optional<double> error_s;

  [[nodiscard]] double at(double time_s) const { return origin_s + rate * time_s; }
};

/// No message is received before it is sent. Therefore a message to a node gives an upper bound on how far
/// that node's clock is ahead, a message from the node a lower bound. Clocks are assumed to run at constant
/// rates.
class ClockComparison {
 public:
  void add(const CrossingMessage& message);

  /// [node] conversion to node 0's clock, along the chain of nodes with the smallest error. If no clock of
  /// constant rate is consistent with all messages, the result is the clock that violates them least, and the
  /// violation is part of its error. Source: convex hulls of the bounds as in Duda, Harrus, Haddad, Bernard,
  /// ICDCS 1987. The error is our addition.
  [[nodiscard]] std::vector<NodeClock> clocks(const std::vector<NodeSpan>& spans);

 private:
  /// A bound on how far one clock is ahead of another at its time `time_s`.
  struct Bound {
    double time_s;
    double ahead_s;
  };
  using Bounds = std::vector<Bound>;
  /// Upper [0] and lower [1] bounds of one clock against another. Only bounds on the convex hull matter for a
  /// clock of constant rate. The others are removed whenever there are `limit` bounds.
  struct Pair {
    std::array<Bounds, 2> bounds;
    std::array<std::size_t, 2> limit{kFirstLimit, kFirstLimit};
  };
  static constexpr std::size_t kFirstLimit = 4096;

  static void keep_hull(Bounds& bounds, bool upper);
  void add_bound(std::size_t node, std::size_t other, bool upper, Bound bound);
  [[nodiscard]] static std::optional<NodeClock> compare(const Pair& pair, const NodeSpan& span);

  std::map<std::pair<std::size_t, std::size_t>, Pair> pairs_;  ///< [node, other node]
};

}  // namespace corewise
