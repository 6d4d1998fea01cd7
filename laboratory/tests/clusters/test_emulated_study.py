"""corewise study leng-emulated at a small size: HPL on two namespace nodes, interrupted and continued."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import LabFolder
from corewise_laboratory.studies.emulated import Cell
from corewise_laboratory.studies.leng.emulation import EMULATED, HPL
from corewise_laboratory.studies.study import Judged, Options, run_study

XHPL = Path(os.environ.get("CW_LAB_CACHE", Path.home() / ".cache/corewise/lab")) / "xhpl"


def ran(folder: Path, tell) -> Judged:
    """Runs the study on two nodes of two ranks, with a matrix of order 160. Skips without such nodes here."""
    cell = Cell(
        {"nodes": "2x2", "network": "Fast Ethernet"},
        "pe1550-fast-ethernet:2",
        {"p": "2", "q": "2"},
        {"round-robin": 2, "frequency-major": 1},
    )
    small = replace(HPL, cells=[cell], sizes={"quick": [160]}, repeats={"quick": 1}, timeout_s=60)
    study = replace(EMULATED, runs={"hpl": small})
    found = run_study(study, Options(folder, program=str(XHPL), tell=tell))
    if found.missing:
        pytest.skip(str(found.missing["hpl"]))
    return found


def test_hpl_runs_under_every_placement_and_an_interrupted_study_goes_on(
    lab_folder: LabFolder, tmp_path, monkeypatch
):
    if not XHPL.exists():
        pytest.skip("HPL was not built; scripts/setup --lab does")
    monkeypatch.setattr(tempfile, "tempdir", str(lab_folder.path))
    monkeypatch.chdir(tmp_path)
    said = []

    def interrupting(sentence: str) -> None:
        said.append(sentence)
        if "size-major, 1 of 1" in sentence:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ran(tmp_path / "s", interrupting)
    (case,) = (tmp_path / "s" / "hpl" / "cases").iterdir()
    before = {path: path.stat().st_mtime_ns for path in (case / "corewise.json", *(case / "runs").iterdir())}
    assert len(before) == 3
    found = ran(tmp_path / "s", said.append)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not found.failed
    rows = found.outcomes["hpl"].rows
    assert rows.labels("placement") == ["round-robin", "frequency-major", "size-major", "corewise"]
    assert (rows("t") > 0).all()
    assert [path.name for path in tmp_path.iterdir()] == ["s"]
    assert (lab_folder.clusters, lab_folder.processes()) == ([], [])
