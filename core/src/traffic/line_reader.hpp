/// LineReader: a text file as lines of tokens. Its error messages name the file and the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text.hpp"

namespace corewise {

/// Greatest number of ranks that a file may have. It is beyond any real machine; a greater number in a header
/// is an error or an attack that would allocate gigabytes.
inline constexpr std::int64_t kMostRanks = std::int64_t{1} << 26;

class LineReader {
 public:
  /// Reads the whole file. The default `separators` contain CR, which handles CRLF line ends.
  /// @throws Error(bad_input) if the file can't be read.
  explicit LineReader(std::string path, std::string_view separators = " \t\r\v\f");

  /// Goes to the next line; false at the end of the file. The last line may lack its newline.
  bool next_line();
  /// Goes to the next line that is neither empty nor starts with `comment`; false at the end of the file.
  bool next_line_with_content(char comment);
  /// The next token of this line; empty at the end of the line.
  std::string_view next_token();

  /// Whether this line has a further token.
  [[nodiscard]] bool line_has_more() const;
  /// Whether this line has no token at all.
  [[nodiscard]] bool line_is_empty() const;
  [[nodiscard]] bool line_starts_with(char first) const { return !line_.empty() && line_.front() == first; }
  [[nodiscard]] std::int64_t line_number() const { return line_number_; }
  [[nodiscard]] std::size_t file_size_bytes() const { return text_.size(); }

  // The next functions parse the next token. Their Error(bad_input) uses `what` as the number's name.

  /// An integer in 0..2^62, also in forms such as "1e3" and "5.0".
  std::uint64_t next_amount(const char* what);
  /// An index in first..last. Returns it minus `first`.
  std::int32_t next_index(const char* what, std::int64_t first, std::int64_t last);
  /// A number of ranks in 1..kMostRanks.
  std::int32_t next_size(const char* what) { return next_index(what, 1, kMostRanks) + 1; }
  /// Refuses a further token on this line.
  void expect_line_end();

  /// Throws Error(bad_input) with the message `FILE line N: message`.
  [[noreturn]] void refuse(const std::string& message) const { refuse_line(line_number_, message); }
  [[noreturn]] void refuse_line(std::int64_t line_number, const std::string& message) const;
  /// Throws Error(bad_input) with the message `FILE: message`.
  [[noreturn]] void refuse_file(const std::string& message) const;
  /// The token for a message: quoted, shortened, printable; "the end of the line" if empty.
  [[nodiscard]] static std::string quoted(std::string_view token);

 private:
  std::string path_;
  std::string separators_;
  std::string text_;
  std::size_t next_start_ = 0;  ///< start of the next line in text_
  std::string_view line_;
  std::size_t position_ = 0;  ///< in line_
  std::int64_t line_number_ = 0;
};

}  // namespace corewise
