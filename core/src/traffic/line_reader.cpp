/// LineReader: reads a file, splits it into tokens, parses integers.
#include "traffic/line_reader.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "corewise/error.hpp"

namespace corewise {
namespace {

constexpr std::uint64_t kLargestAmount = std::uint64_t{1} << 62;

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw Error(ErrorCode::bad_input, concat(path, ": a directory; expected a file"));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::bad_input, concat(path, ": can't be opened; is the name right?"));
  std::string text;
  std::string block(std::size_t{1} << 16, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw Error(ErrorCode::bad_input, concat(path, ": reading it failed"));
  return text;
}

/// The token as an integer in 0..2^62, also from forms such as "1e3"; empty for other tokens.
std::optional<std::uint64_t> parse_whole(std::string_view token) {
  if (!token.empty() && token.front() == '+') token.remove_prefix(1);
  const char* const end = token.data() + token.size();
  std::uint64_t whole = 0;
  const auto [whole_end, whole_error] = std::from_chars(token.data(), end, whole);
  if (whole_end == end && whole_error == std::errc{}) {
    return whole <= kLargestAmount ? std::optional(whole) : std::nullopt;
  }
  double real = 0;
  const auto [real_end, real_error] = std::from_chars(token.data(), end, real);
  if (real_end != end || real_error != std::errc{}) return std::nullopt;
  const bool fits = real >= 0 && real <= static_cast<double>(kLargestAmount);  // false for nan
  if (!fits || std::floor(real) != real) return std::nullopt;
  return static_cast<std::uint64_t>(real);
}

}  // namespace

LineReader::LineReader(std::string path, std::string_view separators)
    : path_(std::move(path)), separators_(separators), text_(read_file(path_)) {}

bool LineReader::next_line() {
  if (next_start_ >= text_.size()) return false;
  const std::size_t newline = text_.find('\n', next_start_);
  const std::size_t end = newline == std::string::npos ? text_.size() : newline;
  line_ = std::string_view(text_).substr(next_start_, end - next_start_);
  next_start_ = end + 1;
  position_ = 0;
  ++line_number_;
  return true;
}

bool LineReader::next_line_with_content(char comment) {
  while (next_line()) {
    if (!line_is_empty() && !line_starts_with(comment)) return true;
  }
  return false;
}

std::string_view LineReader::next_token() {
  const auto is_separator = [&](char c) { return separators_.find(c) != std::string::npos; };
  while (position_ < line_.size() && is_separator(line_[position_])) ++position_;
  const std::size_t start = position_;
  while (position_ < line_.size() && !is_separator(line_[position_])) ++position_;
  return line_.substr(start, position_ - start);
}

bool LineReader::line_has_more() const {
  return line_.find_first_not_of(separators_, position_) != std::string_view::npos;
}

bool LineReader::line_is_empty() const {
  return line_.find_first_not_of(separators_) == std::string_view::npos;
}

std::uint64_t LineReader::next_amount(const char* what) {
  const std::string_view token = next_token();
  const std::optional<std::uint64_t> amount = parse_whole(token);
  if (!amount) {
    refuse(
        concat("found ", quoted(token), "; expected a number of ", what, ": whole, 0 or more, at most 2^62"));
  }
  return *amount;
}

std::int32_t LineReader::next_index(const char* what, std::int64_t first, std::int64_t last) {
  const std::string_view token = next_token();
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (end != token.data() + token.size() || error != std::errc{} || index < first || index > last) {
    refuse(concat("found ", quoted(token), "; expected a ", what, ", ", first, " to ", last));
  }
  return static_cast<std::int32_t>(index - first);
}

void LineReader::expect_line_end() {
  const std::string_view token = next_token();
  if (!token.empty()) refuse(concat("found ", quoted(token), "; expected the end of the line"));
}

void LineReader::refuse_line(std::int64_t line_number, const std::string& message) const {
  throw Error(ErrorCode::bad_input, concat(path_, " line ", line_number, ": ", message), path_, line_number);
}

void LineReader::refuse_file(const std::string& message) const {
  throw Error(ErrorCode::bad_input, concat(path_, ": ", message));
}

std::string LineReader::quoted(std::string_view token) {
  if (token.empty()) return "the end of the line";
  constexpr std::size_t most = 24;
  std::string shown = "'";
  for (const char c : token.substr(0, most)) shown += (c >= ' ' && c <= '~') ? c : '?';
  return shown + (token.size() > most ? "...'" : "'");
}

}  // namespace corewise
