/// Reads a square matrix in plain text: [src, dst] in bytes, one row per line.
#include "corewise/matrix_io.hpp"
#include "traffic/file_matrix.hpp"
#include "traffic/line_reader.hpp"

namespace corewise {
namespace {

/// Appends the non-zero entries of row `src`. Returns the number of columns.
std::int32_t read_row(LineReader& lines, std::int32_t src, std::vector<MatrixEntry>& entries) {
  std::int32_t n_columns = 0;
  for (; lines.line_has_more(); ++n_columns) {
    const std::uint64_t bytes = lines.next_amount("bytes");
    if (bytes > 0) entries.push_back({Rank{src}, Rank{n_columns}, bytes, 1});
  }
  return n_columns;
}

}  // namespace

CommMatrix read_text_matrix(const std::string& path) {
  LineReader lines(path, " \t\r\v\f,");
  std::vector<MatrixEntry> entries;
  std::int32_t n_ranks = 0;
  std::int32_t n_rows = 0;
  for (; lines.next_line_with_content('#'); ++n_rows) {
    const std::int32_t n_columns = read_row(lines, n_rows, entries);
    if (n_rows == 0) n_ranks = n_columns;
    if (n_columns != n_ranks) {
      lines.refuse(concat("a row of ", n_columns, " numbers after a first row of ", n_ranks,
                          "; expected a square, one row and one column a rank"));
    }
    if (n_rows == n_ranks) {
      lines.refuse(concat("one row more than the ", n_ranks,
                          " columns; expected a square, one row and one column a rank"));
    }
  }
  if (n_rows == 0) lines.refuse_file("no row of numbers; expected a square matrix");
  if (n_rows < n_ranks) {
    lines.refuse_file(concat("ends after ", n_rows, " rows of ", n_ranks,
                             " numbers; expected a square: is the file cut off?"));
  }
  return matrix_of_file(path, n_ranks, std::move(entries));
}

}  // namespace corewise
