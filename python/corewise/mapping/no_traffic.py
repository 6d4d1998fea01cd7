"""Ranks that send nothing: what is known of a program before it is traced."""

from __future__ import annotations

import numpy as np

from corewise import model


def no_traffic(n_ranks: int) -> model.Traffic:
    """One phase of `n_ranks` ranks without a message."""
    ranks, counts = np.empty(0, np.int32), np.empty(0, np.uint64)
    return model.Traffic.of(model.CommMatrix.from_columns(n_ranks, ranks, ranks, counts, counts))
