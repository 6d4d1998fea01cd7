// Parses lines of SNAP's files.
#include "kernels/snap.hpp"

#include <charconv>
#include <limits>

#include "kernels/input_error.hpp"

namespace corewise::workloads {
namespace {

constexpr std::uint64_t max_ids = std::numeric_limits<std::uint32_t>::max();

/// The numbers of one line.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  /// Reads the next integer into `value`; false if there is none, or if it is too large.
  template <class Number>
  [[nodiscard]] bool next(Number& value) {
    skip_blanks();
    const auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failed != std::errc{}) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return rest_.empty() || blank(rest_.front());
  }

  [[nodiscard]] bool at_end() {
    skip_blanks();
    return rest_.empty();
  }

 private:
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (!rest_.empty() && blank(rest_.front())) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

/// Calls parse(fields) for each line that is not a comment; it returns true if the line is an edge.
template <class Parse>
void for_each_edge_line(std::istream& in, const SnapFile& file, const char* expected, Parse parse) {
  std::string line;
  for (std::uint64_t number = 1; std::getline(in, line); ++number) {
    Fields fields(line);
    if (number <= file.skip_lines || fields.at_end() || line[0] == '#' || line[0] == '%') continue;
    if (!parse(fields)) {
      throw InputError(file.name + ", line " + std::to_string(number) + ": found \"" + line.substr(0, 60) +
                       "\", expected \"" + expected +
                       "\" as whole numbers; skip a header with --skip-lines " + std::to_string(number));
    }
  }
  if (in.bad()) throw InputError(file.name + " could not be read to its end");
}

bool next_ends(Fields& fields, std::uint32_t& src, std::uint32_t& dst) {
  std::uint64_t a = 0, b = 0;
  if (!fields.next(a) || !fields.next(b) || a >= max_ids || b >= max_ids) return false;
  src = static_cast<std::uint32_t>(a);
  dst = static_cast<std::uint32_t>(b);
  return true;
}

/// @throws InputError if there are no edges.
template <class Edges>
Edges not_empty(Edges edges, const SnapFile& file) {
  if (edges.empty()) throw InputError(file.name + " has no edge");
  return edges;
}

}  // namespace

std::vector<Edge> read_edges(std::istream& in, const SnapFile& file) {
  std::vector<Edge> edges;
  for_each_edge_line(in, file, "src dst", [&](Fields& fields) {
    Edge edge{};
    if (!next_ends(fields, edge.a, edge.b) || !fields.at_end()) return false;
    edges.push_back(edge);
    return true;
  });
  return not_empty(std::move(edges), file);
}

std::vector<TemporalEdge> read_temporal_edges(std::istream& in, const SnapFile& file) {
  std::vector<TemporalEdge> edges;
  for_each_edge_line(in, file, "src dst time", [&](Fields& fields) {
    TemporalEdge edge{};
    if (!next_ends(fields, edge.src, edge.dst) || !fields.next(edge.time_s) || !fields.at_end()) return false;
    edges.push_back(edge);
    return true;
  });
  sort_by_time(edges);
  return not_empty(std::move(edges), file);
}

}  // namespace corewise::workloads
