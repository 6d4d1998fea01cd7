"""Synthetic samples for the tests of `corewise probe`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corewise.probe.pairs import Measurement


def samples_of(
    measurements: Sequence[Measurement], time_s: Callable[[Measurement], float], n_passes: int = 2
) -> dict[int, list[list[float]]]:
    """Passes of three samples each: the true time, a slightly longer one, and a disturbed one."""
    return {
        i: [[1.01 * time_s(one), time_s(one), 7 * time_s(one)] for _ in range(n_passes)]
        for i, one in enumerate(measurements)
    }
