/// Rules by which MPI libraries choose the algorithm of a collective, as data. Each library has one source
/// file with its tables; a new version of the library needs only other rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "estimate/collective.hpp"

namespace corewise {

inline constexpr auto kAnyRanks = std::numeric_limits<std::int32_t>::max();
inline constexpr auto kAnySize = std::numeric_limits<std::uint64_t>::max();

/// Restricts a rule to numbers of members that are powers of two.
enum class Ranks { any, power_of_two };

/// Applies below both limits. The first rule of a set that applies is used.
struct Rule {
  std::int32_t below_ranks;
  std::uint64_t below_bytes;
  Algorithm algorithm;
  Ranks ranks = Ranks::any;
};

/// Meaning of a set's bytes: CollectiveCall::bytes, or CollectiveCall::bytes times the number of members.
enum class Bytes { of_call, of_all_blocks };

/// The rules of one collective.
struct RuleSet {
  Collective kind;
  std::string_view source;  ///< file or folder of the library with this decision
  std::span<const Rule> rules;
  Bytes bytes = Bytes::of_call;
};

/// Least number of vector elements: the number of members, or the greatest power of two not above it.
enum class Elements { one_each, one_each_of_power_of_two };

/// The algorithm `instead` that the library's code of `algorithm` calls if the vector is too short.
struct Substitute {
  Collective kind;
  Algorithm algorithm;
  Elements needs;
  Algorithm instead;
  std::string_view source;  ///< as RuleSet::source
};

struct LibraryRules {
  std::string_view name;
  std::string_view version;  ///< of the library's sources
  std::span<const RuleSet> sets;
  std::span<const Substitute> substitutes;
};

extern const LibraryRules kOpenMpiRules;
extern const LibraryRules kMpichRules;

/// Whether there is one set per collective, in the enum's order, and each ends with a rule for all calls.
constexpr bool is_complete(std::span<const RuleSet> sets) {
  constexpr auto n_kinds = static_cast<std::size_t>(Collective::scatter) + 1;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const Rule& last = sets[i].rules.back();
    if (sets[i].kind != static_cast<Collective>(i) || last.below_ranks != kAnyRanks ||
        last.below_bytes != kAnySize || last.ranks != Ranks::any) {
      return false;
    }
  }
  return sets.size() == n_kinds;
}

}  // namespace corewise
