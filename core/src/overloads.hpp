/// Overloads: one callable from several lambdas, for std::visit. A variant's new alternative then fails to
/// compile at every place that must know it.
#pragma once

namespace corewise {

template <typename... Functions>
struct Overloads : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloads(Functions...) -> Overloads<Functions...>;

}  // namespace corewise
