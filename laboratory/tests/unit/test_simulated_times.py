"""Times by SMPI that studies store: what they depend on, and that no other input gets them."""

from __future__ import annotations

import pytest
from corewise.machines import load
from corewise.model import Placement
from corewise_laboratory.pattern_steps import STEPS
from corewise_laboratory.studies import simulated_times
from corewise_laboratory.studies.simulated_times import simulated_s, steps_text


def test_a_phase_is_a_step_as_often_as_it_repeats():
    lines = steps_text(STEPS["ring"](3, 8)).splitlines()
    assert lines == ["0 0 1 8", "0 1 2 8", "0 2 0 8", "1 0 1 8", "1 1 2 8", "1 2 0 8"]


@pytest.fixture
def kept(monkeypatch) -> dict[str, float]:
    """An empty store. Simulated times take a second and are stored nowhere else."""
    known: dict[str, float] = {}
    monkeypatch.setattr(simulated_times, "_known", lambda: known)
    monkeypatch.setattr(simulated_times, "_simulate", lambda *_: 1.0)
    monkeypatch.setattr(simulated_times, "write_whole", lambda *_: None)
    return known


def test_what_nobody_simulated_has_no_time(kept):
    ring, block = STEPS["ring"](8, 1024), Placement.from_cores(list(range(8)))
    assert simulated_s(ring, load("draco:1"), block) is None
    assert kept == {}


def test_a_time_belongs_to_its_messages_its_machine_and_its_placement(monkeypatch, kept):
    monkeypatch.setattr(simulated_times, "_simulates", True)
    block, reverse = (Placement.from_cores(list(cores)) for cores in (range(8), range(7, -1, -1)))
    inputs = [
        (STEPS["ring"](8, size), load(machine), placement)
        for size in (1024, 2048)
        for machine in ("draco:1", "draco-fitted:1")
        for placement in (block, reverse)
    ]
    assert [simulated_s(*one) for one in inputs] == [1.0] * 8
    assert len(kept) == 8
    monkeypatch.setattr(simulated_times, "_simulates", False)
    assert simulated_s(*inputs[0]) == 1.0
