"""Golden command lines of every launcher: binding to board, socket, NUMA domain on the papers' machines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from corewise import machines
from corewise.launchers import EXPORTED, LAUNCHERS, Injection
from corewise.mapping.process_binding import binding_file
from golden_files import compare_with_golden, goldens_are_of
from launcher_plans import plan_texts

FOLDER = Path(__file__).parent / "binding_launchers"
ALL = LAUNCHERS | EXPORTED
BINDER = Injection("/native/corewise-bind")

# Machine, binding, ranks. DevCluster and Deception have one NUMA domain per socket. Perlmutter has four, and
# the two hardware threads of a core have distant numbers.
CASES = [
    ("devcluster:2", "board", None),
    ("devcluster:2", "socket", None),
    ("deception:2", "socket", 8),  # two ranks share each socket
    ("perlmutter:1", "board", None),
    ("perlmutter:1", "socket", None),
    ("perlmutter:1", "numa", None),
]


def texts(launcher: str, spec: str, binding: str, n_ranks: int | None) -> Iterator[str]:
    machine = machines.load(spec)
    hosts = [f"n{node}" for node in range(machine.n_nodes)] if machine.n_nodes > 1 else []
    title = f"{spec} {binding}" + ("" if n_ranks is None else f", {n_ranks} ranks")
    return plan_texts(ALL[launcher], title, "./app", hosts, binding_file(machine, binding, n_ranks), BINDER)


@pytest.mark.parametrize("launcher", ALL)
def test_a_launcher_binds_to_boards_sockets_and_domains_as_written_down(launcher):
    text = "\n".join(text for case in CASES for text in texts(launcher, *case))
    compare_with_golden(text, FOLDER / f"{launcher}.txt")


def test_no_golden_is_left_of_a_launcher_that_is_gone():
    goldens_are_of(FOLDER, ALL)
