/// Reads Matrix Market coordinate files (math.nist.gov/MatrixMarket/formats.html).
#include <algorithm>
#include <cctype>

#include "corewise/matrix_io.hpp"
#include "traffic/file_matrix.hpp"
#include "traffic/line_reader.hpp"

namespace corewise {
namespace {

struct Header {
  bool pattern = false;    ///< entries have no value and count as 1
  bool symmetric = false;  ///< the file has only the lower triangle
};

std::string next_word(LineReader& lines) {
  std::string word(lines.next_token());
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

Header read_header(LineReader& lines) {
  if (!lines.next_line()) lines.refuse_file("empty; expected a Matrix Market file");
  if (next_word(lines) != "%%matrixmarket" || next_word(lines) != "matrix") {
    lines.refuse("expected '%%MatrixMarket matrix coordinate ...' at the start of the file");
  }
  const std::string layout = next_word(lines);
  if (layout != "coordinate") {
    lines.refuse(concat("found ", LineReader::quoted(layout), "; expected 'coordinate', the sparse layout"));
  }
  const std::string field = next_word(lines);
  const std::string symmetry = next_word(lines);
  if (field != "real" && field != "integer" && field != "unsigned-integer" && field != "double" &&
      field != "pattern") {
    lines.refuse(concat("found ", LineReader::quoted(field), "; expected 'integer', 'real' or 'pattern'"));
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    lines.refuse(concat("found ", LineReader::quoted(symmetry), "; expected 'general' or 'symmetric'"));
  }
  return {field == "pattern", symmetry == "symmetric"};
}

}  // namespace

CommMatrix read_matrix_market(const std::string& path) {
  LineReader lines(path);
  const Header header = read_header(lines);
  if (!lines.next_line_with_content('%')) lines.refuse_file("ends before the line 'rows columns entries'");
  const std::int32_t n_ranks = lines.next_size("number of rows");
  const std::int32_t n_columns = lines.next_size("number of columns");
  if (n_ranks != n_columns) {
    lines.refuse(concat(n_ranks, " rows and ", n_columns,
                        " columns; expected a square matrix: one row and one column a rank"));
  }
  const std::uint64_t n_entries = lines.next_amount("entries");
  lines.expect_line_end();

  std::vector<MatrixEntry> entries;
  // An entry has at least four bytes. The limit keeps a wrong count from allocating too much.
  const std::size_t most_in_file = lines.file_size_bytes() / 4;
  entries.reserve(std::min<std::uint64_t>(n_entries, most_in_file) * (header.symmetric ? 2 : 1));
  std::uint64_t n_read = 0;
  for (; lines.next_line_with_content('%'); ++n_read) {
    if (n_read == n_entries) {
      lines.refuse(concat("more than the ", n_entries, " entries that the header names"));
    }
    const Rank src{lines.next_index("row", 1, n_ranks)};
    const Rank dst{lines.next_index("column", 1, n_ranks)};
    const std::uint64_t bytes = header.pattern ? 1 : lines.next_amount("bytes");
    lines.expect_line_end();
    const std::uint64_t messages = bytes > 0 ? 1 : 0;
    entries.push_back({src, dst, bytes, messages});
    if (!header.symmetric || src == dst) continue;
    if (src < dst) {
      lines.refuse("an entry above the diagonal of a symmetric matrix; expected the lower triangle alone");
    }
    entries.push_back({dst, src, bytes, messages});
  }
  if (n_read < n_entries) {
    lines.refuse_file(
        concat("ends after ", n_read, " entries; its header names ", n_entries, ": is the file cut off?"));
  }
  return matrix_of_file(path, n_ranks, std::move(entries));
}

}  // namespace corewise
