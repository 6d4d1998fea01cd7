/// search_bisection(): what the groups cost inside follows from the cut and a lower bound on the levels
/// below.
#include "solvers/exact/bisection_search.hpp"

#include "solvers/exact/cut_search.hpp"

namespace corewise::exact {

PartitionResult search_bisection(NestedCost& nested, const HopInstance& instance, const Duals& duals,
                                 Cost most_cost, const ProofLimits& limits) {
  const int level = instance.n_levels() - 1;
  const int one = instance.classes.back().children.front().first;
  const int other = instance.classes.back().children.back().first;
  const Cost whole = instance.inside(instance.all());
  const CutGraph graph(instance.n, instance.weight);
  StepBudget budget(limits.most_steps / kSetsPerBisectionStep, limits.deadline);
  Incumbent incumbent(most_cost, instance.granularity);
  for (bool better = true; better && !budget.exhausted();) {
    better = false;
    // cost >= duals + factor * (whole - cut), and factors are negative.
    const Cost most_cut =
        whole + (incumbent.most_cost() - duals.objective(instance)) / -instance.factor(level);
    CutSearch search(graph, budget, [&](Subset set) {
      const Subset others = instance.all() & ~set;
      better = incumbent.offer({{one, set}, {other, others}}, nested.of(set, one) + nested.of(others, other));
      if (nested.steps() > limits.most_steps) budget.exhaust();
      return better || budget.exhausted();
    });
    const Subset within = one == other ? 1 : 0;  // equal groups are interchangeable
    (void)search.run(within, instance.all() & ~within, instance.classes[one].size, most_cut);
  }
  incumbent.result.complete = !budget.exhausted();
  return incumbent.result;
}

}  // namespace corewise::exact
