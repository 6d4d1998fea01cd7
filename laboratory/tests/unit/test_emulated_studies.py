"""Emulated studies, without running them: placements, files, and the outcomes of claims."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.machines import load
from corewise_laboratory.studies.claims import judge
from corewise_laboratory.studies.emulated import dealt
from corewise_laboratory.studies.leng.emulation import EMULATED, HPL
from corewise_laboratory.studies.rows import Rows
from corewise_laboratory.studies.study import Options, row_of, run_study


# The machine files of the HPL paper's section 5, in the 8x2 and the 16x2 configuration.
@pytest.mark.parametrize(
    ("n_nodes", "nodes_at_once", "node"),
    [
        (8, 8, [*range(8), *range(8)]),
        (8, 1, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]),
        (8, 2, [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7]),
        (16, 4, [n + 4 * group for group in range(4) for _ in range(2) for n in range(4)]),
    ],
)
def test_ranks_are_dealt_as_in_the_machine_files_of_the_paper(n_nodes, nodes_at_once, node):
    placement = dealt(load(f"pe1550:{n_nodes}"), nodes_at_once)
    assert placement.node == node
    assert not placement.overlaps


def test_nodes_that_cannot_be_dealt_to_are_refused():
    with pytest.raises(InputError, match="8 nodes with 16 cores; expected equal nodes, a multiple of 3"):
        dealt(load("pe1550:8"), 3)


def test_the_input_file_has_the_size_and_the_grid_of_its_cell():
    lines = HPL.files_for(HPL.cells[1], 2000)["HPL.dat"].splitlines()
    assert [line.split()[0] for line in lines[5:12:6]] == ["2000", "8"]
    assert lines[10].split()[0] == "4"


def test_without_runs_claims_are_judged_by_recorded_numbers(tmp_path):
    found = run_study(EMULATED, Options(tmp_path / "s", started=False))
    assert [(one.holds, one.ours) for one in found.verdicts] == [(False, {"": 0.549}), (True, {"": 0.399})]
    assert "recorded 2026-11-23" in found.verdicts[1].because
    assert list(tmp_path.iterdir()) == []


def test_the_claims_are_judged_by_the_gain_of_size_major():
    # s of round-robin and size-major with 8x2 and 16x2 processes
    seconds = {"8x2": (5.4, 3.0), "16x2": (4.5, None)}
    rows = [
        row_of({"nodes": nodes, "network": "Fast Ethernet", "size": "2000", "placement": placement}, t=t)
        for nodes, times in seconds.items()
        for placement, t in zip(("round-robin", "size-major"), times, strict=True)
    ]
    gain, missing = (judge(one, "emulated", "so", Rows(rows), lambda _: []) for one in EMULATED.claims)
    assert (gain.ours, gain.holds) == ({"": pytest.approx(0.8)}, True)
    assert (missing.ours, missing.holds) == ({"": None}, None)


def test_a_program_that_is_missing_leaves_claims_open(tmp_path):
    found = run_study(EMULATED, Options(Path(tmp_path), program="no-such-xhpl"))
    assert str(found.missing["hpl"]) == "program 'no-such-xhpl' was not found; give its path"
    assert {verdict.holds for verdict in found.verdicts} == {None}
