/// Small text helpers for error messages: joining values and finding the nearest name.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace corewise {

/// Concatenates all values as `<<` prints them.
template <typename... Values>
[[nodiscard]] std::string concat(const Values&... values) {
  std::ostringstream out;
  (out << ... << values);
  return out.str();
}

/// Levenshtein distance of two words.
[[nodiscard]] inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

/// The name with the least edit distance to `wanted`, for "did you mean ...?". `names` must not be empty.
[[nodiscard]] inline std::string_view nearest_name(std::string_view wanted,
                                                   std::span<const std::string_view> names) {
  return *std::min_element(names.begin(), names.end(), [&](std::string_view a, std::string_view b) {
    return edit_distance(wanted, a) < edit_distance(wanted, b);
  });
}

}  // namespace corewise
