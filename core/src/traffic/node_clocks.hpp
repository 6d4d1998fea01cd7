/// Clocks of several nodes, compared through the messages between them.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace corewise {

/// A message from one node to another, each end by its node's clock.
struct CrossingMessage {
  std::size_t src = 0;
  std::size_t dst = 0;
  double sent_s = 0;      ///< not later than it left: begin of the call that sends it
  double received_s = 0;  ///< not earlier than it was there: end of the call that has received it
};

/// When the first and the last event of a node were, by its own clock.
struct NodeSpan {
  double begin_s = 0;
  double end_s = 0;
};

/// What makes a time t of a node's clock one of the first node's clock: origin_s + rate * t.
struct NodeClock {
  double origin_s = 0;
  double rate = 1;
  /// How far off that may be at any time of the node's span, s: every even clock that no message contradicts
  /// lies within. Empty where the messages don't bind the two clocks from both sides.
  std::optional<double> error_s;

  [[nodiscard]] double at(double time_s) const { return origin_s + rate * time_s; }
};

/// Compares clocks by one fact: no message is received before it is sent. A message to a node says how far
/// that node's clock may be ahead at most, one from it how far at least. Clocks are taken to run evenly.
class ClockComparison {
 public:
  void add(const CrossingMessage& message);

  /// The clocks of all nodes against that of node 0, along the chains of nodes with the smallest errors.
  /// Where no even clock satisfies all messages, the one that violates them least is taken, and its error
  /// says by how much. Source: convex hulls of the bounds as in Duda, Harrus, Haddad, Bernard, ICDCS 1987;
  /// the error of all feasible clocks is ours.
  [[nodiscard]] std::vector<NodeClock> clocks(const std::vector<NodeSpan>& spans);

 private:
  /// A bound on how far one clock is ahead of another: `ahead_s` at the time `time_s` of that clock.
  struct Bound {
    double time_s;
    double ahead_s;
  };
  using Bounds = std::vector<Bound>;
  /// Upper and lower bounds of one clock against another. Only those on the convex hull bind an even clock.
  struct Pair {
    std::array<Bounds, 2> bounds;
    std::array<std::size_t, 2> limit{kFirstLimit, kFirstLimit};
  };
  static constexpr std::size_t kFirstLimit = 4096;

  static void keep_hull(Bounds& bounds, bool upper);
  void add_bound(std::size_t node, std::size_t other, bool upper, Bound bound);
  [[nodiscard]] static std::optional<NodeClock> compare(const Pair& pair, const NodeSpan& span);

  std::map<std::pair<std::size_t, std::size_t>, Pair> pairs_;  ///< (a node, another one)
};

}  // namespace corewise
