/// HopCost: hop-bytes of a mapping. Evaluating a swap takes O(degree) steps and needs only the path codes.
#pragma once

#include <array>
#include <span>
#include <utility>

#include "solvers/problem/work_meter.hpp"
#include "solvers/search/hop_problem.hpp"

namespace corewise::search {

class HopCost {
 public:
  HopCost(const HopModel& model, SlotOfVertex slot_of, WorkMeter& work)
      : graph_(&model.graph),
        work_(&work),
        mapping_(model.tree, std::move(slot_of)),
        value_(hop_bytes(model, mapping_.slots())) {
    for (int bit = 0; bit <= 64; ++bit) {
      const std::uint64_t code = bit == 0 ? 0 : std::uint64_t{1} << (bit - 1);
      distance_of_bit_[bit] =
          model.sign * model.tree.distance_of_level(model.tree.meeting_level_of_codes(code, 0));
    }
  }

  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  [[nodiscard]] Cost value() const { return value_; }

  /// Change of the value if u and v swap their slots.
  [[nodiscard]] Cost delta(std::int32_t u, std::int32_t v, Cost /*threshold*/ = 0) const {
    const std::uint64_t code_u = mapping_.code(u), code_v = mapping_.code(v);
    return change_of_move(u, v, code_u, code_v) + change_of_move(v, u, code_v, code_u);
  }

  /// Swaps u and v. @param delta  the result of delta(u, v).
  void swap(std::int32_t u, std::int32_t v, Cost delta) {
    mapping_.swap(u, v);
    value_ += delta;
  }

 private:
  [[nodiscard]] Cost distance(std::uint64_t a, std::uint64_t b) const {
    return distance_of_bit_[std::bit_width(a ^ b)];
  }

  /// Change of the value if v moves from one path code to another while `other` moves the opposite way. The
  /// distance between both stays the same.
  [[nodiscard]] Cost change_of_move(std::int32_t v, std::int32_t other, std::uint64_t from,
                                    std::uint64_t target) const {
    Cost change = 0;
    const std::span<const Edge> row = graph_->row(v);
    for (const Edge& edge : row) {
      if (edge.to == other) continue;
      const std::uint64_t code = mapping_.code(edge.to);
      change += edge.weight * (distance(target, code) - distance(from, code));
    }
    work_->add(row.size() + 1);
    return change;
  }

  const Graph* graph_;
  WorkMeter* work_;
  Mapping mapping_;
  Cost value_;
  std::array<Cost, 65> distance_of_bit_{};  ///< [highest bit in which two path codes differ], times the sign
};

}  // namespace corewise::search
