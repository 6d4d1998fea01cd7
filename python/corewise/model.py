"""The nouns: the only door to the extension module."""

from corewise._core import (
    CommMatrix,
    LargeMessages,
    Phase,
    Traffic,
    inter_over_intra,
)

__all__ = [
    "CommMatrix",
    "LargeMessages",
    "Phase",
    "Traffic",
    "inter_over_intra",
]
