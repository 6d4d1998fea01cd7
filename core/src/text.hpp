/// Small text helpers for error messages: joining values and proposing names.
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

/// "; did you mean 'x'?" for the nearest name if at most a third of the letters differ, or one (the rule of
/// nearest_name in python/corewise/errors.py); else "; expected " with all names. `names` must not be empty.
[[nodiscard]] inline std::string did_you_mean(std::string_view wanted,
                                              std::span<const std::string_view> names) {
  const auto distance = [&](std::string_view name) { return edit_distance(wanted, name); };
  const std::string_view near = *std::ranges::min_element(names, {}, distance);
  if (distance(near) <= std::max<std::size_t>(wanted.size(), 3) / 3)
    return concat("; did you mean '", near, "'?");
  std::string expected = "; expected ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    expected += concat(i == 0 ? "" : i + 1 < names.size() ? ", " : " or ", names[i]);
  }
  return expected;
}

}  // namespace corewise
