/// prove_loads(): the same loop over the levels for least and greatest loads; only the search differs.
#include "solvers/exact/load_proof.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "solvers/exact/load_search.hpp"

namespace corewise::exact {
namespace {

class LoadProver {
 public:
  LoadProver(const TreeInstance& instance, bool worst, const ProofLimits& limits)
      : instance_(instance), worst_(worst), limits_(limits), top_(instance.n_levels()) {}

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
    const auto divide = [&](int class_id, Subset set) { return search.divide(class_id, set); };
    if (!instance_.place(divide, core_of_vertex)) return false;
    std::vector<Cost> load = fullest_links(core_of_vertex);
    if (worst_ ? load <= proof.load : load >= proof.load) return false;
    proof.core_of_vertex = std::move(core_of_vertex);
    proof.load = std::move(load);
    return true;
  }

  /// LoadProof::load of a placement.
  std::vector<Cost> fullest_links(std::span<const CoreIndex> core_of_vertex) const {
    std::vector<Cost> from_top;
    for (int level = top_ - 1; level >= 1; --level) {
      from_top.push_back(0);
      for (const VertexGroup& group : instance_.groups(level, core_of_vertex))
        from_top.back() = std::max(from_top.back(), instance_.cut(group.members));
    }
    return from_top;
  }

  const TreeInstance& instance_;
  bool worst_;
  ProofLimits limits_;
  int top_;
  std::uint64_t steps_ = 0;
};

}  // namespace

LoadProof prove_loads(const TreeInstance& instance, std::vector<CoreIndex> known,
                      std::span<const bounds::CutBounds> cut, bool worst, const ProofLimits& limits) {
  return LoadProver(instance, worst, limits).run(std::move(known), cut);
}

}  // namespace corewise::exact
