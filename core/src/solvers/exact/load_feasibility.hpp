/// LoadFeasibility: searches for a placement in which no link exceeds its limit, on trees of any shape.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "solvers/exact/cut_search.hpp"
#include "solvers/exact/load_instance.hpp"
#include "solvers/exact/load_search.hpp"

namespace corewise::exact {

class LoadFeasibility : public LoadSearch {
 public:
  /// @param most_load  [level] bytes that the link from an object of that level upwards may carry.
  LoadFeasibility(const LoadInstance& instance, std::vector<Cost> most_load, const ProofLimits& limits);

  [[nodiscard]] std::optional<bool> find() override;
  [[nodiscard]] std::vector<VertexGroup> divide(int class_id, Subset set) override;
  [[nodiscard]] std::uint64_t steps() const override { return budget_.steps(); }

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

  const LoadInstance& instance_;
  std::vector<Cost> most_load_;
  CutGraph graph_;
  StepBudget budget_;
  std::vector<std::unordered_map<Subset, bool>> fits_;                ///< [class] results of fits()
  std::vector<std::unordered_set<Remainder, RemainderHash>> failed_;  ///< [class] for which cover() failed
  std::vector<std::pair<std::size_t, Subset>> taken_;  ///< (child, set) of the latest cover(), last one first
};

}  // namespace corewise::exact
