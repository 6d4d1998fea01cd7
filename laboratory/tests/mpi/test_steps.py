"""steps.c under SimGrid's SMPI: the program that sends a pattern's messages for studies."""

from __future__ import annotations

import shutil

import pytest
from corewise import Placement
from corewise.machines import load
from corewise.model import Assignment
from corewise_laboratory.studies import simulated_times

pytestmark = pytest.mark.skipif(
    shutil.which("smpicc") is None, reason="smpicc not found; scripts/setup --test installs libsimgrid-dev"
)


def test_steps_follow_each_other_over_the_network():
    # 2e6 bytes at 2 GB/s, and 3 us for the way over Draco's network, there and back.
    machine = load("draco:2")
    apart = Placement.of(Assignment.from_cores([0, 8]), machine)
    one_way_s = simulated_times._sent_s("0 0 1 2000000\n", machine, apart)
    both_s = simulated_times._sent_s("0 0 1 2000000\n1 1 0 2000000\n", machine, apart)
    assert one_way_s == pytest.approx(1e-3, rel=0.05)
    assert both_s == pytest.approx(2 * one_way_s, rel=0.05)
