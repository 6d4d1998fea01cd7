"""Masks of placements compared: what gives every rank the same hardware threads is one placement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corewise.launchers.launcher import masks_of
from corewise.nouns.placement import PlacementFile
from corewise.profile.threads import os_pus_of

if TYPE_CHECKING:
    from corewise.model import RankInfo

Masks = list[tuple[int, list[int]]]  # [rank] (node, os_index ascending)


def masks_asked(placement: PlacementFile) -> Masks:
    """What a run under the placement gives each rank; raises InputError for one without OS indices."""
    return [(node, sorted(mask)) for node, mask in zip(placement.node, masks_of(placement), strict=True)]


def masks_seen(ranks: Sequence[RankInfo], slots: Sequence[int]) -> Masks | None:
    """What ranks had while traced; None if a rank's is not known.

    `slots` says for each node of the profile which one of the machine it is.
    """
    seen = [(slots[rank.node] if rank.node >= 0 else -1, os_pus_of(rank)) for rank in ranks]
    return seen if all(node >= 0 and os_pus for node, os_pus in seen) else None
