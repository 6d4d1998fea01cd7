"""corewise study leng-emulated at a small size: HPL on two namespace nodes, interrupted and continued."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import LabFolder
from corewise_laboratory.studies.driver import StudyResult, run_study
from corewise_laboratory.studies.emulated_runs import Cell, EmulatedScale
from corewise_laboratory.studies.kinds.kind import StudyOptions
from corewise_laboratory.studies.study_file import Study, load_study
from corewise_laboratory.sweep.spec import Protocol

XHPL = Path(os.environ.get("CW_LAB_CACHE", Path.home() / ".cache/corewise/lab")) / "xhpl"


def small() -> Study:
    """The study on two nodes of two ranks, one run each, with a matrix of order 160."""
    study = load_study("leng-emulated")
    cell = Cell(
        "2x2",
        "pe1550-fast-ethernet:2",
        {"p": "2", "q": "2"},
        {"round-robin": 2, "frequency-major": 1},
    )
    scale = EmulatedScale([160], Protocol(repeats=1, warmups=0, timeout_s=60))
    own = [claim for claim in study.claims if claim.per == ["case"] and not claim.where]
    spec = replace(study.runs["hpl"].spec, cells=[cell], quick=scale, full=scale)
    return replace(study, claims=own, runs={"hpl": replace(study.runs["hpl"], spec=spec)})


def ran(folder: Path, say=lambda _: None) -> StudyResult:
    """Runs the study in a folder. Skips the test if the nodes can't be created here."""
    result = run_study(small(), StudyOptions(folder, program=str(XHPL), say=say))
    if result.missing:
        pytest.skip(str(result.missing["hpl"]))
    return result


def test_hpl_runs_under_every_placement_and_an_interrupted_study_goes_on(
    lab_folder: LabFolder, tmp_path, monkeypatch
):
    if not XHPL.exists():
        pytest.skip("HPL was not built; scripts/setup --lab does")
    monkeypatch.setattr(tempfile, "tempdir", str(lab_folder.path))
    monkeypatch.chdir(tmp_path)
    said = []

    def interrupting(progress) -> None:
        said.append(progress)
        if progress.startswith("2 of"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ran(tmp_path / "s", interrupting)
    traced = next((tmp_path / "s" / "hpl").glob("cases/*/corewise.json")).stat().st_mtime_ns
    result = ran(tmp_path / "s", said.append)
    assert [int(progress.split()[0]) for progress in said] == [0, 1, 2, 2, 3]
    assert next((tmp_path / "s" / "hpl").glob("cases/*/corewise.json")).stat().st_mtime_ns == traced
    document = result.result.to_json()["runs"]["hpl"]
    assert (document["n_runs"], document["n_failed"]) == (4, 0)
    assert all(row.values["t"] > 0 for row in result.outcomes["hpl"].rows)
    (nodes,) = document["nodes"].values()
    assert nodes["round-robin"] == [0, 1, 0, 1]
    assert sorted(nodes["corewise"]) == [0, 0, 1, 1]
    assert {verdict.source for verdict in result.verdicts} == {"emulated"}
    # For such a small matrix chance decides which placement is faster. So claims with such a condition may
    # stay open.
    always = [verdict for verdict in result.verdicts if ", only if " not in verdict.formula]
    assert always and all(verdict.ours is not None for verdict in always)
    assert [path.name for path in tmp_path.iterdir()] == ["s"]
    assert (lab_folder.clusters, lab_folder.processes()) == ([], [])
