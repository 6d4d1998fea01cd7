/// Python bindings of CommMatrix, Phase and Traffic. Matrices are columns: src, dst, bytes, messages.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "columns.hpp"
#include "corewise/error.hpp"
#include "corewise/phases.hpp"
#include "corewise/traffic.hpp"
#include "text.hpp"
#include "values.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

CommMatrix from_columns(std::int32_t n_ranks, const Column<std::int32_t>& src,
                        const Column<std::int32_t>& dst, const Column<std::uint64_t>& bytes,
                        const Column<std::uint64_t>& messages) {
  const std::size_t n = src.size();
  if (dst.size() != n || bytes.size() != n || messages.size() != n) {
    throw Error(ErrorCode::size_mismatch,
                "the columns src, dst, bytes and messages differ in length; expected one value "
                "of each for every entry");
  }
  std::vector<MatrixEntry> entries(n);
  for (std::size_t i = 0; i < n; ++i) entries[i] = {Rank{src(i)}, Rank{dst(i)}, bytes(i), messages(i)};
  return CommMatrix::from_entries(n_ranks, std::move(entries));
}

std::tuple<NumpyColumn<std::int32_t>, NumpyColumn<std::int32_t>, NumpyColumn<std::uint64_t>,
           NumpyColumn<std::uint64_t>>
to_columns(const CommMatrix& matrix) {
  std::vector<std::int32_t> src, dst;
  std::vector<std::uint64_t> bytes, messages;
  for (std::int32_t rank = 0; rank < matrix.n_ranks(); ++rank) {
    for (const PairTraffic& entry : matrix.row(Rank{rank})) {
      src.push_back(rank);
      dst.push_back(raw(entry.peer));
      bytes.push_back(entry.bytes);
      messages.push_back(entry.messages);
    }
  }
  return {to_numpy(std::move(src)), to_numpy(std::move(dst)), to_numpy(std::move(bytes)),
          to_numpy(std::move(messages))};
}

/// Hashes only the totals, which is fast; equal matrices have equal totals.
std::size_t hash_of(const CommMatrix& matrix) {
  return matrix.bytes() * 31 + matrix.messages() * 7 + matrix.n_entries();
}

}  // namespace

void bind_traffic(nb::module_& module) {
  nb::class_<CommMatrix> matrix_class(module, "CommMatrix",
                                      "A sparse communication matrix: [src, dst], bytes and messages.");
  bind_value(matrix_class, &hash_of);
  matrix_class
      .def_static(
          "from_columns", &from_columns, "n_ranks"_a, "src"_a, "dst"_a, "bytes"_a, "messages"_a,
          nb::sig("def from_columns(n_ranks: int, src: numpy.typing.NDArray[typing.Any], "
                  "dst: numpy.typing.NDArray[typing.Any], bytes: numpy.typing.NDArray[typing.Any], "
                  "messages: numpy.typing.NDArray[typing.Any]) -> CommMatrix"),
          "Creates a matrix from columns with one value per entry, converted to int32 (src, dst) and uint64. "
          "Entries of the same pair are added up.")
      .def("__repr__",
           [](const CommMatrix& matrix) {
             return concat("<corewise.CommMatrix of ", matrix.n_ranks(), " ranks: ", matrix.bytes(),
                           " bytes in ", matrix.messages(), " messages>");
           })
      .def("columns", &to_columns, "(src, dst, bytes, messages), sorted by src, then dst.")
      .def_prop_ro("n_ranks", &CommMatrix::n_ranks,
                   "Size of the communicator, including ranks without messages.")
      .def_prop_ro("n_entries", &CommMatrix::n_entries,
                   "Number of pairs with messages, including ranks that send to themselves.")
      .def_prop_ro("bytes", &CommMatrix::bytes, "Bytes between different ranks.")
      .def_prop_ro("messages", &CommMatrix::messages, "Messages between different ranks.")
      .def_prop_ro("self_bytes", &CommMatrix::self_bytes, "Bytes that ranks sent to themselves.");

  nb::class_<Phase> phase_class(module, "Phase", "`repeat` times the traffic of `matrix`.");
  bind_value(phase_class, [](const Phase& phase) { return hash_of(phase.matrix) ^ phase.repeat; });
  phase_class
      .def(nb::new_([](std::uint64_t repeat, CommMatrix matrix, std::optional<std::pair<double, double>> when,
                       std::int32_t pattern) {
             const auto span = when ? std::optional(TimeSpan{when->first, when->second}) : std::nullopt;
             return Phase{repeat, std::move(matrix), span, pattern};
           }),
           "repeat"_a, "matrix"_a, "when"_a = nb::none(), "pattern"_a = 0)
      .def("__repr__",
           [](const Phase& phase) {
             return concat("<corewise.Phase: ", phase.repeat, " times ", phase.matrix.bytes(), " bytes in ",
                           phase.matrix.messages(), " messages>");
           })
      .def_ro("repeat", &Phase::repeat)
      .def_ro("matrix", &Phase::matrix)
      .def_prop_ro(
          "when",
          [](const Phase& phase) -> std::optional<std::pair<double, double>> {
            if (!phase.when) return std::nullopt;
            return std::pair(phase.when->begin_s, phase.when->end_s);
          },
          "(begin_s, end_s) since the start of the job; None if the phase is not from a profile.")
      .def_ro("pattern", &Phase::pattern, "Phases of a profile with the same number have the same pattern.");

  nb::class_<LargeMessages> large_class(module, "LargeMessages",
                                        "Traffic in messages of at least `threshold_bytes`.");
  bind_value(large_class, [](const LargeMessages& large) { return hash_of(large.matrix); });
  large_class.def(nb::init<std::uint64_t, CommMatrix>(), "threshold_bytes"_a, "matrix"_a)
      .def_ro("threshold_bytes", &LargeMessages::threshold_bytes)
      .def_ro("matrix", &LargeMessages::matrix);

  nb::class_<Traffic> traffic_class(module, "Traffic",
                                    "The phases of a job, in order; a plain matrix is one phase.");
  bind_value(traffic_class, [](const Traffic& traffic) { return hash_of(traffic.folded()); });
  traffic_class.def_static("of", &Traffic::of, "matrix"_a, "Traffic of one phase.")
      .def_static(
          "of_phases",
          [](std::vector<Phase> phases, std::optional<LargeMessages> large) {
            return Traffic{std::move(phases), std::move(large)};
          },
          "phases"_a, "large"_a = nb::none())
      .def("__repr__",
           [](const Traffic& traffic) {
             const CommMatrix all = traffic.folded();
             return concat("<corewise.Traffic of ", all.n_ranks(), " ranks in ", traffic.phases.size(),
                           traffic.phases.size() == 1 ? " phase: " : " phases: ", all.bytes(), " bytes in ",
                           all.messages(), " messages>");
           })
      .def_rw("large", &Traffic::large,
              "Traffic in large messages, used by solver size-major; None if sizes are unknown.")
      .def_ro("phases", &Traffic::phases)
      .def_prop_ro("n_ranks", &Traffic::n_ranks)
      .def("folded", &Traffic::folded, "The sum of all phases, each times its repeat.");

  module.def(
      "sum_of",
      [](const std::vector<CommMatrix>& matrices) {
        if (matrices.empty()) throw Error(ErrorCode::bad_input, "no matrix to add up; expected one at least");
        return sum_of(matrices);
      },
      "matrices"_a, "The sum of matrices of the same ranks.");
  module.def(
      "inter_over_intra",
      [](const CommMatrix& matrix, const Column<std::int32_t>& node_of_rank) {
        std::vector<NodeIndex> nodes(node_of_rank.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = NodeIndex{node_of_rank(i)};
        const TrafficRatio ratio = inter_over_intra(matrix, nodes);
        return std::pair(ratio.bytes, ratio.messages);
      },
      "matrix"_a, "node_of_rank"_a,
      "(bytes, messages) between nodes divided by those within nodes; None if nothing is sent within nodes. "
      "Self-messages count as within nodes (SMP-CMP paper, Table I).");
}

}  // namespace corewise::bindings
