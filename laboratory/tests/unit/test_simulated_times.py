"""Times by SMPI that studies store: what they depend on, and that no other input gets them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from corewise import Input
from corewise.errors import InputError
from corewise.machines import load
from corewise.model import Assignment
from corewise_laboratory.pattern_steps import STEPS
from corewise_laboratory.studies import simulated_times
from corewise_laboratory.studies.simulated_times import simulated_s, steps_text


def test_a_phase_is_a_step_as_often_as_it_repeats():
    lines = steps_text(STEPS["ring"](3, 8)).splitlines()
    assert lines == ["0 0 1 8", "0 1 2 8", "0 2 0 8", "1 0 1 8", "1 1 2 8", "1 2 0 8"]


def pattern(size: int) -> Input:
    """A ring of 8 ranks."""
    return Input("ring", "pattern", STEPS["ring"](8, size))


@pytest.fixture
def kept(monkeypatch) -> dict[str, float]:
    """An empty store. Simulated times take a second and are stored nowhere else."""
    known: dict[str, float] = {}
    monkeypatch.setattr(simulated_times, "_known", lambda: known)
    monkeypatch.setattr(simulated_times, "_sent_s", lambda *_: 1.0)
    monkeypatch.setattr(simulated_times, "_makespan_s", lambda *_: 2.0)
    monkeypatch.setattr(simulated_times, "write_whole", lambda *_: None)
    return known


def test_what_nobody_simulated_has_no_time(kept):
    ring, block = pattern(1024), Assignment.from_cores(list(range(8)))
    assert simulated_s(ring, load("draco:1"), block) is None
    assert kept == {}


def test_a_time_belongs_to_its_messages_its_machine_and_its_placement(monkeypatch, kept):
    monkeypatch.setattr(simulated_times, "recordings", Path("nowhere"))
    block, reverse = (Assignment.from_cores(list(cores)) for cores in (range(8), range(7, -1, -1)))
    inputs = [
        (pattern(size), load(machine), placement)
        for size in (1024, 2048)
        for machine in ("draco:1", "draco-fitted:1")
        for placement in (block, reverse)
    ]
    assert [simulated_s(*one) for one in inputs] == [1.0] * 8
    assert len(kept) == 8
    monkeypatch.setattr(simulated_times, "recordings", None)
    assert simulated_s(*inputs[0]) == 1.0


def test_a_matrix_has_the_time_of_its_recording_and_a_pattern_with_the_same_messages_another(
    monkeypatch, kept
):
    messages, block = pattern(1024), Assignment.from_cores(list(range(8)))
    matrix = replace(messages, name="ring.npz", kind="npz")
    more, fewer = pattern(2048), pattern(1000)
    monkeypatch.setattr(simulated_times, "recordings", Path("folder"))
    monkeypatch.setattr(
        simulated_times.corewise, "read", lambda path: {"folder/ring.profile": more}[str(path)]
    )
    assert simulated_s(matrix, load("draco:1"), block) == 2.0
    assert simulated_s(messages, load("draco:1"), block) == 1.0
    assert len(kept) == 2
    monkeypatch.setattr(simulated_times.corewise, "read", lambda path: fewer)
    with pytest.raises(InputError, match=r"folder/ring.profile is another run than that of ring.npz"):
        simulated_s(matrix, load("draco:2"), block)
