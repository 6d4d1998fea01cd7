/// The exception for invalid input files and command lines of workloads.
#pragma once

#include <stdexcept>

namespace corewise::workloads {

/// what() says what was found, what was expected, and what to do next.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace corewise::workloads
