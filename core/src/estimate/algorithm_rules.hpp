/// Rules of MPI libraries, as data: which algorithm each takes for a collective. One source file for each
/// library holds its tables; a new version of a library is a change of rows.
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

/// Which numbers of members a rule holds for.
enum class Ranks { any, power_of_two };

/// For fewer than `below_ranks` members and `below_bytes`; the first rule of a set that holds counts.
struct Rule {
  std::int32_t below_ranks;
  std::uint64_t below_bytes;
  Algorithm algorithm;
  Ranks ranks = Ranks::any;
};

/// What a set's bytes are: CollectiveCall::bytes, or that times the members.
enum class Bytes { of_call, of_all_blocks };

/// The rules of one collective.
struct RuleSet {
  Collective kind;
  std::string_view source;  ///< where the library's sources decide
  std::span<const Rule> rules;
  Bytes bytes = Bytes::of_call;
};

/// How many elements of its vector an algorithm needs: one for each member, or for each of the greatest power
/// of two of them.
enum class Elements { one_each, one_each_of_power_of_two };

/// What an algorithm itself takes in its place if the vector is too short for it.
struct Substitute {
  Collective kind;
  Algorithm algorithm;
  Elements needs;
  Algorithm instead;
  std::string_view source;  ///< as of RuleSet
};

struct LibraryRules {
  std::string_view name;
  std::string_view version;  ///< of the library's sources
  std::span<const RuleSet> sets;
  std::span<const Substitute> substitutes;
};

extern const LibraryRules kOpenMpiRules;
extern const LibraryRules kMpichRules;

/// Whether there is one set for each collective, in their order, and each ends with a rule for all calls.
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
