/// CommPlaces: finds the rank of a process in a communicator.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "corewise/profile.hpp"

namespace corewise {

/// Builds the table of a communicator at its first use.
class CommPlaces {
 public:
  /// @param comms  must outlive this object
  explicit CommPlaces(const std::vector<CommInfo>& comms) : comms_(comms), tables_(comms.size()) {}

  /// Index of `rank` in the members of communicator `comm`; empty if it is no member.
  [[nodiscard]] std::optional<std::size_t> find(std::int32_t comm, Rank rank) {
    const auto i = static_cast<std::size_t>(comm);
    std::unordered_map<std::int32_t, std::size_t>& table = tables_[i];
    if (table.empty()) {
      const std::vector<Rank>& members = comms_[i].members;
      for (std::size_t place = 0; place < members.size(); ++place)
        table.try_emplace(raw(members[place]), place);
    }
    const auto found = table.find(raw(rank));
    return found != table.end() ? std::optional(found->second) : std::nullopt;
  }

 private:
  const std::vector<CommInfo>& comms_;
  std::vector<std::unordered_map<std::int32_t, std::size_t>> tables_;
};

}  // namespace corewise
