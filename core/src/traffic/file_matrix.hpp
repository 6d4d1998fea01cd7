/// The last step of every matrix reader: entries become a CommMatrix, and a refusal names the file.
#pragma once

#include <string>
#include <vector>

#include "corewise/error.hpp"
#include "corewise/traffic.hpp"
#include "text.hpp"

namespace corewise {

/// CommMatrix::from_entries for the entries of the file `path`. @throws Error(bad_input) naming the file.
[[nodiscard]] inline CommMatrix matrix_of_file(const std::string& path, std::int32_t n_ranks,
                                               std::vector<MatrixEntry> entries) {
  try {
    return CommMatrix::from_entries(n_ranks, std::move(entries));
  } catch (const Error& error) {
    throw Error(error.code(), concat(path, ": ", error.what()));
  }
}

}  // namespace corewise
