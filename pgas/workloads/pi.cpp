// Workload pi: counts random points in the quarter circle, with a reduction over all nodes.
#include "kernels/pi.hpp"

#include <corewise/pgas/pgas.hpp>
#include <functional>

#include "workload.hpp"

namespace corewise::workloads {

void run_pi(const Settings& settings, const Measure& measure) {
  constexpr double paper_points = 1e10;
  const std::uint64_t points = settings.scaled(paper_points);
  const Stream stream(settings.seed);
  measure(points, [stream, points] {
    const auto inside = [stream](std::size_t first, std::size_t last) {
      return points_in_circle(stream, first, last);
    };
    const std::uint64_t found =
        pgas::parallel_reduce(0, points, std::uint64_t{0}, inside, std::plus<std::uint64_t>{});
    return std::to_string(pi_from(found, points));
  });
}

}  // namespace corewise::workloads
