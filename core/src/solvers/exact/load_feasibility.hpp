/// Search for a placement that loads no link beyond limits, whatever the objects' shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/load_instance.hpp"
#include "solvers/exact/subset_enumeration.hpp"

namespace corewise::exact {

class LoadFeasibility {
 public:
  /// @param most_load  [level]: bytes that the link upwards from a group of that level may carry.
  LoadFeasibility(const LoadInstance& instance, std::vector<Cost> most_load, const ProofLimits& limits);

  /// Whether all ranks can be placed so; absent where the limits don't suffice.
  [[nodiscard]] std::optional<bool> feasible();

  /// After feasible(): which sets the children of an object hold, child class by child class; empty where the
  /// limits ran out.
  [[nodiscard]] std::vector<Subset> parts(Subset set, int class_id);

  [[nodiscard]] std::uint64_t steps() const { return budget_.steps; }

 private:
  /// Vertices that wait for the children of one object that are left.
  struct Rest {
    Subset set;
    int class_id;
    ChildrenLeft left;
    friend bool operator==(const Rest&, const Rest&) = default;
  };
  struct RestHash {
    std::size_t operator()(const Rest& rest) const {
      return (rest.set ^ rest.left.code() * 0x9E3779B97F4A7C15) >> 7 ^ rest.set;
    }
  };

  bool fits(Subset set, int class_id);
  bool cover(const Rest& rest);
  bool cover_grown(const Rest& rest);
  bool cover_listed(const Rest& rest);
  bool take(Subset part, const Rest& rest, std::size_t child);
  Rest whole(Subset set, int class_id) const;
  bool list_top_sets();

  const LoadInstance& instance_;
  std::vector<Cost> most_load_;
  ProofLimits limits_;
  CutGraph graph_;
  StepBudget budget_;
  std::vector<std::unordered_map<Subset, bool>> fits_;      ///< [class]
  std::vector<std::unordered_set<Rest, RestHash>> failed_;  ///< [class]: rests without a cover
  std::vector<std::pair<std::size_t, Subset>> taken_;       ///< child class and set, of the latest success
  int listed_class_ = -1;                                   ///< whose children have their sets listed
  std::vector<std::vector<Subset>> listed_;                 ///< [lowest member]
  Duals duals_;                                             ///< hold for the cuts of listed sets
};

}  // namespace corewise::exact
