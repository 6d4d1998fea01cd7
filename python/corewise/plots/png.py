"""Constants of pictures: the signature of PNG files, and colours."""

from __future__ import annotations

SIGNATURE = b"\x89PNG\r\n\x1a\n"

# Okabe and Ito's colours, which colour-blind readers can distinguish.
SERIES_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#5b646d")
