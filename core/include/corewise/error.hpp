/// Error: the only exception type of the core.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace corewise {

/// Why an input or a request was refused. The command line exits with 3 for `missing`, with 2 for the others.
enum class ErrorCode {
  bad_input,      ///< a file or an argument breaks its format
  size_mismatch,  ///< two inputs disagree on the number of ranks or cores
  unsupported,    ///< a valid request that this solver or objective can't serve
  missing,        ///< something required is not available on this system
};

/// The message is one sentence for the user: what was found, what was expected, what to do. If the error is
/// in a file, `path` and `line` name the place, and the message starts with them; else they are empty and 0.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Error(ErrorCode code, const std::string& message, std::string path, std::int64_t line)
      : std::runtime_error(message), code_(code), path_(std::move(path)), line_(line) {}
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::int64_t line() const noexcept { return line_; }
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
  std::string path_;
  std::int64_t line_ = 0;
};

}  // namespace corewise
