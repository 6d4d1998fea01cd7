"""Golden command lines: what each launcher does with a shared set of placements (launchers/NAME.txt)."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.launchers import EXPORTED, LAUNCHERS, Injection, Job, inject_unplaced, parse_command
from corewise.nouns.placement import Placement
from golden_files import compare_with_golden, goldens_are_of
from launcher_plans import plan_texts

FOLDER = Path(__file__).parent / "launchers"
ALL = LAUNCHERS | EXPORTED
EXPORT = Injection("/native/corewise-bind")
TRACED = Injection("/native/corewise-bind", "/native/libcorewise_pmpi.so", {"COREWISE_DIR": "/job/profile"})


def placement(node: list[int], cores: list[list[int]], os_pus: list[list[int]] | None, **more) -> Placement:
    return Placement("golden", "f", ["f"] * 3, node, cores, os_pus, **more)


# name -> program, hosts, placement
CASES = {
    # Rank 0 is on core 1, rank 1 on core 0: cores must follow ranks.
    "reversed": ("./app -n 3", [], placement([0, 0], [[1], [0]], [[1], [0]])),
    # Ranks alternate between nodes: a list of hosts that is filled node by node can't express it.
    "alternating": (
        "./app",
        ["n1", "n2"],
        placement([0, 1, 0, 1], [[0], [0], [1], [1]], [[0], [0], [2], [2]]),
    ),
    # Ranks fill the nodes one by one, with the same cores on each: lists for the ranks of one node suffice.
    "blocks": (
        "./app",
        ["n1", "n2"],
        placement([0, 0, 1, 1], [[1], [0], [1], [0]], [[1], [0], [1], [0]]),
    ),
    # Ranks fill the nodes one by one, with different cores on each.
    "unlike": (
        "./app",
        ["n1", "n2"],
        placement([0, 0, 1, 1], [[0], [1], [1], [0]], [[0, 4], [1, 5], [1, 5], [0, 4]]),
    ),
    # Nodes with different numbers of ranks.
    "uneven": ("./app", ["n1", "n2"], placement([0, 0, 1], [[0], [1], [0]], [[0], [1], [0]])),
    # Two ranks per core, as --oversubscribe allows.
    "shared": (
        "./app",
        [],
        placement([0] * 4, [[0], [0], [1], [1]], [[0], [0], [1], [1]], oversubscribed=True),
    ),
    # Several cores per rank, two hardware threads per core, OS numbers that differ from logical numbers.
    "wide": (
        "./app",
        ["n1"],
        placement([0, 0], [[0, 1], [2, 3, 5]], [[0, 1, 8, 9], [2, 3, 5, 10, 11, 13]]),
    ),
    # The user's options are kept, but the number of ranks is the placement's.
    "options": ("{folder} ./app x", [], placement([0], [[1]], [[1]])),
}


@pytest.mark.parametrize("name", ALL)
def test_a_launcher_expresses_placements_as_written_down(name):
    injection = TRACED if name in LAUNCHERS else EXPORT
    texts = [
        text
        for case, (app, hosts, columns) in CASES.items()
        for text in plan_texts(ALL[name], case, app, hosts, columns, injection)
    ]
    compare_with_golden("\n".join(texts), FOLDER / f"{name}.txt")


def test_no_golden_is_left_of_a_launcher_that_is_gone():
    goldens_are_of(FOLDER, ALL)


@pytest.mark.parametrize("name", ALL)
def test_a_placement_on_more_nodes_than_there_are_hosts_is_refused(name):
    launcher = ALL[name]
    command = parse_command([*launcher.start, "./app"], launcher.options)
    job = Job(command, ["n1"], "/job", TRACED, "user", launcher.families[0])
    with pytest.raises(
        InputError, match="rank 1 is placed on node 1, but the allocation has 1 distinct host"
    ):
        launcher.plan(placement([0, 1], [[0], [0]], [[0], [0]]), job)


@pytest.mark.parametrize("name", [name for name in ALL if not name.startswith("openmpi")])
def test_a_launcher_that_binds_by_os_index_refuses_a_placement_without(name):
    command = parse_command([*ALL[name].start, "./app"], ALL[name].options)
    with pytest.raises(InputError, match="no OS indices"):
        ALL[name].plan(placement([0], [[0]], None), Job(command, ["n1"], "/job", TRACED))


@pytest.mark.parametrize("name", LAUNCHERS)
def test_a_traced_command_keeps_its_words_and_gets_the_binder_before_every_program(name):
    launcher, binder = LAUNCHERS[name], "/native/corewise-bind /job/bind.txt --"
    count = launcher.options.as_written(min(launcher.options.n_ranks), "-")
    several = f" : {count} 2 %s./b" if launcher.options.syntax.colon_separates else "%.0s"
    words = f"{shlex.join(launcher.start)} {count} 1 %s./a x{several}"
    command = parse_command(shlex.split(words % ("", "")), launcher.options)
    plan = inject_unplaced(command, Job(command, ["localhost"], "/job", TRACED))
    assert shlex.join(plan.argv) == words % (f"{binder} ", f"{binder} ")
    assert plan.files["/job/bind.txt"].splitlines() == [
        "corewise-bind 1",
        "env COREWISE_DIR=/job/profile",
        "preload /native/libcorewise_pmpi.so",
    ]
