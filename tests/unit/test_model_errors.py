"""The errors of predictions that corewise ships, and the intervals computed from them."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
from corewise.files.model_errors import Errors, ModelErrors, model_errors
from corewise.machines import load
from corewise.simulation import estimate
from corewise.simulation.emulated_nodes import as_emulated


def test_the_stored_errors_hold_the_prediction_itself():
    found = model_errors()
    assert 0.5 < found.confidence < 1
    for errors in filter(None, (found.makespan, found.gain)):
        assert errors.low <= 1 <= errors.high
        assert errors.low < errors.high
        assert errors.programs and errors.n_found > 10


@pytest.mark.parametrize(
    ("machine_of", "confidence"),
    [
        pytest.param(lambda: as_emulated(load("pe1550:2")), 0.8, id="measured"),
        pytest.param(lambda: load("tree:2:2"), None, id="a tree without figures"),
        pytest.param(lambda: load("synthetic:2:core:2 pu:1"), None, id="assumed figures"),
    ],
)
def test_an_interval_claims_nothing_where_figures_were_not_measured(machine_of, confidence):
    errors = Errors(0.5, 1.5, ["some"], 20)
    assert ModelErrors(0.8, "here", errors, errors).confidence_on(machine_of()) == confidence


def test_errors_and_bounds_of_figures_add_up_as_squares(monkeypatch):
    # e^3 below by the errors and e^4 by the figures: e^5 together; above e^1 by the errors alone.
    errors = Errors(math.exp(-3), math.exp(1), ["some"], 20)
    monkeypatch.setattr(estimate, "model_errors", lambda: ModelErrors(0.8, "here", errors, errors))
    found = SimpleNamespace(makespan_s=2.0, makespan_range_s=(2 * math.exp(-4), 2.0))
    recorded = SimpleNamespace(subject="events profile")
    interval = estimate.interval_of(found, recorded, as_emulated(load("pe1550:2")))
    assert interval.low == pytest.approx(2 * math.exp(-5))
    assert (interval.expected, interval.high) == (2.0, pytest.approx(2 * math.e))
    assert interval.confidence == 0.8


def test_without_measured_errors_an_interval_holds_the_figures_bounds_alone(monkeypatch):
    errors = Errors(0.5, 1.5, ["some"], 20)
    monkeypatch.setattr(estimate, "model_errors", lambda: ModelErrors(0.8, "here", None, errors))
    found = SimpleNamespace(makespan_s=2.0, makespan_range_s=(1.5, 3.0))
    recorded = SimpleNamespace(subject="events profile")
    interval = estimate.interval_of(found, recorded, as_emulated(load("pe1550:2")))
    assert (interval.low, interval.high, interval.confidence) == (1.5, 3.0, None)


def test_an_estimate_without_the_order_of_messages_claims_no_confidence():
    found = SimpleNamespace(makespan_s=2.0, makespan_range_s=(2.0, 2.0))
    machine = as_emulated(load("pe1550:2"))
    assert estimate.interval_of(found, SimpleNamespace(subject="matrix"), machine).confidence is None


def test_a_job_that_takes_no_time_has_no_error():
    found = SimpleNamespace(makespan_s=0.0, makespan_range_s=(0.0, 0.0))
    interval = estimate.interval_of(found, SimpleNamespace(subject="matrix"), as_emulated(load("pe1550:2")))
    assert (interval.low, interval.high) == (0.0, 0.0)
