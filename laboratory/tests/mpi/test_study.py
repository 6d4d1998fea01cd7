"""The measured part of a study, with a substitute for workloads: verified, resumed, compared with claims."""

import shutil
from dataclasses import replace
from pathlib import Path

import mpi_jobs
import pytest
from corewise_laboratory.native import native
from corewise_laboratory.studies import measuring
from corewise_laboratory.studies.driver import run_study
from corewise_laboratory.studies.kinds.kind import StudyOptions
from corewise_laboratory.studies.results import text, write_study
from corewise_laboratory.studies.study_file import load_study
from corewise_laboratory.studies.thread_runs import Scale
from corewise_laboratory.sweep.spec import Protocol

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
    monkeypatch.setattr(
        measuring, "workload_command", lambda n: [launcher, *flags, "-n", str(n), str(script)]
    )
    return script


def small(name: str):
    study = load_study(name)
    times = study.runs["times"]
    workloads = [workload for workload in times.spec.workloads if workload in ("motif_2", "triangles")]
    scale = Scale([2], Protocol(repeats=1, warmups=0), {workload: ["--size", "1"] for workload in workloads})
    spec = replace(times.spec, workloads=workloads, quick=scale)
    return replace(study, runs=study.runs | {"times": replace(times, spec=spec)})


@pytest.mark.usefixtures("substitute")
def test_a_study_measures_verifies_and_sets_our_numbers_beside_the_paper_s(tmp_path):
    result = run_study(small("lavore-fig2"), StudyOptions(tmp_path / "d"))
    document = result.result.to_json()
    measured = document["runs"]["times"]
    assert measured["n_failed"] == 0 and measured["bindings_verified"] and not result.failed
    ours = {claim["id"]: claim["ours"] for claim in document["claims"] if claim["source"] == "measured"}
    assert ours["lavore-fig2-devcluster-motif2-default-22-percent"] == -0.5  # 0.1 / 0.2 - 1
    assert ours["lavore-fig2-deception-new-pin-worst-in-4-of-6"] == 2  # of the two that ran
    assert all(claim["holds"] is None for claim in document["claims"] if claim["source"] == "measured")
    assert any("this host stands for 2 nodes" in line for line in text(result))


def test_a_study_goes_on_where_it_was_and_writes_its_page(substitute, tmp_path):
    run_study(small("lavore-fig3"), StudyOptions(tmp_path / "d"))
    before = (tmp_path / "d" / "times" / "runs" / "runs.jsonl").read_bytes()
    result = run_study(small("lavore-fig3"), StudyOptions(tmp_path / "d"))
    assert (tmp_path / "d" / "times" / "runs" / "runs.jsonl").read_bytes() == before
    write_study(result, tmp_path / "d", "digest")
    assert "data:image/png" in (tmp_path / "d" / "study.html").read_text()
    shutil.rmtree(tmp_path / "d" / "times" / "runs")
    substitute.write_text("#!/bin/sh\nexit 3\n")
    failed = run_study(small("lavore-fig3"), StudyOptions(tmp_path / "d"))
    measured = failed.result.to_json()["runs"]["times"]
    assert measured["n_failed"] == measured["n_runs"] > 0 and not measured["bindings_verified"]
    assert failed.failed
    assert {row.values["t"] for row in failed.outcomes["times"].rows} == {None}
