"""The masks of placements, to find placements that give every rank the same hardware threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corewise.launchers.launcher import masks_of
from corewise.nouns.placement import Placement
from corewise.profile.threads import os_pus_of

if TYPE_CHECKING:
    from corewise.model import RankInfo

Masks = list[tuple[int, list[int]]]  # [rank] (node, os_index ascending)


def masks_asked(placement: Placement) -> Masks:
    """The masks that the placement asks for; raises InputError if it has no OS indices."""
    return [(node, sorted(mask)) for node, mask in zip(placement.node, masks_of(placement), strict=True)]


def masks_seen(ranks: Sequence[RankInfo], slots: Sequence[int]) -> Masks | None:
    """The masks of the ranks while traced; None if one is unknown.

    `slots` is the index in the machine of each node of the profile.
    """
    seen = [(slots[rank.node] if rank.node >= 0 else -1, os_pus_of(rank)) for rank in ranks]
    return seen if all(node >= 0 and os_pus for node, os_pus in seen) else None


def masks_to_run(
    files: Mapping[str, Placement], ranks: Sequence[RankInfo], slots: Sequence[int] | None
) -> dict[str, Masks]:
    """The masks of each compared placement, by label; without the default if its masks are unknown.

    `ranks` are those of the traced default, `slots` is as for masks_seen(), None if the profile is from
    another machine.
    """
    seen = masks_seen(ranks, slots) if ranks and slots is not None else None
    masks = {label: masks_asked(files[label]) for label in ("best", "worst")}
    return masks if seen is None else {"default": seen} | masks


def same_as(masks: Mapping[str, Masks]) -> dict[str, str]:
    """Label -> the first earlier label with the same masks."""
    labels = list(masks)
    first = {label: next(other for other in labels if masks[other] == masks[label]) for label in labels}
    return {label: other for label, other in first.items() if other != label}
