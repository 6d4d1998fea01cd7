"""A kind of cluster: a cluster that can stay up, or a machine booted for a command."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corewise.errors import InputError, MissingError

MOST_NODES = 250  # their addresses lie in one /24 network, with the head's


@dataclass(frozen=True)
class ClusterSpec:
    """A cluster to make: its nodes, how many ranks each is for, and the rate of each node's link.

    The rate is in bits/s, for each direction by itself; None leaves links as fast as here.
    Raises InputError for numbers that no cluster of the lab can have.
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
        """Host name of node 0, 1, ..."""
        return [f"n{node}" for node in range(self.n_nodes)]


@dataclass(frozen=True)
class Cluster:
    """What a cluster has in addition to its nodes, which are namespaces for every kind (nodes.py).

    `start`, a function of a module, runs in the head's namespaces once the nodes are there; `environment`
    returns what a command in the cluster needs to reach them. Both get the folder of the cluster's files.
    """

    start: Callable[[Path, ClusterSpec], None]
    environment: Callable[[Path, ClusterSpec], dict[str, str]]


@dataclass(frozen=True)
class Kind:
    """One kind. `tools` are the programs that it needs, each with the Debian package that has it.

    Either `cluster` says what can stay up between commands, or `boot` turns the kind's options and a command
    into the command line that boots a machine for it. `options` are those of `corewise lab` that it takes.
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
        """Why it can't be made here, as far as that is known without trying; else None."""
        for tool, package in self.tools.items():
            if shutil.which(tool) is None:
                return f"{tool} was not found; install Debian's {package} (scripts/setup --lab does)"
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
