/// A text file as numbered lines of tokens; every refusal names the file and the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text.hpp"

namespace corewise {

/// More ranks than any machine has: a header above it is a slip or an attack, and would cost gigabytes.
inline constexpr std::int64_t kMostRanks = std::int64_t{1} << 26;

class LineReader {
 public:
  /// Reads the whole file. `separators` stand between tokens; CR counts as one, so CRLF files read the same.
  /// @throws Error(bad_input) if the file can't be read.
  explicit LineReader(std::string path, std::string_view separators = " \t\r\v\f");

  /// Goes to the next line; false at the end of the file. A last line without its newline is a line.
  bool next_line();
  /// Goes to the next line that is neither empty nor starts with `comment`; false at the end of the file.
  bool next_line_with_content(char comment);
  /// The next token of this line; empty at the line's end.
  std::string_view next_token();

  /// True if a token is left on this line.
  [[nodiscard]] bool line_has_more() const;
  /// True if this line has no token at all.
  [[nodiscard]] bool line_is_empty() const;
  [[nodiscard]] bool line_starts_with(char first) const { return !line_.empty() && line_.front() == first; }
  [[nodiscard]] std::int64_t line_number() const { return line_number_; }
  [[nodiscard]] std::size_t file_size_bytes() const { return text_.size(); }

  /// The next token as a number of `what`: whole, 0 or more, at most 2^62; "1e3" and "5.0" are whole too.
  std::uint64_t next_amount(const char* what);
  /// The next token as an index in first..last, named `what`, returned counted from 0.
  std::int32_t next_index(const char* what, std::int64_t first, std::int64_t last);
  /// The next token as a number of ranks, 1..kMostRanks, named `what`.
  std::int32_t next_size(const char* what) { return next_index(what, 1, kMostRanks) + 1; }
  /// Refuses anything left on this line.
  void expect_line_end();

  /// `FILE line N: message`.
  [[noreturn]] void refuse(const std::string& message) const { refuse_line(line_number_, message); }
  [[noreturn]] void refuse_line(std::int64_t line_number, const std::string& message) const;
  /// `FILE: message`, for what no single line is to blame.
  [[noreturn]] void refuse_file(const std::string& message) const;
  /// 'token', shortened and without unprintable characters, or "the end of the line".
  [[nodiscard]] static std::string quoted(std::string_view token);

 private:
  std::string path_;
  std::string separators_;
  std::string text_;
  std::size_t next_start_ = 0;  ///< where the next line starts in text_
  std::string_view line_;
  std::size_t position_ = 0;  ///< in line_
  std::int64_t line_number_ = 0;
};

}  // namespace corewise
