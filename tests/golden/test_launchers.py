"""Golden command lines: what each launcher does with a shared set of placements (launchers/NAME.txt)."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.files.placement import PlacementFile
from corewise.launchers import LAUNCHERS, Injection, Job, inject_unplaced, parse_command
from golden_files import compare_with_golden, goldens_are_of

FOLDER = Path(__file__).parent / "launchers"
TRACED = Injection("/native/corewise-bind", "/native/libcorewise_pmpi.so", {"COREWISE_DIR": "/job/profile"})


def placement(
    node: list[int], cores: list[list[int]], os_pus: list[list[int]] | None, **more
) -> PlacementFile:
    return PlacementFile("golden", "f", ["f"] * 3, node, cores, os_pus, **more)


# Name -> the user's command, hosts, placement. Each is there for one reason.
CASES = {
    # The order of two ranks turned round: cores must follow ranks.
    "reversed": ("-n 2 ./app -n 3", [], placement([0, 0], [[1], [0]], [[1], [0]])),
    # Ranks go back and forth between nodes: a host list in blocks can't say it.
    "alternating": (
        "-n 4 ./app",
        ["n1", "n2"],
        placement([0, 1, 0, 1], [[0], [0], [1], [1]], [[0], [0], [2], [2]]),
    ),
    # Two ranks a core, as --oversubscribe allows.
    "shared": (
        "-n 4 ./app",
        [],
        placement([0] * 4, [[0], [0], [1], [1]], [[0], [0], [1], [1]], oversubscribed=True),
    ),
    # Threads: several cores for a rank, two hardware threads a core, OS numbers unlike logical ones.
    "wide": (
        "-n 2 ./app",
        ["n1"],
        placement([0, 0], [[0, 1], [2, 3, 5]], [[0, 1, 8, 9], [2, 3, 5, 10, 11, 13]]),
    ),
    # Options stay where they are, the number of ranks is the placement's.
    "options": ("-wdir /tmp ./app x", [], placement([0], [[1]], [[1]])),
}


def plan_text(case: str, name: str) -> str:
    words, hosts, columns = CASES[case]
    launcher = LAUNCHERS[name]
    command = parse_command(["mpirun", *shlex.split(words)], launcher.options)
    job = Job(command, hosts or ["localhost"], "/job", TRACED, hosts_from="user" if hosts else "nowhere")
    plan = launcher.plan(columns, job)
    files = "".join(f"--- {path}\n{text}" for path, text in plan.files.items())
    return f"== {case}\n{shlex.join(plan.argv)}\n{files}"


@pytest.mark.parametrize("name", LAUNCHERS)
def test_a_launcher_expresses_placements_as_written_down(name):
    compare_with_golden("\n".join(plan_text(case, name) for case in CASES), FOLDER / f"{name}.txt")


def test_no_golden_is_left_of_a_launcher_that_is_gone():
    goldens_are_of(FOLDER, LAUNCHERS)


@pytest.mark.parametrize("name", LAUNCHERS)
def test_a_placement_on_more_nodes_than_there_are_hosts_is_refused(name):
    launcher = LAUNCHERS[name]
    command = parse_command(["mpirun", "./app"], launcher.options)
    with pytest.raises(
        InputError, match="rank 1 is placed on node 1, but the allocation has 1 distinct host"
    ):
        launcher.plan(
            placement([0, 1], [[0], [0]], [[0], [0]]), Job(command, ["n1"], "/job", TRACED, hosts_from="user")
        )


def test_hydra_refuses_a_placement_without_os_indices():
    command = parse_command(["mpirun", "./app"], LAUNCHERS["hydra"].options)
    with pytest.raises(InputError, match="no OS indices"):
        LAUNCHERS["hydra"].plan(placement([0], [[0]], None), Job(command, ["n1"], "/job", TRACED))


@pytest.mark.parametrize("name", LAUNCHERS)
def test_a_traced_command_keeps_its_words_and_gets_the_binder_before_every_program(name):
    words = "mpirun -n 1 ./a x : -n 2 ./b"
    command = parse_command(shlex.split(words), LAUNCHERS[name].options)
    plan = inject_unplaced(command, Job(command, ["localhost"], "/job", TRACED))
    binder = "/native/corewise-bind /job/bind.txt --"
    assert shlex.join(plan.argv) == f"mpirun -n 1 {binder} ./a x : -n 2 {binder} ./b"
    assert plan.files["/job/bind.txt"].splitlines() == [
        "corewise-bind 1",
        "env COREWISE_DIR=/job/profile",
        "preload /native/libcorewise_pmpi.so",
    ]
