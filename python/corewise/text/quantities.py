"""Formats numbers: with units (bytes, seconds, percentages), lists of indices, and exit codes."""

from __future__ import annotations

import signal
from collections.abc import Iterable

_BYTE_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def bytes_text(n_bytes: float) -> str:
    """`1536` is "1.5 KiB": binary units, three significant digits."""
    unit = 0
    while abs(n_bytes) >= 1024 and unit < len(_BYTE_UNITS) - 1:
        n_bytes /= 1024
        unit += 1
    return f"{n_bytes:.0f} B" if unit == 0 else f"{_three_digits(n_bytes)} {_BYTE_UNITS[unit]}"


def seconds_text(time_s: float) -> str:
    """`0.00213` is "2.13 ms": three significant digits."""
    for size_s, unit in _TIME_UNITS:
        if abs(time_s) >= size_s:
            return f"{_three_digits(time_s / size_s)} {unit}"
    return "0 s" if time_s == 0 else f"{time_s * 1e9:.2g} ns"


def rate_text(bytes_per_s: float) -> str:
    """`2.5e9` is "2.50 GB/s": decimal units, as link speeds are given."""
    for size, unit in ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s")):
        if bytes_per_s >= size:
            return f"{_three_digits(bytes_per_s / size)} {unit}"
    return f"{_three_digits(bytes_per_s)} B/s"


def rate_bits_text(bits_per_s: float) -> str:
    """`1e8` is "100 Mbit/s"."""
    for size, unit in ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s")):
        if bits_per_s >= size:
            return f"{bits_per_s / size:.4g} {unit}"
    return f"{bits_per_s:.4g} bit/s"


def counted(n: int, noun: str) -> str:
    """`1, "node"` is "1 node", `2, "node"` is "2 nodes"."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def percent_text(fraction: float) -> str:
    """`0.1234` is "12.3 %"; a fraction that rounds to 0 is "0 %"."""
    text = f"{fraction * 100:.1f}".replace("-", "\N{MINUS SIGN}")
    return "0 %" if text in ("0.0", "\N{MINUS SIGN}0.0") else f"{text} %"


def confidence_text(fraction: float) -> str:
    """`0.9375` is "94 %"."""
    return f"{fraction * 100:.0f} %"


def value_text(value: float, unit: str) -> str:
    """A score in the unit of its objective."""
    if unit == "bytes":
        return bytes_text(value)
    if unit.startswith("bytes *"):
        return f"{bytes_text(value)} × {unit.removeprefix('bytes *').strip()}"
    if unit == "s":
        return seconds_text(value)
    return f"{value:,.0f} {unit}" if abs(value) >= 1000 else f"{value:.3g} {unit}"


def index_text(indices: Iterable[int]) -> str:
    """`[0, 1, 2, 5]` is "0-2,5", the notation of taskset and hwloc."""
    ranges: list[list[int]] = []
    for index in sorted(set(indices)):
        if ranges and ranges[-1][1] == index - 1:
            ranges[-1][1] = index
        else:
            ranges.append([index, index])
    return ",".join(f"{first}" if first == last else f"{first}-{last}" for first, last in ranges)


def indices_of(text: str) -> frozenset[int]:
    """The inverse of index_text(): "0-2,5" is {0, 1, 2, 5}."""
    ranges = [part.partition("-") for part in text.split(",") if part]
    return frozenset(
        index for first, _, last in ranges for index in range(int(first), int(last or first) + 1)
    )


def _three_digits(value: float) -> str:
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def exit_text(code: int) -> str:
    """`139` is "exit code 139 (SIGSEGV)", because shells and launchers use 128 + signal."""
    try:
        return f"exit code {code} ({signal.Signals(code - 128).name})"
    except ValueError:
        return f"exit code {code}"
