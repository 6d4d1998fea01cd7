/// Reads files of Open MPI's component monitoring (ompi/mca/common/monitoring): PREFIX.RANK.prof per rank.
///
/// aggregate_profile.pl concatenates the files of all ranks, and its manual says to concatenate those of
/// several phases. A file can therefore have a section for each rank and phase. Phases are added up.
///
/// The reader uses the lines E (point-to-point messages of the program), I (messages of collectives), S and R
/// (one-sided, sent and received by the writer), each with `writer peer N bytes N msgs sent [histogram]`. The
/// line `D MPI_COMM_WORLD procs: 0,1,...` gives the number of ranks, and the line O2A after it the writer of
/// the section. The other lines repeat this traffic per communicator. With `pml_monitoring_enable 1` instead
/// of 2, messages of collectives are E lines as well; the file doesn't show which setting was used.
#include <algorithm>
#include <map>
#include <optional>

#include "corewise/error.hpp"
#include "corewise/matrix_io.hpp"
#include "traffic/file_matrix.hpp"
#include "traffic/line_reader.hpp"

namespace corewise {
namespace {

struct Job {
  std::vector<MatrixEntry> entries;
  std::int32_t n_ranks = 0;  ///< from the lines for MPI_COMM_WORLD; without one, the greatest rank + 1
  std::size_t n_sections = 0;
  std::map<std::int32_t, std::size_t> sections_of;  ///< writer -> its number of sections
};

/// Whether every rank has the same number of sections; one section each if some sections name no writer.
bool is_whole(const Job& job) {
  std::size_t n_named = 0;
  for (const auto& [rank, n] : job.sections_of) n_named += n;
  if (n_named != job.n_sections) return job.n_sections == static_cast<std::size_t>(job.n_ranks);
  const std::size_t n_each = job.sections_of.begin()->second;
  return job.sections_of.size() == static_cast<std::size_t>(job.n_ranks) &&
         std::all_of(job.sections_of.begin(), job.sections_of.end(),
                     [&](const auto& of_rank) { return of_rank.second == n_each; });
}

bool is_of_layer(std::string_view kind, Layer layer) {
  switch (layer) {
    case Layer::p2p:
      return kind == "E";
    case Layer::coll:
      return kind == "I";
    case Layer::rma:
      return kind == "S" || kind == "R";
    case Layer::io:
      break;
  }
  return false;
}

void expect_words(LineReader& lines, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    const std::string_view found = lines.next_token();
    if (found != word) {
      lines.refuse(concat("found ", LineReader::quoted(found), "; expected '", word,
                          "', as Open MPI's monitoring writes it: is the file cut off?"));
    }
  }
}

/// Reads `writer peer N bytes N msgs sent`; ignores the histogram of sizes.
MatrixEntry read_pair(LineReader& lines, bool received) {
  const Rank writer{lines.next_index("rank", 0, kMostRanks - 1)};
  const Rank peer{lines.next_index("rank", 0, kMostRanks - 1)};
  MatrixEntry entry{received ? peer : writer, received ? writer : peer};
  entry.bytes = lines.next_amount("bytes");
  expect_words(lines, {"bytes"});
  entry.messages = lines.next_amount("messages");
  expect_words(lines, {"msgs", "sent"});
  return entry;
}

/// 3 for `MPI_COMM_WORLD procs: 0,1,2`; empty for other communicators.
std::optional<std::int32_t> read_world_size(LineReader& lines) {
  if (lines.next_token() != "MPI_COMM_WORLD") return std::nullopt;
  expect_words(lines, {"procs:"});
  const std::string_view procs = lines.next_token();
  return static_cast<std::int32_t>(std::count(procs.begin(), procs.end(), ',')) + 1;
}

void read_file(const std::string& path, Layer layer, Job& job) {
  LineReader lines(path);
  std::size_t n_sections = 0;
  bool recognised = false;
  bool after_world = false;
  while (lines.next_line()) {
    const std::string_view kind = lines.next_token();
    if (kind == "#") {
      recognised = true;
      if (lines.next_token() == "POINT") ++n_sections;
    }
    if (kind == "D") {
      const std::optional<std::int32_t> world_size = read_world_size(lines);
      after_world = world_size.has_value();
      job.n_ranks = std::max(job.n_ranks, world_size.value_or(0));
    }
    if (kind == "O2A" && after_world) {
      ++job.sections_of[lines.next_index("rank", 0, kMostRanks - 1)];
      after_world = false;
    }
    if (kind != "E" && kind != "I" && kind != "S" && kind != "R") continue;
    const MatrixEntry entry = read_pair(lines, kind == "R");
    job.n_ranks = std::max({job.n_ranks, raw(entry.src) + 1, raw(entry.dst) + 1});
    if (is_of_layer(kind, layer)) job.entries.push_back(entry);
  }
  job.n_sections += std::max<std::size_t>(n_sections, 1);
  if (!recognised) lines.refuse_file("no '# POINT TO POINT' line; expected a file of Open MPI's monitoring");
}

}  // namespace

CommMatrix read_openmpi_monitoring(const std::vector<std::string>& paths, Layer layer) {
  if (paths.empty()) {
    throw Error(ErrorCode::bad_input, "no .prof file; expected one PREFIX.RANK.prof for each rank");
  }
  Job job;
  for (const std::string& path : paths) read_file(path, layer, job);
  if (!is_whole(job)) {
    throw Error(
        ErrorCode::bad_input,
        concat(paths.front(), ": ", job.n_sections, " files of a job of ", job.n_ranks,
               " ranks; expected one PREFIX.RANK.prof for each rank, of several phases as many of each"));
  }
  return matrix_of_file(paths.front(), job.n_ranks, std::move(job.entries));
}

}  // namespace corewise
