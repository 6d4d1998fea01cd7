"""The program's own threads: which ones count, where they may run, and how many lack a separate core."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from corewise.errors import InputError
from corewise.files.table import Table
from corewise.machines import load
from corewise.mapping.constraints import ConstraintRequest, FreeCores
from corewise.mapping.request import MappingRequest
from corewise.mapping.thread_cores import with_cores_for_threads
from corewise.nouns.run import RankBinding, Run
from corewise.nouns.traffic import no_traffic
from corewise.page.notes import thread_notes
from corewise.profile.inputs import Input
from corewise.profile.threads import n_without_core, os_pus_of, threads_of, threads_per_rank

CORES = {pu: pu // 2 for pu in range(8)}  # four cores of two hardware threads each


def thread(
    cpu_s: float | None = 1.0, os_pus: tuple[int, ...] = (0,), of_mpi: bool = False
) -> SimpleNamespace:
    return SimpleNamespace(name="app", cpu_s=cpu_s, os_pus=list(os_pus), of_mpi=of_mpi)


def rank(*threads: SimpleNamespace, os_pus=(0,), cpu_s: float | None = 0.1, node: int = 0) -> SimpleNamespace:
    """A rank that ran for one second."""
    return SimpleNamespace(node=node, os_pus=list(os_pus), threads=list(threads), wall_s=1.0, cpu_s=cpu_s)


def test_threads_of_mpi_and_threads_that_only_wait_do_not_count():
    assert threads_of(rank(thread(), thread(), thread(of_mpi=True), thread(cpu_s=0.0))) == 2


def test_a_rank_whose_threads_did_nothing_still_has_one():
    assert threads_of(rank(thread(cpu_s=0.0))) == 1


def test_threads_that_ended_before_the_end_count_by_the_cores_that_they_kept_busy():
    assert threads_of(rank(thread(), cpu_s=3.9)) == 4
    assert threads_of(rank(thread(), cpu_s=1.05)) == 1  # within the error of the clocks
    # The library's progress thread uses one of two cores.
    assert threads_of(rank(thread(), thread(of_mpi=True), cpu_s=2.0)) == 1


def test_threads_asked_for_count_where_they_are_there_however_little_they_did():
    idle = rank(thread(), thread(cpu_s=0.0), thread(cpu_s=0.0))
    assert [threads_of(idle, asked) for asked in (None, 2, 9)] == [1, 2, 3]


def test_a_profile_without_thread_times_says_nothing():
    assert threads_of(rank(thread(cpu_s=None))) is None
    assert threads_of(rank(thread(), cpu_s=None)) is None
    old = SimpleNamespace(ranks=[rank(thread(), cpu_s=None)])
    assert threads_per_rank(old) is None
    mixed = SimpleNamespace(ranks=[rank(thread(), cpu_s=None), rank(thread()), rank(thread(), thread())])
    assert threads_per_rank(mixed) == 2


def test_the_mask_of_a_rank_whose_threads_openmp_bound_is_all_of_theirs():
    bound = rank(thread(os_pus=(0,)), thread(os_pus=(2,)), thread(os_pus=(6,), of_mpi=True), os_pus=(0,))
    assert os_pus_of(bound) == [0, 2]
    assert os_pus_of(rank(thread(os_pus=(1,)), os_pus=())) == []


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([rank(thread(os_pus=(0, 1)), thread(os_pus=(0, 1)))], (2, 1)),  # one core
        ([rank(thread(os_pus=(0, 2)), thread(os_pus=(0, 2)))], (2, 0)),
        # The first thread may use either core. The second can only use the first core, and gets it.
        ([rank(thread(os_pus=(0, 2)), thread(os_pus=(0,)))], (2, 0)),
        # A chain: each thread may use two cores, the last only one, so every thread must use its other core.
        (
            [rank(thread(os_pus=(0, 2)), thread(os_pus=(2, 4)), thread(os_pus=(4, 6)), thread(os_pus=(0,)))],
            (4, 0),
        ),
        # The threads of both ranks are bound to the same two cores, as by GOMP_CPU_AFFINITY.
        (
            [rank(thread(os_pus=(0,)), thread(os_pus=(2,))), rank(thread(os_pus=(0,)), thread(os_pus=(2,)))],
            (4, 2),
        ),
        ([rank(thread(os_pus=(0,)), node=0), rank(thread(os_pus=(0,)), node=1)], (2, 0)),
        ([rank(thread(os_pus=(0, 2)), os_pus=(0, 2), cpu_s=3.0)], (3, 1)),  # two threads ended earlier
        ([rank(thread(os_pus=(9,)))], None),
        ([rank(thread(cpu_s=None))], None),
    ],
)
def test_threads_without_a_core_are_those_that_no_matching_gives_one(ranks, expected):
    assert n_without_core(ranks, {0: CORES, 1: CORES}) == expected


def test_each_host_has_cores_of_its_own():
    # PUs 0 and 1 are one core of node 0, but two cores of node 1, where two threads have a core each.
    alike = [rank(thread(os_pus=(0,)), thread(os_pus=(1,)), node=node) for node in (0, 1)]
    assert n_without_core(alike, {0: CORES, 1: {0: 0, 1: 1}}) == (4, 1)
    assert n_without_core(alike, {0: CORES}) is None


def found(n_ranks: int, n_threads: int) -> Input:
    profile = SimpleNamespace(ranks=[rank(*[thread() for _ in range(n_threads)]) for _ in range(n_ranks)])
    return Input("traced", "profile", no_traffic(n_ranks), profile)


@pytest.mark.parametrize(
    ("n_ranks", "n_threads", "constraints", "expected"),
    [
        (2, 4, ConstraintRequest(), 4),
        (2, 8, ConstraintRequest(), 4),  # there is room for four
        (3, 4, ConstraintRequest(), 2),  # a package has room for one rank of four threads
        (9, 2, ConstraintRequest(oversubscribe=True), 1),
        (2, 4, ConstraintRequest(free=[FreeCores(0, 0, 0)]), 3),
        (2, 4, ConstraintRequest(cores_per_rank=1), 1),
        (2, 1, ConstraintRequest(), 1),
    ],
)
def test_a_rank_gets_a_core_for_each_thread_as_far_as_there_is_room(
    n_ranks, n_threads, constraints, expected
):
    machine = load("synthetic:1:pack:2 core:4 pu:1")
    request = with_cores_for_threads(
        MappingRequest(constraints=constraints), found(n_ranks, n_threads), machine
    )
    assert request.constraints.cores_per_rank == expected


def test_a_matrix_has_no_threads():
    matrix = Input("matrix", "npz", no_traffic(2))
    request = with_cores_for_threads(MappingRequest(), matrix, load("synthetic:1:core:4 pu:1"))
    assert request.constraints.cores_per_rank == 1


def run_of_threads(n_threads: int | None, without: int | None, n_ranks: int = 2) -> Run:
    ranks = [RankBinding(i, "a", None, None, [0]) for i in range(n_ranks)]
    return Run("x", ["app"], "measured", ranks, 1.0, 1.0, 0.1, 0, n_threads, without)


def kept(document: dict) -> Run:
    return Run.from_table(Table(Path("run.json"), "", document))


def test_shared_cores_are_one_sentence_that_the_file_of_a_run_keeps():
    run = run_of_threads(4, 2)
    assert run.threads_note.startswith(
        "4 threads of 2 ranks have 2 cores between them, so that two threads share"
    )
    assert kept(run.to_json()) == run
    # Ranks of one thread that share a core are reported as ranks, not as threads.
    assert [run_of_threads(*case).threads_note for case in ((4, 0), (None, None), (2, 1))] == [None] * 3
    old = {name: value for name, value in run.to_json().items() if not name.startswith("n_threads")}
    assert kept(old).threads_note is None
    for wrong in ({"n_threads": None}, {"n_threads_without_core": 5}, {"n_threads": "4"}):
        with pytest.raises(InputError, match="run.json: .*n_threads"):
            kept(run.to_json() | wrong)


def test_the_notes_of_a_tune_say_what_threads_get():
    shared = run_of_threads(4, 2)
    assert thread_notes(2, {2}, run_of_threads(4, 0)) == [
        "In the best and the worst placement a rank gets 2 cores for its 2 threads."
    ]
    default, placed = thread_notes(2, {1}, shared)
    assert default == f"Default: {shared.threads_note}"
    assert placed.endswith("a rank has up to 2 threads and gets 1 core, so that two threads share one core.")
    assert (
        thread_notes(1, {1}, run_of_threads(2, 0))
        == thread_notes(None, {1}, run_of_threads(None, None))
        == []
    )
