"""Emulated studies without running anything: their files, their placements, and what claims come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.files.table import Table
from corewise.machines import load
from corewise.statistics import Interval
from corewise.studies import study_file
from corewise.studies.driver import StudyOptions, run_study
from corewise.studies.emulated_cases import dealt
from corewise.studies.emulated_judges import EMULATED, Times
from corewise.studies.emulated_runs import Cell, EmulatedScale
from corewise.studies.results import to_json
from corewise.studies.study_file import load_study, read_study
from corewise.sweep.spec import Protocol

STUDY = Path(study_file.__file__).with_name("leng-emulated.toml")


# The machine files of the HPL paper's section 5, the 8x2 and the 16x2 configuration.
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
        for cell in load_study("leng-emulated").emulated.cells
    }
    assert cells == {
        "8": {"round-robin": 8, "frequency-major": 1, "size-major": 2},
        "16": {"round-robin": 16, "frequency-major": 1, "size-major": 4},
    }


def test_nodes_that_cannot_be_dealt_to_are_refused():
    with pytest.raises(
        InputError, match="8 nodes with 16 cores; expected equal nodes, as many as a multiple of 3"
    ):
        dealt(load("pe1550:8"), 3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('baseline = "round-robin"', 'baseline = "block"', "cell '8x2 Fast Ethernet' has the placements"),
        ("sizes = [2000]", "sizes = []", "emulated.quick.sizes is \\[\\]; expected a list of sizes above 0"),
        (
            "frequency-major = 1,",
            "frequency-major = 0,",
            r"nodes_at_once.frequency-major is 0; expected a whole",
        ),
        ("[emulated.mapped.corewise]", "[emulated.mapped.corewise]\nsolvr = 'auto'", "did you mean 'solver'"),
        ('build = "hpl"', "", "emulated.build is missing"),
        ("{p} ", "{pp} ", "braces around nothing but {size}, {p}, {q}"),
        ('series = "placement"', 'series = "placment"', "did you mean 'placement'"),
    ],
)
def test_a_wrong_study_is_refused_with_its_key(old, new, message, tmp_path):
    text = STUDY.read_text()
    assert old in text
    (tmp_path / "s.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_study(tmp_path / "s.toml")


def test_without_runs_every_claim_is_open(tmp_path):
    document = to_json(run_study(load_study("leng-emulated"), StudyOptions(tmp_path / "s", measured=False)))
    assert {(claim["source"], claim["holds"], claim["ours"]) for claim in document["claims"]} == {
        ("emulated", None, None)
    }
    assert document["emulated"] is None
    assert list(tmp_path.iterdir()) == []


def test_a_claim_whose_judge_does_not_exist_is_refused(tmp_path):
    (tmp_path / "s.toml").write_text(STUDY.read_text().replace('"not-slower"', '"not-slow"'))
    with pytest.raises(InputError, match="no judge 'not-slow' for the claim .* did you mean 'not-slower'"):
        run_study(read_study(tmp_path / "s.toml"), StudyOptions(tmp_path, measured=False))


def test_a_program_for_a_study_that_emulates_nothing_is_refused():
    done = CliRunner().invoke(cli, ["study", "lavore-fig2", "--computed", "--program", "./xhpl"])
    assert isinstance(done.exception, InputError)
    assert "lavore-fig2 emulates nothing" in str(done.exception)


def test_computing_alone_is_refused_for_a_study_that_only_runs():
    done = CliRunner().invoke(cli, ["study", "leng-emulated", "--computed"])
    assert isinstance(done.exception, InputError)
    assert "leng-emulated computes nothing" in str(done.exception)


# Two cells at two sizes; s, with 0.1 s to either side. t_base / t - 1:
#          small, 10    small, 20    large, 10    large, 20
# fast     6/4: 50 %    6/5: 20 %    4/3.2: 25 %  4/3.6: 11 %
# slow     6/7: -14 %   6/6: 0 %     4/4: 0 %     4/3: 33 %
SECONDS = {
    "base": [6.0, 6.0, 4.0, 4.0],
    "fast": [4.0, 5.0, 3.2, 3.6],
    "slow": [7.0, 6.0, 4.0, 3.0],
}


def times(without: tuple[str, str] = ("", "")) -> Times:
    cells = [Cell(name, "pe1550:2", {}, {"base": 2}) for name in ("small", "large")]
    cases = ["small, 10", "small, 20", "large, 10", "large, 20"]
    estimates = {
        (case, label): Interval(t - 0.1, t, t + 0.1, 0.75)
        for label, seconds in SECONDS.items()
        for case, t in zip(cases, seconds, strict=True)
    }
    estimates.pop(without, None)
    return Times("base", cells, list(SECONDS), EmulatedScale([10, 20], Protocol()), estimates)


def judged(judge: str, found: Times | None = None, **about) -> tuple:
    """What a judge finds and whether the claim holds."""
    finding = EMULATED[judge](found or times(), Table(Path("s.toml"), "claims[0].about.", about))
    return finding.ours, finding.holds


@pytest.mark.parametrize(
    ("judge", "about", "ours", "holds"),
    [
        (
            "improvement-between",
            {"placement": "fast", "size": 10, "least": 0.25, "most": 0.5},
            "50.0 %, 25.0 %",
            True,
        ),
        (
            "improvement-between",
            {"placement": "fast", "size": 10, "least": 0.3, "most": 0.5},
            "50.0 %, 25.0 %",
            False,
        ),
        ("improvement-falls", {"placement": "fast"}, "50.0 % to 20.0 %; 25.0 % to 11.1 %", True),
        ("improvement-falls", {"placement": "slow", "cells": ["large"]}, "0 % to 33.3 %", False),
        (
            "improvement-smaller",
            {"placement": "fast", "cells": ["large"], "than": "fast", "than_cells": ["small"]},
            "25.0 % against 50.0 %; 11.1 % against 20.0 %",
            True,
        ),
        (
            "improvement-smaller",  # 0 is no improvement
            {"placement": "slow", "cells": ["large"], "than": "fast", "than_cells": ["small"]},
            "0 % against 50.0 %; 33.3 % against 20.0 %",
            False,
        ),
        ("not-slower", {"placement": "fast", "than": "base", "cells": ["large"]}, "25.0 %, 11.1 %", True),
        (
            "not-slower",
            {"placement": "fast", "than": "slow", "cells": ["large"]},
            "25.0 %, \N{MINUS SIGN}16.7 %",
            False,
        ),
        ("not-slower", {"placement": "base", "than": "slow", "cells": ["small"]}, "16.7 %, 0 %", True),
        ("faster-where", {"placement": "slow", "where": "fast"}, "1 of 4", False),
        ("faster-where", {"placement": "fast", "where": "slow"}, "1 of 1", True),
        ("faster-where", {"placement": "fast", "where": "base"}, "0 of 0", None),
        ("improvement-between", {"placement": "fast", "size": 30, "least": 0, "most": 1}, None, None),
    ],
)
def test_claims_about_emulated_times_come_to_what_the_table_above_says(judge, about, ours, holds):
    assert judged(judge, **about) == (ours, holds)


def test_a_claim_with_a_time_that_is_missing_stays_open():
    found = times(without=("small, 10", "fast"))
    assert judged("faster-where", found, placement="fast", where="slow") == (None, None)
    assert judged("not-slower", found, placement="fast", than="base") == (None, None)
    assert judged("improvement-between", found, placement="fast", size=10, least=0, most=1) == (None, None)


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"placement": "fsat"}, "did you mean 'fast'"),
        ({"placement": "fast", "cells": ["smal"]}, "did you mean 'small'"),
        ({}, "placement is ''; expected one of base, fast, slow"),
    ],
)
def test_a_claim_about_what_the_study_has_not_is_refused(about, message):
    with pytest.raises(InputError, match=message):
        judged("improvement-falls", **about)
