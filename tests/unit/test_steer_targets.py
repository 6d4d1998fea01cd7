"""Placement targets of a steered job: the solver's answers for the bytes between ranks."""

from __future__ import annotations

import time

import pytest
from corewise.machines import load
from corewise.steering.targets import Pairs, pairs_of, solved_targets, targets_of, targets_text

TWO_BY_FOUR = "synthetic:1:pack:2 core:4 pu:1"
EIGHT_BY_EIGHT = "synthetic:1:pack:8 core:8 pu:1"
CCX = "synthetic:1:pack:1 l3:4 core:4 pu:1"  # four caches of four cores on one package

# machine, number of cores that are nearest to each other
MACHINES = [(TWO_BY_FOUR, 4), (EIGHT_BY_EIGHT, 8), (CCX, 4)]


def dealt(n_cores: int, group: int) -> Pairs:
    """Rank i is on core i.

    Ranks that are equal modulo the number of groups send each other 1 MB, and are all in different groups.
    """
    n_groups = n_cores // group
    sent = {
        (a, b): 1_000_000
        for a in range(n_cores)
        for b in range(n_cores)
        if a != b and a % n_groups == b % n_groups
    }
    return Pairs({rank: rank for rank in range(n_cores)}, sent)


@pytest.mark.parametrize(("machine", "group"), MACHINES, ids=["2x4", "8x8", "ccx"])
def test_partners_that_were_dealt_apart_come_together(machine, group):
    here = load(machine)
    pairs = dealt(here.n_cores, group)
    targets = targets_of(here, pairs)
    assert sorted(targets.values()) == list(range(here.n_cores))
    assert all(targets[a] // group == targets[b] // group for a, b in pairs.sent_bytes)


def test_a_placement_that_cannot_get_better_is_left_alone():
    here = load(TWO_BY_FOUR)
    together = {(a, b): 1000 for a in range(8) for b in range(8) if a != b and a // 4 == b // 4}
    assert targets_of(here, Pairs({rank: rank for rank in range(8)}, together)) == {}


def test_only_cores_that_have_a_rank_are_given():
    """Ranks on cores 0, 1, 4, 5 of two packages.

    0 and 2 exchange messages, 1 and 3, too: one swap is enough.
    """
    here = load(TWO_BY_FOUR)
    pairs = Pairs({0: 0, 1: 1, 2: 4, 3: 5}, {(0, 2): 5000, (1, 3): 5000})
    targets = targets_of(here, pairs)
    assert sorted(targets.values()) == [0, 1, 4, 5]
    assert targets[0] // 4 == targets[2] // 4 != targets[1] // 4 == targets[3] // 4


@pytest.mark.parametrize(
    "pairs",
    [
        Pairs({0: 0, 1: 1}, {(0, 1): 1000}),  # two ranks are equally near everywhere
        Pairs({0: 0, 1: 1, 2: 1}, {(0, 1): 1000}),  # two ranks on one core
        Pairs({0: 0, 1: 1, 2: 4}, {(0, 9): 1000}),  # all messages go to another node
        Pairs({0: 0, 1: 1, 2: 400}, {(0, 1): 1000}),  # a core that doesn't exist
        Pairs(),
    ],
)
def test_where_no_swap_can_help_there_are_no_targets(pairs):
    assert targets_of(load(TWO_BY_FOUR), pairs) == {}


def test_files_are_read_whole_or_not_at_all():
    text = "corewise-steer-pairs 1\nrank id=3 core=1\npeer rank=3 peer=0 bytes=77\n"
    assert pairs_of(text) == Pairs({3: 1}, {(3, 0): 77})
    assert pairs_of(text + "peer rank=3\n") is None
    assert pairs_of("") is None
    assert (
        targets_text({1: 0, 0: 5}) == "corewise-steer-targets 1\ntarget rank=0 core=5\ntarget rank=1 core=0\n"
    )


def test_the_solver_answers_every_file_of_pairs_and_ends_with_the_job(tmp_path):
    """The solver's thread checks for files every quarter of a second, and ignores damaged files."""
    pairs = dealt(8, 4)
    lines = [f"rank id={rank} core={core}" for rank, core in pairs.core_of.items()]
    lines += [f"peer rank={a} peer={b} bytes={n}" for (a, b), n in pairs.sent_bytes.items()]
    (tmp_path / "node.example.pairs").write_text("\n".join(["corewise-steer-pairs 1", *lines]) + "\n")
    (tmp_path / "bad.pairs").write_bytes(b"\xff")
    answer = tmp_path / "node.example.targets"
    with solved_targets(tmp_path, load(TWO_BY_FOUR)):
        for _ in range(600):
            if answer.exists():
                break
            time.sleep(0.05)
    assert answer.read_text().startswith("corewise-steer-targets 1\ntarget rank=0 core=")
    assert sorted(path.name for path in tmp_path.glob("*.targets")) == ["node.example.targets"]
