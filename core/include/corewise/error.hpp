/// The one exception type of the core: what was found, what was expected, what to do next.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace corewise {

/// Why an input or a request was refused. `missing` maps to exit code 3, all others to 2.
enum class ErrorCode {
  bad_input,      ///< a file or an argument breaks its format
  size_mismatch,  ///< two inputs disagree on the number of ranks or cores
  unsupported,    ///< a valid request that this solver or objective can't serve
  missing,        ///< something needed is not available on this system
};

/// One clear sentence for the user; never logged on the way up. It begins with `path` and `line` where the
/// error is one of a file: they are empty and 0 otherwise.
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
