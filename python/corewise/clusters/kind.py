"""A kind of cluster: a cluster that can stay up, or a machine booted for a command."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corewise.errors import InputError, MissingError

MOST_NODES = 250  # to fit their addresses and the head's into one /24 network


@dataclass(frozen=True)
class ClusterSpec:
    """A cluster to create: number of nodes, ranks per node, and the limit of each node's link.

    The limit is in bits/s for each direction; None means no limit. Raises InputError for numbers out of
    range.
    """

    n_nodes: int = 4
    slots: int = 2
    rate_bits_per_s: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.n_nodes <= MOST_NODES:
            raise InputError(f"found {self.n_nodes} nodes; expected 1 to {MOST_NODES}")
        if not 1 <= self.slots <= 1000:
            raise InputError(f"found {self.slots} slots a node; expected 1 to 1000")

    @property
    def hosts(self) -> list[str]:
        """The host names of nodes 0, 1, ..."""
        return [f"n{node}" for node in range(self.n_nodes)]


@dataclass(frozen=True)
class Cluster:
    """What a kind adds to the nodes, which are namespaces in every cluster (nodes.py).

    `start`, a module's function, runs in the head's namespaces after the nodes were created. `environment`
    returns the variables with which commands reach the nodes. Both get the folder of the cluster's files.
    """

    start: Callable[[Path, ClusterSpec], None]
    environment: Callable[[Path, ClusterSpec], dict[str, str]]


@dataclass(frozen=True)
class Kind:
    """One kind. `tools` maps the programs that it needs to their Debian packages.

    A kind has either a `cluster`, which can stay up between commands, or `boot`, which returns the command
    line that boots a machine for a command. `options` are the options of `corewise lab` that it supports.
    """

    name: str
    sentence: str
    tools: dict[str, str]
    options: tuple[str, ...]
    needs_root: bool = False
    cluster: Cluster | None = None
    boot: Callable[[dict[str, Any], Sequence[str]], list[str]] | None = None

    @property
    def missing(self) -> str | None:
        """Why it can't be created here, as far as known without trying; None if nothing is missing."""
        for tool, package in self.tools.items():
            if shutil.which(tool) is None:
                return f"{tool} was not found; install Debian's {package}"
        return "it needs root" if self.needs_root and os.geteuid() != 0 else None

    def check(self) -> None:
        """Raises MissingError with what is missing."""
        if self.missing:
            raise MissingError(f"{self.name}: {self.missing}")

    def refuse_other_options(self, given: dict[str, object]) -> None:
        """Raises InputError for an option of another kind."""
        for name in given:
            if name not in self.options:
                own = ", ".join(f"--{option}" for option in self.options)
                raise InputError(f"{self.name} has no option --{name}; expected some of {own}")
