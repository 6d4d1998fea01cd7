/// The exception of the workloads' readers and options: what was found, what was expected, what to do next.
#pragma once

#include <stdexcept>

namespace corewise::workloads {

/// One clear sentence.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace corewise::workloads
