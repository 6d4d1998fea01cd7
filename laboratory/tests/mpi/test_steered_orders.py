"""Studies and benchmarks of steering: rank 0 is on the first or the second core, as requested."""

from __future__ import annotations

import pytest
from corewise import machines
from corewise_laboratory.studies.steered import (
    STEER_OPTIONS,
    Steered,
    SteeredProgram,
    TwoRankRun,
    run_steered,
)

pytestmark = pytest.mark.usefixtures("two_cores")


@pytest.mark.parametrize("mode", STEER_OPTIONS)
@pytest.mark.parametrize(("order", "core"), [("straight", 0), ("reversed", 1)])
def test_rank_0_runs_on_the_core_that_the_order_names(family, compiled, order, core, mode):
    program = SteeredProgram(None, [str(compiled(family, "first_cpu.c"))], columns={"cpu": r"on cpu (\d+)"})
    runs = Steered(program=program, work="none", family=family)
    run = TwoRankRun(runs, {"order": order, "mode": mode}, 1.0)
    assert run_steered(run)["cpu"] == machines.here().os_pus(core)[0]
