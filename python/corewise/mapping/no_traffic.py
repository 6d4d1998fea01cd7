"""Traffic without messages, for a program that was not traced yet."""

from __future__ import annotations

import numpy as np

from corewise import model


def no_traffic(n_ranks: int) -> model.Traffic:
    """One phase of `n_ranks` ranks without a message."""
    return model.Traffic.of(model.CommMatrix.from_columns(n_ranks, *np.empty((4, 0))))
