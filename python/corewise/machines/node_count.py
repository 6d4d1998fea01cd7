"""Numbers of nodes: "16", or "10+8" for ten whole nodes and one with 8 cores."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corewise.errors import InputError
from corewise.model import MOST_CORES, NodeShape


@dataclass(frozen=True)
class NodeCount:
    """`whole` nodes with all their cores, then one with `rest` cores unless that is 0."""

    whole: int
    rest: int = 0

    @classmethod
    def parse(cls, text: str, spec: str) -> NodeCount:
        """Reads `text`; raises InputError quoting `spec`, the whole machine as the user wrote it."""
        match = re.fullmatch(r"(\d{1,9})(?:\+(\d{1,9}))?", text, re.ASCII)
        if match is None:
            raise InputError(
                f"machine '{spec}': '{text}' is no number of nodes; expected a whole number such as 16, "
                "or 10+8 for ten whole nodes and one with 8 cores"
            )
        whole, rest = int(match[1]), match[2]
        if rest is not None and int(rest) == 0:
            raise InputError(
                f"machine '{spec}': the last node has 0 cores; expected at least 1 after the '+'"
            )
        if whole == 0 and rest is None:
            raise InputError(f"machine '{spec}': 0 nodes; expected at least 1")
        return cls(whole, int(rest or 0))

    def __str__(self) -> str:
        return f"{self.whole}+{self.rest}" if self.rest else str(self.whole)

    def shapes(self, node: NodeShape, spec: str) -> tuple[list[NodeShape], list[int]]:
        """The distinct shapes, and each node's index into them; raises InputError for too many cores."""
        if self.rest > node.n_cores:
            raise InputError(
                f"machine '{spec}': {self.rest} cores in the last node; "
                f"expected at most the {node.n_cores} of a whole one"
            )
        if self.whole * node.n_cores + self.rest > MOST_CORES:
            raise InputError(f"machine '{spec}': more than {MOST_CORES} cores; expected a smaller machine")
        if self.rest == 0:
            return [node], [0] * self.whole
        last = node.cut_to_first_cores(self.rest)
        return ([node, last], [0] * self.whole + [1]) if self.whole else ([last], [0])
