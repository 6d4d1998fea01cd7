"""SeenDevices: the GPUs and network cards that ranks see, by the variables of their processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corewise.nouns.codec import Index, Noun


class SeenDevices(Noun, frozen=True):
    """Ranks with equal variables that choose devices, and with the same open device files of GPUs."""

    ranks: list[Index]
    variables: dict[str, str]
    files: list[str]

    @property
    def text(self) -> str:
        """Variables and files, such as `CUDA_VISIBLE_DEVICES=0; open: /dev/nvidia0`; may be empty."""
        variables = ", ".join(f"{name}={value}" for name, value in self.variables.items())
        return "; ".join(filter(None, [variables, f"open: {', '.join(self.files)}" if self.files else ""]))


def seen_alike(of_ranks: Iterable[tuple[int, Mapping[str, str], Sequence[str]]]) -> list[SeenDevices]:
    """Groups (rank, variables, files) by equal variables and files; leaves out ranks with neither."""
    found: dict[str, SeenDevices] = {}
    for rank, variables, files in of_ranks:
        seen = SeenDevices([rank], dict(variables), list(files))
        if seen.text:
            found.setdefault(seen.text, SeenDevices([], seen.variables, seen.files)).ranks.append(rank)
    return list(found.values())
