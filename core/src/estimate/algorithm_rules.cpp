/// algorithm_of(): the first rule that applies, then the algorithm's substitute for short vectors.
#include "estimate/algorithm_rules.hpp"

#include <bit>

namespace corewise {
namespace {

/// Assumed size of an element, because profiles contain only bytes.
constexpr std::uint64_t kElementBytes = 4;

bool holds(const Rule& rule, std::int32_t n, std::uint64_t bytes) {
  return n < rule.below_ranks && bytes < rule.below_bytes &&
         (rule.ranks == Ranks::any || std::has_single_bit(static_cast<std::uint32_t>(n)));
}

bool is_too_short(const Substitute& row, std::int32_t n, std::uint64_t bytes) {
  const auto members = static_cast<std::uint32_t>(n);
  return bytes / kElementBytes < (row.needs == Elements::one_each ? members : std::bit_floor(members));
}

const LibraryRules& rules_of(MpiLibrary library) {
  return library == MpiLibrary::openmpi ? kOpenMpiRules : kMpichRules;
}

}  // namespace

Algorithm algorithm_of(MpiLibrary library, Collective kind, std::int32_t n, std::uint64_t bytes) {
  const LibraryRules& library_rules = rules_of(library);
  const RuleSet& set = library_rules.sets[static_cast<std::size_t>(kind)];
  const std::uint64_t decisive = set.bytes == Bytes::of_call ? bytes : bytes * static_cast<std::uint64_t>(n);
  const auto rule = std::ranges::find_if(set.rules, [&](const Rule& row) { return holds(row, n, decisive); });
  for (const Substitute& row : library_rules.substitutes) {
    if (row.kind == kind && row.algorithm == rule->algorithm && is_too_short(row, n, bytes)) {
      return row.instead;
    }
  }
  return rule->algorithm;
}

}  // namespace corewise
