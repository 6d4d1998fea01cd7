/// Matrix readers on small files written by the test.
#include "corewise/matrix_io.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "corewise/error.hpp"

namespace corewise {
namespace {

using Reader = std::function<CommMatrix(const std::string&)>;

const Reader monitoring = [](const std::string& path) { return read_openmpi_monitoring({path}); };

class MatrixIo : public testing::Test {
 protected:
  ~MatrixIo() override { std::filesystem::remove(path_); }

  const std::string& file(const std::string& text) {
    std::filesystem::remove(path_);  // writing over a file makes some file systems wait for the disk
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }

  /// The error message of `reader` for a file with this text, without the file's name.
  std::string refusal(const Reader& reader, const std::string& text) {
    try {
      reader(file(text));
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_THAT(message, testing::StartsWith(path_));
      return message.substr(path_.size());
    }
    return "not refused";
  }

 private:
  std::string path_ = testing::TempDir() + "corewise_matrix_" + std::to_string(getpid());
};

std::uint64_t bytes_from_to(const CommMatrix& matrix, std::int32_t src, std::int32_t dst) {
  for (const PairTraffic& entry : matrix.row(Rank{src})) {
    if (entry.peer == Rank{dst}) return entry.bytes;
  }
  return 0;
}

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";

TEST_F(MatrixIo, MatrixMarketSkipsCommentsAndTakesWholeNumbersInAnyNotation) {
  const CommMatrix matrix =
      read_matrix_market(file(kGeneral + "% a comment\r\n\n2 2 2\r\n1 2 1e3\r\n2 1 5.0"));
  EXPECT_EQ(matrix.n_ranks(), 2);
  EXPECT_EQ(bytes_from_to(matrix, 0, 1), 1000u);
  EXPECT_EQ(bytes_from_to(matrix, 1, 0), 5u);
  EXPECT_EQ(matrix.messages(), 2u);
}

TEST_F(MatrixIo, SymmetricMatrixMarketStandsForBothDirectionsAndTheDiagonalOnce) {
  const CommMatrix matrix =
      read_matrix_market(file("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n3 1\n2 2\n"));
  EXPECT_EQ(bytes_from_to(matrix, 0, 2), 1u);
  EXPECT_EQ(bytes_from_to(matrix, 2, 0), 1u);
  EXPECT_EQ(matrix.self_bytes(), 1u);
}

TEST_F(MatrixIo, MatrixMarketAddsUpEntriesOfOnePair) {
  EXPECT_EQ(bytes_from_to(read_matrix_market(file(kGeneral + "2 2 2\n1 2 3\n1 2 4\n")), 0, 1), 7u);
}

TEST_F(MatrixIo, MatrixMarketRefusesWhatItCanNotStandFor) {
  const auto refused = [&](const std::string& text) { return refusal(read_matrix_market, text); };
  EXPECT_THAT(refused(""), testing::StartsWith(": empty"));
  EXPECT_THAT(refused("%%MatrixMarket matrix array real general\n"),
              testing::HasSubstr("expected 'coordinate'"));
  EXPECT_THAT(refused("%%MatrixMarket matrix coordinate complex general\n"), testing::HasSubstr("'complex'"));
  EXPECT_THAT(refused("%%MatrixMarket matrix coordinate real skew-symmetric\n"),
              testing::HasSubstr("'skew-symmetric'"));
  EXPECT_THAT(refused(kGeneral), testing::StartsWith(": ends before"));
  EXPECT_THAT(refused(kGeneral + "0 0 0\n"),
              testing::HasSubstr("found '0'; expected a number of rows, 1 to"));
  EXPECT_THAT(refused(kGeneral + "2 3 0\n"), testing::StartsWith(" line 2: 2 rows and 3 columns"));
  EXPECT_THAT(refused(kGeneral + "99999999999 1 0\n"), testing::StartsWith(" line 2: found '99999999999'"));
  EXPECT_THAT(refused(kGeneral + "2 2 99999999999999\n1 1 1\n"), testing::HasSubstr("cut off"));
  EXPECT_THAT(refused(kGeneral + "2 2 1\n0 1 1\n"),
              testing::StartsWith(" line 3: found '0'; expected a row, 1 to 2"));
  EXPECT_THAT(refused(kGeneral + "2 2 1\n1 3 1\n"),
              testing::StartsWith(" line 3: found '3'; expected a column"));
  EXPECT_THAT(refused(kGeneral + "2 2 1\n1 2\n"), testing::HasSubstr("found the end of the line"));
  EXPECT_THAT(refused(kGeneral + "2 2 1\n1 2 3 4\n"), testing::HasSubstr("expected the end of the line"));
  EXPECT_THAT(refused("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 3\n"),
              testing::HasSubstr("above the diagonal"));
  EXPECT_THAT(refused(kGeneral + "1 1 2\n1 1 4611686018427387904\n1 1 1\n"),
              testing::HasSubstr("more than 2^62"));
}

TEST_F(MatrixIo, MetisSkipsSizesAndVertexWeightsAsTheFormatFieldSays) {
  // Two vertices of weights 50 and 60 and one edge of weight 7, with every combination of the three digits.
  const std::vector<std::pair<std::string, std::uint64_t>> files = {
      {"2 1\n2\n1\n", 1},
      {"2 1 1\n2 7\n1 7\n", 7},
      {"2 1 000\n2\n1\n", 1},
      {"2 1 010\n50 2\n60 1\n", 1},
      {"2 1 011\n50 2 7\n60 1 7\n", 7},
      {"2 1 011 2\n50 51 2 7\n60 61 1 7\n", 7},
      {"2 1 100\n9 2\n9 1\n", 1},
      {"2 1 111 1\n9 50 2 7\n9 60 1 7\n", 7},
  };
  for (const auto& [text, weight] : files) {
    const CommMatrix matrix = read_metis_graph(file(text));
    EXPECT_EQ(matrix.n_entries(), 1u) << text;
    EXPECT_EQ(bytes_from_to(matrix, 0, 1), weight) << text;
  }
}

TEST_F(MatrixIo, MetisVerticesWithoutEdgesHaveEmptyLinesAndCommentsDoNotCount) {
  const CommMatrix matrix = read_metis_graph(file("% head\r\n4 1\r\n\r\n3\r\n% between\r\n2\r\n\r\n\r\n"));
  EXPECT_EQ(matrix.n_ranks(), 4);
  EXPECT_EQ(bytes_from_to(matrix, 1, 2), 1u);
  EXPECT_EQ(matrix.n_entries(), 1u);
}

TEST_F(MatrixIo, MetisRefusesWhatIsNoUndirectedGraph) {
  const auto refused = [&](const std::string& text) { return refusal(read_metis_graph, text); };
  EXPECT_THAT(refused("% only a comment\n"), testing::StartsWith(": empty"));
  EXPECT_THAT(refused("2 1 002\n"), testing::HasSubstr("expected the format"));
  EXPECT_THAT(refused("2 1\n2\n"), testing::StartsWith(": ends after 1 vertices"));
  EXPECT_THAT(refused("2 1\n2\n1\n1\n"), testing::StartsWith(" line 4: more lines"));
  EXPECT_THAT(refused("2 2\n2\n1\n"), testing::StartsWith(": has 2 neighbours"));
  EXPECT_THAT(refused("2 1\n3\n1\n"), testing::StartsWith(" line 2: found '3'; expected a vertex, 1 to 2"));
  EXPECT_THAT(refused("2 1\n1\n2\n"), testing::HasSubstr("to itself"));
  EXPECT_THAT(refused("3 1\n2\n3\n\n"), testing::HasSubstr("line 3 does not name vertex 1"));
  EXPECT_THAT(refused("2 1 1\n2 7\n1 8\n"), testing::HasSubstr("weighs 7 here and 8 on line 3"));
  EXPECT_THAT(refused("2 2\n2 2\n1 1\n"), testing::HasSubstr("vertex 2 twice"));
  EXPECT_THAT(refused("2 1 1\n2\n1 7\n"), testing::HasSubstr("found the end of the line"));
  EXPECT_THAT(refused("2 4000000000000000000\n2\n1\n"), testing::HasSubstr("neighbours in all"));
}

TEST_F(MatrixIo, MonitoringGivesEachLayerItsOwnLines) {
  const std::string text =
      "# POINT TO POINT\nE\t0\t0\t30 bytes\t3 msgs sent\t1,2\nI\t0\t0\t4 bytes\t1 msgs sent\n# OSC\n"
      "S\t0\t0\t7 bytes\t1 msgs sent\nR\t0\t0\t8 bytes\t1 msgs sent\n# COLLECTIVES\nC\t0\t0\t9 bytes\t1 msgs "
      "sent\n"
      "D\tMPI_COMM_WORLD\tprocs: 0\n";
  const auto self_bytes = [&](Layer layer) {
    return read_openmpi_monitoring({file(text)}, layer).self_bytes();
  };
  EXPECT_EQ(self_bytes(Layer::p2p), 30u);
  EXPECT_EQ(self_bytes(Layer::coll), 4u);
  EXPECT_EQ(self_bytes(Layer::rma), 15u);
}

TEST_F(MatrixIo, MonitoringAddsThePhasesOfJoinedFiles) {
  const auto section = [](int rank) {
    const std::string me = std::to_string(rank);
    return "# POINT TO POINT\nE\t" + me + "\t" + std::to_string(1 - rank) +
           "\t5 bytes\t1 msgs sent\t0,1\n# OSC\n# COLLECTIVES\nD\tMPI_COMM_WORLD\tprocs: 0,1\nO2A\t" + me +
           "\t0 bytes\t0 msgs sent\nD\tMPI_COMM_SELF\tprocs: " + me + "\nO2A\t" + me +
           "\t0 bytes\t0 msgs sent\n";
  };
  const CommMatrix two_phases = monitoring(file(section(0) + section(1) + section(0) + section(1)));
  EXPECT_EQ(bytes_from_to(two_phases, 0, 1), 10u);
  EXPECT_EQ(two_phases.messages(), 4u);
  EXPECT_THAT(refusal(monitoring, section(0) + section(1) + section(0)),
              testing::HasSubstr("3 files of a job of 2"));
  EXPECT_THAT(refusal(monitoring, section(0) + section(0)),
              testing::HasSubstr("2 files of a job of 2 ranks"));
}

TEST_F(MatrixIo, MonitoringRefusesForeignAndCutFiles) {
  EXPECT_THAT(refusal(monitoring, "hello\n"), testing::HasSubstr("expected a file of Open MPI's monitoring"));
  EXPECT_THAT(refusal(monitoring, "# POINT TO POINT\nE\t0\t0\t30 by"),
              testing::StartsWith(" line 2: found 'by'"));
  EXPECT_THAT(refusal(monitoring, "# POINT TO POINT\nE\t0\t-1\t3 bytes\t3 msgs sent\n"),
              testing::HasSubstr("'-1'"));
  EXPECT_THAT(refusal(monitoring, "# POINT TO POINT\nE\t0\t1\t3 bytes\t3 msgs sent\n"),
              testing::HasSubstr("1 files of a job of 2 ranks"));
}

TEST_F(MatrixIo, TextSquareTakesCommasAndComments) {
  const CommMatrix matrix = read_text_matrix(file("# bytes\n0, 2\r\n\r\n1e1, 0\r\n"));
  EXPECT_EQ(bytes_from_to(matrix, 0, 1), 2u);
  EXPECT_EQ(bytes_from_to(matrix, 1, 0), 10u);
  EXPECT_EQ(matrix.messages(), 2u);
}

TEST_F(MatrixIo, TextRefusesWhatIsNoSquareOfWholeNumbers) {
  const auto refused = [&](const std::string& text) { return refusal(read_text_matrix, text); };
  EXPECT_THAT(refused("0 1\n1\n"), testing::StartsWith(" line 2: a row of 1 numbers"));
  EXPECT_THAT(refused("0 1\n1 0\n0 0\n"), testing::StartsWith(" line 3: one row more"));
  EXPECT_THAT(refused("0 1\n"), testing::StartsWith(": ends after 1 rows"));
  EXPECT_THAT(refused("1e400\n"), testing::StartsWith(" line 1: found '1e400'"));
  EXPECT_THAT(refused("9223372036854775807\n"), testing::HasSubstr("at most 2^62"));
  EXPECT_THAT(refused(std::string(40, '\x01')), testing::HasSubstr("found '????????????????????????...'"));
}

TEST_F(MatrixIo, EveryCutAndEveryChangedByteIsReadOrRefusedWithTheFilesName) {
  const std::vector<std::pair<Reader, std::string>> samples = {
      {read_matrix_market,
       "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 3\n1 1 4\n2 1 5\n3 2 1e3\n"},
      {read_metis_graph, "% c\n3 2 111 2\n1 8 9 2 5\n1 8 9 1 5 3 6\n1 8 9 2 6\n"},
      {read_text_matrix, "# c\n0 1, 2\r\n3 0 4\n5 6 0"},
      {monitoring, "# POINT TO POINT\nE\t0\t0\t30 bytes\t3 msgs sent\t1,2\nD\tMPI_COMM_WORLD\tprocs: 0\n"},
  };
  int n_refused = 0;
  const auto try_reader = [&](const Reader& reader, const std::string& text) {
    try {
      EXPECT_GE(reader(file(text)).n_ranks(), 0);
    } catch (const Error& error) {
      ++n_refused;
      EXPECT_THAT(error.what(), testing::StartsWith(file(text)));
    }
  };
  for (const auto& [reader, text] : samples) {
    EXPECT_NO_THROW((void)reader(file(text)));
    for (std::size_t i = 0; i < text.size(); ++i) {
      try_reader(reader, text.substr(0, i));
      for (const char replacement : {'9', '-', '.', ' ', '\n', '%', '\0', '\xff'}) {
        std::string changed = text;
        changed[i] = replacement;
        try_reader(reader, changed);
      }
    }
  }
  EXPECT_GT(n_refused, 500);
}

TEST_F(MatrixIo, ADirectoryAndAMissingFileAreRefused) {
  EXPECT_THROW((void)read_text_matrix(testing::TempDir()), Error);
  EXPECT_THROW((void)read_text_matrix(testing::TempDir() + "corewise_no_such_file"), Error);
}

}  // namespace
}  // namespace corewise
