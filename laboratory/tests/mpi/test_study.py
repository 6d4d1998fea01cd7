"""The measured part of a study, with a substitute for workloads: verified, continued, and no verdict."""

import shutil
from dataclasses import replace
from pathlib import Path

import mpi_jobs
import pytest
from corewise_laboratory.native import native
from corewise_laboratory.studies import threads
from corewise_laboratory.studies.page import text
from corewise_laboratory.studies.papers import all_studies
from corewise_laboratory.studies.study import Options, run_study

# Rank 0 prints the policy that it got. new_pin takes twice as long as the others.
SUBSTITUTE = """#!/bin/sh
{program} --sizes 64 --repeats 1 >&2
if [ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 0 ]; then
  case $COREWISE_AFFINITY in policy=new_pin) seconds=0.2;; policy=*) seconds=0.1;; esac
  echo "workload,seconds"
  echo "$1,$seconds"
fi
"""


@pytest.fixture
def substitute(family, tmp_path, monkeypatch) -> Path:
    """Replaces the workloads in measurements. The family's launcher starts it."""
    script = tmp_path / "workload"
    script.write_text(SUBSTITUTE.format(program=native(f"microbench-{family}/ring")))
    script.chmod(0o755)
    launcher = mpi_jobs.tool(family, "mpirun")
    flags = ["--oversubscribe"] if family == "openmpi" else []
    monkeypatch.setattr(threads, "workload_command", lambda n: [launcher, *flags, "-n", str(n), str(script)])
    return script


def small(name: str):
    study = all_studies()[name]
    times = study.runs["times"]
    scales = {
        workload: times.scales[workload] for workload in ("motif_2", "triangles") if workload in times.scales
    }
    quick = replace(times, scales=scales, nodes={"quick": [2]}, repeats={"quick": 1}, warmups={"quick": 1})
    return replace(study, runs=study.runs | {"times": quick})


@pytest.mark.usefixtures("substitute")
def test_a_study_measures_and_verifies(tmp_path):
    found = run_study(small("lavore-fig2"), Options(tmp_path / "d"))
    assert not found.failed and found.missing == {}
    rows = found.outcomes["times"].rows
    assert {*rows("t", policy="new_pin")} == {0.2} and {*rows("t", policy="default")} == {0.1}
    assert rows.labels("workload") == ["motif_2", "triangles"]
    assert any("this host stands for all nodes" in line for line in text(found))


def test_a_study_goes_on_where_it_was(substitute, tmp_path):
    run_study(small("lavore-fig3"), Options(tmp_path / "d"))
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "d" / "times" / "runs").iterdir()}
    run_study(small("lavore-fig3"), Options(tmp_path / "d"))
    assert {path: path.stat().st_mtime_ns for path in kept} == kept and len(kept) == 2 * 3 * 2
    shutil.rmtree(tmp_path / "d" / "times" / "runs")
    substitute.write_text("#!/bin/sh\nexit 3\n")
    failed = run_study(small("lavore-fig3"), Options(tmp_path / "d"))
    assert failed.failed
    assert {row.values["t"] for row in failed.outcomes["times"].rows} == {None}
    notes = failed.outcomes["times"].notes
    assert any("a run ended with exit code" in note for note in notes)
    assert any("was not on the cores of its binding" in note for note in notes)
