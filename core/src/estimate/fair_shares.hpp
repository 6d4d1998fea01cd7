/// FairShares: max-min fair rates of flows that share links, in simulated time.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

namespace corewise {

/// Rates are max-min fair at any time: a flow can get a higher rate only if a flow whose rate is not higher
/// gets less (Bertsekas and Gallager, Data Networks, 2nd ed., 6.5.2). When a flow starts or ends, only the
/// flows that share links with it, directly or through other flows, get new rates.
class FairShares {
 public:
  /// @param capacity  [link] bytes/s, above 0.
  explicit FairShares(std::vector<double> capacity);

  /// Starts a flow at `now_s`.
  /// @param flow   a number that is not in use; the caller chooses it, small numbers save memory.
  /// @param bytes  above 0.
  /// @param links  each at most once.
  void begin(std::int32_t flow, double bytes, std::span<const std::int32_t> links, double now_s);

  /// Updates the rates after flows have started or ended. Call it before next_end_s().
  void settle(double now_s);
  /// End of the flow that ends next; infinity without flows.
  [[nodiscard]] double next_end_s();
  /// Removes the flow that ends next and returns its number. @pre next_end_s() is finite
  [[nodiscard]] std::int32_t end_next();

 private:
  struct Flow {
    std::vector<std::int32_t> links;
    double left_bytes = 0;
    double rate = 0;
    double since_s = 0;           ///< time for which left_bytes is valid
    std::uint32_t version = 0;    ///< counts changes of the rate; an End with an older version is invalid
    std::int32_t marked_in = -1;  ///< value of settling_ when it was last collected
  };
  struct End {
    double at_s;
    std::int32_t flow;
    std::uint32_t version;
    friend bool operator>(const End& a, const End& b) {
      return a.at_s != b.at_s ? a.at_s > b.at_s : a.flow > b.flow;
    }
  };
  struct Link {
    double capacity = 0;
    std::vector<std::int32_t> flows;
    double left = 0;          ///< in fill(): capacity that is not given to a flow yet
    std::int32_t n_open = 0;  ///< in fill(): number of flows without a rate
    std::int32_t marked_in = -1;
  };

  void collect_changed();
  void fill();
  void set_rate(std::int32_t flow, double rate, double now_s);

  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::vector<std::int32_t> changed_links_;  ///< links of flows that have started or ended
  std::vector<std::int32_t> seen_flows_, seen_links_;
  std::vector<double> new_rate_;     ///< [place in seen_flows_]
  std::vector<std::int32_t> place_;  ///< [flow] place in seen_flows_
  std::int32_t settling_ = 0;
};

}  // namespace corewise
