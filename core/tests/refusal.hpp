/// The message of a refused call, for the tests of all rooms.
#pragma once

#include <string>

#include "corewise/error.hpp"

namespace corewise {

/// The message of the Error that `call` throws, or "no error".
template <typename Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace corewise
