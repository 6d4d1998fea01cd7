/// Overloads: makes one callable object from several lambdas, for std::visit. If a variant gets a new
/// alternative, every visit that does not handle it fails to compile.
#pragma once

namespace corewise {

template <typename... Functions>
struct Overloads : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloads(Functions...) -> Overloads<Functions...>;

}  // namespace corewise
