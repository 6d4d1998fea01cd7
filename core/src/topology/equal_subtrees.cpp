/// equal_subtrees(): one pass from the leaves up. A class is identified by mark and children's classes.
#include "corewise/equal_subtrees.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

void check(std::span<const std::int32_t> parent, std::span<const std::int64_t> mark) {
  if (parent.size() != mark.size()) {
    throw Error(ErrorCode::size_mismatch, concat("found ", parent.size(), " parents and ", mark.size(),
                                                 " marks of vertices; expected one of each for each vertex"));
  }
  for (std::size_t v = 0; v < parent.size(); ++v) {
    if (parent[v] == -1 || (std::cmp_greater(parent[v], v) && std::cmp_less(parent[v], parent.size())))
      continue;
    throw Error(ErrorCode::bad_input, concat("vertex ", v, " has parent ", parent[v], "; expected one from ",
                                             v + 1, " to ", parent.size() - 1, ", or -1"));
  }
}

}  // namespace

std::vector<std::int32_t> equal_subtrees(std::span<const std::int32_t> parent,
                                         std::span<const std::int64_t> mark, ChildOrder order) {
  check(parent, mark);
  const auto counts = [&](std::size_t v) { return mark[v] >= 0 && parent[v] >= 0; };
  std::vector<std::size_t> first(parent.size() + 1, 0);  // [vertex] start of its children in `classes_below`
  for (std::size_t v = 0; v < parent.size(); ++v) {
    if (counts(v)) ++first[parent[v] + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int32_t> classes_below(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);

  std::map<std::pair<std::int64_t, std::vector<std::int32_t>>, std::int32_t> known;
  std::pair<std::int64_t, std::vector<std::int32_t>> key;
  std::vector<std::int32_t> class_of(parent.size(), -1);
  for (std::size_t v = 0; v < parent.size(); ++v) {
    if (mark[v] < 0) continue;
    key.first = mark[v];
    key.second.assign(classes_below.begin() + static_cast<std::ptrdiff_t>(first[v]),
                      classes_below.begin() + static_cast<std::ptrdiff_t>(first[v + 1]));
    if (order == ChildOrder::any) std::ranges::sort(key.second);
    class_of[v] = known.try_emplace(key, static_cast<std::int32_t>(known.size())).first->second;
    if (counts(v)) classes_below[next[parent[v]]++] = class_of[v];
  }
  return class_of;
}

}  // namespace corewise
