/// The one exception type of the runtime: what was found, what was expected, what to do next.
#pragma once

#include <stdexcept>

namespace corewise::pgas {

/// One clear sentence. An error on any node ends the run on all of them: run() throws it everywhere.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace corewise::pgas
