/// Least loads: for each level, no placement with the loads above it has less there.
#include <algorithm>
#include <limits>

#include "solvers/exact/load_feasibility.hpp"
#include "solvers/exact/load_proof.hpp"

namespace corewise::exact {
namespace {

class LeastLoads {
 public:
  LeastLoads(const LoadInstance& instance, const CoreTree& tree, const ProofLimits& limits)
      : instance_(instance), tree_(tree), limits_(limits), top_(instance.classes.back().level) {}

  LoadProof run(std::vector<CoreIndex> known, std::span<const bounds::CutBounds> cut) {
    LoadProof proof{std::move(known), {}, 0};
    std::vector<Cost> most_load(top_, std::numeric_limits<Cost>::max() / 4);
    std::uint64_t steps = 0;
    proof.load = fullest_links(instance_, tree_, proof.core_of_vertex);
    for (int level = top_ - 1; level >= 1;) {
      const std::size_t place = top_ - 1 - level;
      most_load[level] = proof.load[place];
      if (proof.load[place] > static_cast<Cost>(cut[level].least_load)) {
        --most_load[level];
        LoadFeasibility search(instance_, most_load, {limits_.most_steps - steps, limits_.deadline});
        const std::optional<bool> better = search.feasible();
        steps = std::min(limits_.most_steps, steps + search.steps());
        if (!better) return proof;
        if (*better) {
          if (!improve(search, proof)) return proof;
          continue;
        }
        ++most_load[level];
      }
      ++proof.n_proven;
      --level;
    }
    return proof;
  }

 private:
  bool improve(LoadFeasibility& search, LoadProof& proof) const {
    std::vector<CoreIndex> core_of_vertex = proof.core_of_vertex;
    const auto root = static_cast<std::int32_t>(tree_.objects().size()) - 1;
    if (!place(search, root, instance_.all(), core_of_vertex)) return false;
    proof.core_of_vertex = std::move(core_of_vertex);
    proof.load = fullest_links(instance_, tree_, proof.core_of_vertex);
    return true;
  }

  bool place(LoadFeasibility& search, std::int32_t object, Subset set,
             std::vector<CoreIndex>& core_of_vertex) const {
    const CoreTree::Object& at = tree_.objects()[object];
    if (at.children.empty()) {
      for_each_vertex(set & ~instance_.padding(), [&](int v) { core_of_vertex[v] = at.core; });
      return true;
    }
    const int class_id = instance_.class_of_object[object];
    const std::vector<Subset> parts = search.parts(set, class_id);
    if (parts.empty()) return false;
    std::size_t next = 0;
    for (const auto& [child_class, n_children] : instance_.classes[class_id].children) {
      for (const std::int32_t child : at.children) {
        if (instance_.class_of_object[child] != child_class) continue;
        if (!place(search, child, parts[next++], core_of_vertex)) return false;
      }
    }
    return true;
  }

  const LoadInstance& instance_;
  const CoreTree& tree_;
  ProofLimits limits_;
  int top_;
};

}  // namespace

LoadProof prove_least_loads(const LoadInstance& instance, const CoreTree& tree, std::vector<CoreIndex> known,
                            std::span<const bounds::CutBounds> cut, const ProofLimits& limits) {
  return LeastLoads(instance, tree, limits).run(std::move(known), cut);
}

}  // namespace corewise::exact
