"""Rates of links: parsed in tc's notation, and applied with tc's token bucket filter."""

from __future__ import annotations

import re

from corewise.errors import InputError
from corewise.text.quantities import rate_bits_text

_UNITS = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
# The range that a token bucket can limit to accurately and that virtual links can carry.
LEAST_BITS_PER_S, MOST_BITS_PER_S = 100e3, 10e9
# The bucket's size is the rate times this duration, at least two packets of 1500 bytes; the kernel's timer
# can't refill smaller buckets often enough. Tried: 32 kbit at 100 Mbit/s and 256 kbit at 1 Gbit/s.
_BUCKET_S, _LEAST_BUCKET_BITS = 256e-6, 32e3
# Large enough that no packet is dropped, as on Linux hosts, which queue few packets per TCP socket, and on
# switches with flow control (IEEE 802.3x). Losses on other switches depend on their buffers, which machine
# files don't describe. With a queue of 50 ms, NPB IS took 7.8 s instead of 5.5 s
# (docs/evidence/log/2026-11-predictions.md).
_LONGEST_QUEUE = "64mb"


def parse_rate(text: str) -> float:
    """`100mbit` in bits/s; raises InputError if it is no rate or out of range."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)([kmg]bit)", text.strip().lower())
    if not found:
        raise InputError(f"'{text}' is no rate; expected a number and its unit, as 100mbit or 1gbit")
    rate = float(found[1]) * _UNITS[found[2]]
    check_rate(rate)
    return rate


def check_rate(bits_per_s: float) -> None:
    """Raises InputError for a rate that can't be emulated."""
    if not LEAST_BITS_PER_S <= bits_per_s <= MOST_BITS_PER_S:
        raise InputError(
            f"links of {rate_bits_text(bits_per_s)} can't be emulated here; expected "
            f"{rate_bits_text(LEAST_BITS_PER_S)} to {rate_bits_text(MOST_BITS_PER_S)}"
        )


def bucket_bytes(bits_per_s: float) -> float:
    """The number of bytes that a device with this rate may send at once after a pause."""
    return max(_LEAST_BUCKET_BITS, bits_per_s * _BUCKET_S) / 8


def token_bucket(device: str, bits_per_s: float) -> list[str]:
    """The tc command that limits what a device sends to this rate (tc-tbf(8))."""
    return [
        *("tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", f"{bits_per_s:.0f}bit"),
        *("burst", f"{bucket_bytes(bits_per_s):.0f}b", "limit", _LONGEST_QUEUE),
    ]
