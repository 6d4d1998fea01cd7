"""Rates of links: read as tc writes them, and kept by tc's token bucket filter."""

from __future__ import annotations

import re

from corewise.errors import InputError
from corewise.text.quantities import rate_bits_text

_UNITS = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
# What a token bucket of whole packets can hold to, and what virtual links carry with ease.
LEAST_BITS_PER_S, MOST_BITS_PER_S = 100e3, 10e9
# A bucket holds what the rate gives in this time, two packets of 1500 bytes at least; tried: 32 kbit at
# 100 Mbit/s and 256 kbit at 1 Gbit/s. The kernel's timer can't fill a smaller one often enough.
_BUCKET_S, _LEAST_BUCKET_BITS = 256e-6, 32e3
# No packet is dropped: Linux's own queues drop none of TCP's, as each socket puts few there, nor does a
# switch that holds its senders back (IEEE 802.3x). What other switches drop depends on buffers that no
# machine file tells of; with 50 ms of a link's rate NPB IS took 7.8 s in place of 5.5
# (docs/evidence/log/2026-11-predictions.md).
_LONGEST_QUEUE = "64mb"


def parse_rate(text: str) -> float:
    """`100mbit` in bits/s; raises InputError for what is no rate or can't be kept."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)([kmg]bit)", text.strip().lower())
    if not found:
        raise InputError(f"'{text}' is no rate; expected a number and its unit, as 100mbit or 1gbit")
    rate = float(found[1]) * _UNITS[found[2]]
    check_rate(rate)
    return rate


def check_rate(bits_per_s: float) -> None:
    """Raises InputError for a rate that links of namespaces can't be limited to."""
    if not LEAST_BITS_PER_S <= bits_per_s <= MOST_BITS_PER_S:
        raise InputError(
            f"links of {rate_bits_text(bits_per_s)} can't be emulated here; expected "
            f"{rate_bits_text(LEAST_BITS_PER_S)} to {rate_bits_text(MOST_BITS_PER_S)}"
        )


def bucket_bytes(bits_per_s: float) -> float:
    """What a device with this rate sends at once after a pause."""
    return max(_LEAST_BUCKET_BITS, bits_per_s * _BUCKET_S) / 8


def token_bucket(device: str, bits_per_s: float) -> list[str]:
    """tc's words for a device that sends at most at this rate (tc-tbf(8))."""
    return [
        *("tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", f"{bits_per_s:.0f}bit"),
        *("burst", f"{bucket_bytes(bits_per_s):.0f}b", "limit", _LONGEST_QUEUE),
    ]
