"""Emulated studies, without running them: their files, their placements, and the outcomes of claims."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.machines import load
from corewise_laboratory.studies import study_file
from corewise_laboratory.studies.claims import judge
from corewise_laboratory.studies.driver import run_study
from corewise_laboratory.studies.emulated_cases import dealt
from corewise_laboratory.studies.kinds.kind import StudyOptions
from corewise_laboratory.studies.rows import Outcome, ResultRow
from corewise_laboratory.studies.study_file import load_study, read_study

STUDY = Path(study_file.__file__).with_name("leng-emulated.toml")


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


def test_the_study_deals_ranks_as_the_paper_does():
    cells = {
        cell.machine.partition(":")[2]: cell.nodes_at_once
        for cell in load_study("leng-emulated").runs["hpl"].spec.cells
    }
    assert cells == {
        "8": {"round-robin": 8, "frequency-major": 1},
        "16": {"round-robin": 16, "frequency-major": 1},
    }


def test_nodes_that_cannot_be_dealt_to_are_refused():
    with pytest.raises(InputError, match="8 nodes with 16 cores; expected equal nodes, a multiple of 3"):
        dealt(load("pe1550:8"), 3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('baseline = "round-robin"', 'baseline = "block"', "cell '8x2 Fast Ethernet' has the placements"),
        ("sizes = [2000]", "sizes = []", "runs.hpl.quick.sizes is \\[\\]; expected a list of sizes above 0"),
        (
            "frequency-major = 1 }",
            "frequency-major = 0 }",
            r"nodes_at_once.frequency-major is 0; expected a whole",
        ),
        ("[runs.hpl.mapped.corewise]", "[runs.hpl.mapped.corewise]\nsolvr = 'auto'", "did you mean 'solver'"),
        ('build = "hpl"', "", "runs.hpl.build is missing"),
        ("{p} ", "{pp} ", "braces around nothing but {size}, {p}, {q}"),
        ('series = ["placement"]', 'series = ["placment"]', "did you mean 'placement'"),
    ],
)
def test_a_wrong_study_is_refused_with_its_key(old, new, message, tmp_path):
    text = STUDY.read_text()
    assert old in text
    (tmp_path / "s.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_study(tmp_path / "s.toml")


def test_without_runs_claims_are_judged_by_recorded_numbers_or_open(tmp_path):
    options = StudyOptions(tmp_path / "s", started=False)
    document = run_study(load_study("leng-emulated"), options).result.to_json()
    found = [(claim["holds"], claim["ours"]) for claim in document["claims"]]
    assert found[:2] == [(False, 0.549), (True, 0.399)]
    assert "recorded 2026-11-23" in document["claims"][1]["because"]
    # The third and fourth claim have a condition on times, which were not recorded.
    assert [holds for holds, _ in found[2:]] == [None, None, True, True]
    assert document["runs"] == {}
    assert list(tmp_path.iterdir()) == []


def test_a_program_for_a_study_that_emulates_nothing_is_refused():
    done = CliRunner().invoke(cli, ["study", "lavore-fig2", "--computed", "--program", "./xhpl"])
    assert isinstance(done.exception, InputError)
    assert "lavore-fig2 emulates nothing" in str(done.exception)


def test_computing_alone_is_refused_for_a_study_that_only_runs():
    done = CliRunner().invoke(cli, ["study", "leng-emulated", "--computed"])
    assert isinstance(done.exception, InputError)
    assert "leng-emulated computes nothing" in str(done.exception)


# Seconds of each placement in the four cells, N = 2000; 0.1 s to either side of each.
#                     8x2 Fast   16x2 Fast   8x2 Gigabit   16x2 Gigabit
# round-robin         5.4        4.5         1.3           1.2
# frequency-major     4.5        4.2         1.4           1.2
# size-major          3.0        3.0         1.0           1.0
# corewise            3.1        2.9         1.3           1.0
SECONDS = {
    "round-robin": [5.4, 4.5, 1.3, 1.2],
    "frequency-major": [4.5, 4.2, 1.4, 1.2],
    "size-major": [3.0, 3.0, 1.0, 1.0],
    "corewise": [3.1, 2.9, 1.3, 1.0],
}


def emulated_rows(without: str = "") -> list[ResultRow]:
    cells = load_study("leng-emulated").runs["hpl"].spec.cells
    rows = []
    for label, seconds in SECONDS.items():
        for cell, t in zip(cells, seconds, strict=True):
            labels = {"case": f"{cell.name}, 2000", "cell": cell.name, "size": "2000", "placement": label}
            known = label != without
            numbers = {
                "t": t if known else None,
                "low": t - 0.1 if known else None,
                "high": t + 0.1 if known else None,
            }
            apart = float(cell.nodes_at_once["round-robin"] // 4)  # the paper's size-major
            rows.append(
                ResultRow(
                    labels | cell.labels,
                    numbers | {"rank_distance_least": apart, "rank_distance_most": apart},
                )
            )
    return rows


def judged(rows: list[ResultRow]) -> list[tuple]:
    """(our value, holds) of the study's claims."""
    outcome = Outcome(rows, True, "emulated")
    verdicts = [
        judge(claim, "emulated", outcome, lambda labels: []) for claim in load_study("leng-emulated").claims
    ]
    return [(verdict.ours, verdict.holds) for verdict in verdicts]


def test_the_claims_of_the_study_come_to_what_the_table_above_says():
    found = judged(emulated_rows())
    assert found[0] == (pytest.approx(5.4 / 3.0 - 1), True)
    assert found[1] == (pytest.approx(4.5 / 3.0 - 1), True)
    assert found[2] == ([pytest.approx(0.2), pytest.approx(4.5 / 4.2 - 1)], True)
    assert found[3][1] is False  # on the 8x2 Gigabit cell 1.3 - 0.1 is above 1.0 + 0.1
    assert found[4] == (pytest.approx(2 / 3), False)  # 16x2 Gigabit: the intervals overlap
    assert found[5] == ([0, 0, 0, 0], True)


def test_claims_with_a_time_that_is_missing_stay_open():
    assert {holds for _, holds in judged(emulated_rows(without="size-major"))[:5]} == {None}
