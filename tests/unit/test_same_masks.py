"""What a tune says about equal masks, a placement in one line, silent ranks and other load on a host."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from corewise.cli.tune import placement_text
from corewise.machines import load
from corewise.mapping.binding_request import masks_asked, masks_seen
from corewise.model import Assignment, CommMatrix, Traffic
from corewise.nouns.placement import Placement
from corewise.nouns.traffic import is_silent
from corewise.observe.conditions import LEAST_WATCHED_S, LoadWatch
from corewise.page.notes import ended_thread_notes
from report_cases import machine_of


def rank(node: int, *os_pus: int) -> SimpleNamespace:
    return SimpleNamespace(node=node, os_pus=list(os_pus), threads=[])


def test_masks_are_the_same_where_node_and_hardware_threads_are():
    file = Placement.of(Assignment.from_cores([9, 0]), machine_of(2))
    # Node 0 of the profile is node 1 of the machine.
    assert masks_seen([rank(0, 1), rank(1, 0)], [1, 0]) == masks_asked(file) == [(1, [1]), (0, [0])]
    assert masks_seen([rank(0, 1), rank(1, 0)], [0, 1]) != masks_asked(file)
    assert masks_seen([rank(0, 0, 1), rank(1, 0)], [1, 0]) != masks_asked(file)  # not bound to one core
    assert masks_seen([rank(0, 1), rank(1)], [1, 0]) is None


def traffic(src: list[int], dst: list[int], n_bytes: list[int]) -> Traffic:
    columns = (np.array(src, np.int32), np.array(dst, np.int32))
    amounts = (np.array(n_bytes, np.uint64), np.ones(len(src), np.uint64))
    return Traffic.of(CommMatrix.from_columns(2, *columns, *amounts))


def test_messages_to_oneself_are_silence_and_an_empty_message_is_none():
    assert is_silent(traffic([], [], []))
    assert is_silent(traffic([0, 1], [0, 1], [8, 8]))
    assert not is_silent(traffic([0], [1], [0]))


@pytest.mark.parametrize(
    ("cores", "n_nodes", "text"),
    [
        ([0, 1, 2, 3], 1, "ranks 0-3 on cores 0-3"),
        ([1, 0], 1, "rank 0 on core 1, rank 1 on core 0"),
        ([6, 7, 8, 9], 2, "ranks 0-1 on cores 6-7 of node 0, ranks 2-3 on cores 0-1 of node 1"),
        ([7, 6, 5, 4, 3, 2, 1, 0], 1, "rank 4 on core 3, rank 5 on core 2, 2 more ranks"),
    ],
)
def test_a_placement_in_one_line(cores, n_nodes, text):
    placement = Placement.of(Assignment.from_cores(cores), machine_of(n_nodes))
    assert placement_text(placement, n_nodes > 1).endswith(text)


def threaded(own_s: float, n_pus: int = 1) -> SimpleNamespace:
    """A rank that ran for 1 s and used 1 s of CPU time, of which its thread at MPI_Finalize used `own_s`."""
    thread = SimpleNamespace(cpu_s=own_s, of_mpi=False)
    return SimpleNamespace(os_pus=list(range(n_pus)), threads=[thread], wall_s=1.0, cpu_s=1.0)


def test_threads_that_ended_on_the_one_core_of_their_rank_are_told_of():
    one, two = (load(f"synthetic:1:core:2 pu:{pus_per_core}") for pus_per_core in (1, 2))
    (note,) = ended_thread_notes([threaded(1.0), threaded(0.1)], one)
    assert "each rank has one core for its threads" in note and "threads of rank 1 worked" in note
    assert ended_thread_notes([threaded(0.1, n_pus=2)], one) == []
    assert ended_thread_notes([threaded(0.1, n_pus=2)], two) != []


BUSY_LOOP = (
    f"import time\nend = time.monotonic() + {LEAST_WATCHED_S + 0.2}\nwhile time.monotonic() < end: pass"
)


def test_what_descendants_use_is_not_the_load_of_others():
    watch = LoadWatch()
    subprocess.run([sys.executable, "-c", BUSY_LOOP], check=True)
    own = watch.load()
    assert own.others is not None
    # The ranks used more time than all descendants, so another process started them.
    assert watch.load(ranks_cpu_s=1e6).others is None


def test_what_a_process_of_somebody_else_uses_is_the_load_of_others():
    watch = LoadWatch()
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    subprocess.run([sys.executable, "-c", BUSY_LOOP], check=True)
    load = watch.load()  # the other process has not ended, so its time is unknown here
    other.kill()
    other.wait()
    assert load.others > 0.1
    assert load.is_busy == (load.others >= 0.1 * load.n_threads)
