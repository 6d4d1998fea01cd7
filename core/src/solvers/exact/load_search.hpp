/// Searches for a placement with given limits on its link loads, on trees of any shape.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "solvers/exact/cut_search.hpp"
#include "solvers/problem/tree_instance.hpp"

namespace corewise::exact {

class LoadSearch {
 public:
  /// @param weight  of the graph for CutSearch.
  LoadSearch(const TreeInstance& instance, std::vector<Cost> weight, const ProofLimits& limits)
      : instance_(instance), graph_(instance.n, std::move(weight)), budget_(limits) {}
  virtual ~LoadSearch() = default;
  /// Whether there is such a placement; empty if the limits on work ran out.
  [[nodiscard]] virtual std::optional<bool> find() = 0;
  /// After find(): divides `set`, the vertices of an object, among its children as in the placement found.
  /// One group for each child with places; empty if the placement is not known.
  [[nodiscard]] virtual std::vector<VertexGroup> divide(int class_id, Subset set) = 0;
  [[nodiscard]] std::uint64_t steps() const { return budget_.steps(); }

 protected:
  const TreeInstance& instance_;
  CutGraph graph_;
  StepBudget budget_;
};

/// Searches for a placement in which no link exceeds its limit.
class LoadFeasibility : public LoadSearch {
 public:
  /// @param most_load  [level] bytes that the link from an object of that level upwards may carry.
  LoadFeasibility(const TreeInstance& instance, std::vector<Cost> most_load, const ProofLimits& limits);

  [[nodiscard]] std::optional<bool> find() override;
  [[nodiscard]] std::vector<VertexGroup> divide(int class_id, Subset set) override;

 private:
  struct RemainderHash {
    std::size_t operator()(const Remainder& rest) const {
      return (rest.vertices ^ rest.left.code() * 0x9E3779B97F4A7C15) >> 7 ^ rest.vertices;
    }
  };

  bool fits(Subset set, int class_id);
  bool cover(const Remainder& rest);
  bool cover_by_search(const Remainder& rest);
  bool take(Subset part, const Remainder& rest, std::size_t child);
  bool is_padding(Subset set) const { return (set & ~instance_.padding()) == 0; }

  std::vector<Cost> most_load_;
  std::vector<std::unordered_map<Subset, bool>> fits_;                ///< [class] results of fits()
  std::vector<std::unordered_set<Remainder, RemainderHash>> failed_;  ///< [class] for which cover() failed
  std::vector<std::pair<std::size_t, Subset>> taken_;  ///< (child, set) of the latest cover(), last one first
};

/// Searches for a placement in which one link of each level carries at least a given load.
///
/// The load of a link depends only on the set of ranks below it, so the search chooses one set for each
/// level. Sets of one placement are nested or disjoint. divide() places the other ranks around these sets.
class HeavyCuts : public LoadSearch {
 public:
  /// @param least_load  [level] wanted load of one link from an object of that level upwards.
  /// @param level       the lowest level that counts.
  HeavyCuts(const TreeInstance& instance, std::vector<Cost> least_load, int level, const ProofLimits& limits);

  [[nodiscard]] std::optional<bool> find() override;
  [[nodiscard]] std::vector<VertexGroup> divide(int class_id, Subset set) override;

 private:
  bool choose(int level, const std::vector<Subset>& lower);
  Subset part_of(Subset set, int level, int size) const;

  std::vector<Cost> least_load_;
  int level_;
  int top_;
  std::vector<std::set<int>> sizes_;  ///< [level] of groups
  std::vector<Subset> chosen_;        ///< [level - level_]
};

}  // namespace corewise::exact
