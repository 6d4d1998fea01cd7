/// prove_loads(): the same loop over the levels for least and greatest loads; only the search differs.
#include "solvers/exact/load_proof.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "solvers/exact/heavy_cuts.hpp"
#include "solvers/exact/load_feasibility.hpp"

namespace corewise::exact {
namespace {

class LoadProver {
 public:
  LoadProver(const LoadInstance& instance, const CoreTree& tree, bool worst, const ProofLimits& limits)
      : instance_(instance), tree_(tree), worst_(worst), limits_(limits), top_(instance.n_levels()) {}

  LoadProof run(std::vector<CoreIndex> known, std::span<const bounds::CutBounds> cut) {
    LoadProof proof{std::move(known), {}, 0};
    proof.load = fullest_links(proof.core_of_vertex);
    while (proof.n_proven < proof.load.size()) {
      const int level = top_ - 1 - static_cast<int>(proof.n_proven);
      const Cost load = proof.load[proof.n_proven];
      if (worst_ ? load < static_cast<Cost>(cut[level].most_load)
                 : load > static_cast<Cost>(cut[level].least_load)) {
        const std::unique_ptr<LoadSearch> search = search_for_better(proof.load, level);
        const std::optional<bool> found = search->find();
        steps_ = std::min(limits_.most_steps, steps_ + search->steps());
        if (!found || (*found && !improve(*search, proof))) return proof;
        if (*found) continue;
      }
      ++proof.n_proven;
    }
    return proof;
  }

 private:
  /// A search for placements with the known loads above `level` and a better load there.
  std::unique_ptr<LoadSearch> search_for_better(const std::vector<Cost>& known, int level) const {
    std::vector<Cost> load(top_, worst_ ? 0 : std::numeric_limits<Cost>::max() / 4);
    for (int at = level; at < top_; ++at) load[at] = known[top_ - 1 - at];
    load[level] += worst_ ? 1 : -1;
    const ProofLimits limits{limits_.most_steps - steps_, limits_.deadline};
    if (worst_) return std::make_unique<HeavyCuts>(instance_, std::move(load), level, limits);
    return std::make_unique<LoadFeasibility>(instance_, std::move(load), limits);
  }

  /// Takes over the placement that a search has found. @return false if it is not known or not better
  bool improve(LoadSearch& search, LoadProof& proof) const {
    std::vector<CoreIndex> core_of_vertex = proof.core_of_vertex;
    const auto root = static_cast<std::int32_t>(tree_.objects().size()) - 1;
    if (!place(search, root, instance_.all(), core_of_vertex)) return false;
    std::vector<Cost> load = fullest_links(core_of_vertex);
    if (worst_ ? load <= proof.load : load >= proof.load) return false;
    proof.core_of_vertex = std::move(core_of_vertex);
    proof.load = std::move(load);
    return true;
  }

  bool place(LoadSearch& search, std::int32_t object, Subset set,
             std::vector<CoreIndex>& core_of_vertex) const {
    const CoreTree::Object& at = tree_.objects()[object];
    if (at.children.empty()) {
      for_each_vertex(set & ~instance_.padding(), [&](int v) { core_of_vertex[v] = at.core; });
      return true;
    }
    std::vector<VertexGroup> groups = search.divide(at.class_id, set);
    if (groups.empty()) return false;
    for (const std::int32_t child : at.children) {
      const int class_id = tree_.objects()[child].class_id;
      if (class_id < 0) continue;
      const auto group = std::ranges::find(groups, class_id, &VertexGroup::class_id);
      if (!place(search, child, group->members, core_of_vertex)) return false;
      groups.erase(group);
    }
    return true;
  }

  /// LoadProof::load of a placement.
  std::vector<Cost> fullest_links(std::span<const CoreIndex> core_of_vertex) const {
    std::vector<Subset> held(tree_.objects().size(), 0);
    std::vector<Cost> fullest(top_ + 1, 0);
    for (std::size_t object = 0; object < held.size(); ++object) {
      const CoreTree::Object& at = tree_.objects()[object];
      if (at.capacity == 0) continue;
      for (std::size_t v = 0; at.children.empty() && v < core_of_vertex.size(); ++v) {
        if (core_of_vertex[v] == at.core) held[object] |= Subset{1} << v;
      }
      for (const std::int32_t child : at.children) held[object] |= held[child];
      Cost& load = fullest[instance_.classes[at.class_id].level];
      load = std::max(load, instance_.cut(held[object]));
    }
    std::vector<Cost> from_top;
    for (int level = top_ - 1; level >= 1; --level) from_top.push_back(fullest[level]);
    return from_top;
  }

  const LoadInstance& instance_;
  const CoreTree& tree_;
  bool worst_;
  ProofLimits limits_;
  int top_;
  std::uint64_t steps_ = 0;
};

}  // namespace

LoadProof prove_loads(const LoadInstance& instance, const CoreTree& tree, std::vector<CoreIndex> known,
                      std::span<const bounds::CutBounds> cut, bool worst, const ProofLimits& limits) {
  return LoadProver(instance, tree, worst, limits).run(std::move(known), cut);
}

}  // namespace corewise::exact
