/// The exception type of the runtime.
#pragma once

#include <stdexcept>

namespace corewise::pgas {

/// what() says what was found, what was expected, and what to do next. An error on any node ends the run on
/// all nodes.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace corewise::pgas
