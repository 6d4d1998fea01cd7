/// The last step of every matrix reader: builds the CommMatrix, with the file's name in error messages.
#pragma once

#include <string>
#include <vector>

#include "corewise/error.hpp"
#include "corewise/traffic.hpp"
#include "text.hpp"

namespace corewise {

/// CommMatrix::from_entries() for the entries of file `path`. @throws Error(bad_input) naming the file.
[[nodiscard]] inline CommMatrix matrix_of_file(const std::string& path, std::int32_t n_ranks,
                                               std::vector<MatrixEntry> entries) {
  try {
    return CommMatrix::from_entries(n_ranks, std::move(entries));
  } catch (const Error& error) {
    throw Error(error.code(), concat(path, ": ", error.what()));
  }
}

}  // namespace corewise
