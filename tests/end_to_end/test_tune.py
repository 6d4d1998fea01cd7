"""`corewise tune`, the whole procedure, on LAMMPS and on our own programs."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.nouns.tune_result import TuneResult
from mpis_here import ring

pytestmark = pytest.mark.alone
COREWISE = str(Path(sys.executable).with_name("corewise"))
# Open MPI refuses root unless two variables allow it.
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MELT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
run 5
"""


def tune(*words: str, folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [COREWISE, "tune", *words],
        cwd=folder,
        env=os.environ | ROOT,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


def needed(*programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} not found")


def test_lammps_is_tuned_and_everything_is_left_in_the_folder(tmp_path):
    needed("mpirun.openmpi", "lmp")
    (tmp_path / "in.melt").write_text(MELT)
    lmp = ["mpirun.openmpi", "--oversubscribe", "-n", "4", "lmp", "-in", "in.melt", "-log", "none"]
    done = tune("--json", "--repeats", "1", "-o", "out", "--", *lmp, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["advice"]["matters"] in ("yes", "no", "unsure")
    assert document["verified"] is True
    assert document["gain"]["n_repeats"] == 1
    assert "LAMMPS" in done.stderr  # the program's own output

    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {
        "best.json",
        "default.json",
        "launch",
        "profile",
        "report.html",
        "runs",
        "tune.json",
        "worst.json",
    }
    assert "<html" in (out / "report.html").read_text()
    result = TuneResult.read(out)
    assert result.command == lmp
    assert document == json.loads((out / "tune.json").read_text())
    for candidate in document["candidates"]:
        assert candidate["placement"] == json.loads((out / f"{candidate['label']}.json").read_text())
    best = Placement.read(out / "best.json")
    assert [rank.os_pus_seen for rank in Run.read(out / "runs/best-1/run.json").ranks] == best.os_pus
    assert tune("-o", "out", "--", *lmp, folder=tmp_path).returncode == 2


def test_other_widths_run_beside_the_placements_and_are_verified(tmp_path):
    needed("mpirun.openmpi")
    program = ring("openmpi")
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("a single core here: no mask can be wider")
    widths = ["--binding", "node", "--binding", "none"]
    done = tune("--json", "--repeats", "1", "-o", "out", *widths, "--", "mpirun.openmpi", "-n", "2", program,
                folder=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["verified"] is True
    wide = Run.read(tmp_path / "out/runs/best-node-1/run.json")
    assert {len(rank.os_pus_seen) for rank in wide.ranks} == {len(os.sched_getaffinity(0))}
    # On this one node, free ranks have the same masks with every placement: run once.
    (width,) = document["widths"]
    assert any("Binding none gives every rank the same masks" in note for note in document["notes"])
    result = TuneResult.read(tmp_path / "out")
    (of_s,) = result.candidate(document["same_as"].get("best", "best")).times_s("measured")
    gain = result.width_gain(result.widths[0])
    assert gain.expected == pytest.approx(1 - width["runs"][0]["app_s"] / of_s)


def one_per_core(folder: Path, *words: str) -> tuple[dict, str]:
    """The document of a tune of two ranks, which Open MPI binds to one core each, and standard error."""
    program = ring("openmpi")
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("a single core here")
    binding = ["--bind-to", "none"] if "free" in words else ["--bind-to", "core"]
    done = tune("--json", "--repeats", "1", "-o", "out", "--", "mpirun.openmpi", *binding, "-n", "2", program,
                folder=folder)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_where_only_binding_differs_that_is_compared(tmp_path):
    needed("mpirun.openmpi")
    document, _ = one_per_core(tmp_path, "free")
    if len(os.sched_getaffinity(0)) > 2:
        pytest.skip("on more cores the best placement may have other ones")
    assert "best" not in document["same_as"] and document["gain"] is not None
    assert "only binding is compared" in document["headline"]["reasons"][0]


def test_with_more_ranks_than_cores_all_compared_runs_have_the_same_settings(tmp_path):
    needed("mpirun.openmpi")
    program = ring("openmpi")
    n_ranks = 2 * len(os.sched_getaffinity(0))
    if n_ranks > 16:
        pytest.skip("too many cores here")
    # As many slots as ranks, so mpirun doesn't notice that ranks share cores.
    mpirun = ["mpirun.openmpi", "-H", f"localhost:{n_ranks}", "-n", str(n_ranks), program]
    done = tune("--json", "--repeats", "1", "-o", "out", "--", *mpirun, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    yields = ["--mca", "mpi_yield_when_idle", "1"]
    assert document["settings"] == yields
    commands = {
        label: Run.read(tmp_path / f"out/runs/{label}-1/run.json").command
        for label in ("as-written", "default", "best", "worst")
    }
    has_them = {label: set(yields) <= set(command) for label, command in commands.items()}
    assert has_them == {"as-written": False, "default": True, "best": True, "worst": True}
    # The gain compares the program's own times. The page and the document show the same gain.
    app_s = {one["label"]: one["runs"][0]["app_s"] for one in document["candidates"]}
    assert document["gain"]["expected"] == pytest.approx(1 - app_s["best"] / app_s["default"])
    as_written_s = document["as_written"][0]["app_s"]
    assert document["settings_gain"]["expected"] == pytest.approx(1 - app_s["default"] / as_written_s)
    page = (tmp_path / "out/report.html").read_text()
    assert all(sentence in page for sentence in document["headline"]["answer"].split(". "))


def test_tune_answers_the_request_and_every_command_reads_a_profile_once(tmp_path, monkeypatch, caplog):
    needed("mpirun.mpich")
    program = ring("mpich")
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG, "corewise.profile.reading")
    words = ["--dry-run", "--objective", "hop-bytes", "--solver", "exact", "--seed", "7", "--effort", "fast"]
    done = CliRunner().invoke(cli, ["tune", "-o", "out", *words, "--", "mpirun.mpich", "-n", "2", program])
    assert done.exit_code == 0, done.output
    best = Placement.read(tmp_path / "out/best.json")
    worst = Placement.read(tmp_path / "out/worst.json")
    assert (worst.objective, worst.solver, worst.seed) == ("hop-bytes", "exact", 7)
    assert best.n_ranks == 2
    assert (
        TuneResult.read(tmp_path / "out").conditions["mapping"] == "exact for hop-bytes, effort fast, seed 7"
    )
    assert n_readings(caplog) == 1
    for verb in ("show", "advise", "map"):
        caplog.clear()
        assert CliRunner().invoke(cli, [verb, "out/profile"]).exit_code == 0
        assert n_readings(caplog) == 1


def n_readings(caplog) -> int:
    return [record.name for record in caplog.records].count("corewise.profile.reading")


def test_a_rank_of_several_cores_is_placed_on_all_of_them(tmp_path):
    needed("mpirun.openmpi")
    program = ring("openmpi")
    (tmp_path / "wide.toml").write_text('format = "corewise-constraints"\nversion = 1\ncores_per_rank = 2\n')
    words = ("--json", "--repeats", "1", "--constraints", "wide.toml", "-o", "out")
    done = tune(*words, "--", "mpirun.openmpi", "-n", "1", program, folder=tmp_path)
    if "has 1 core" in done.stderr or "and room for 0" in done.stderr:
        pytest.skip("one core here")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["headline"]["conclusion"] == "no messages"
    assert (
        "nobody to send to: no placement can shorten its messages" in done.stderr
        and not (tmp_path / "out/runs").exists()
    )
    best = Placement.read(tmp_path / "out/best.json")
    assert [len(cores) for cores in best.cores] == [2]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--solver", "kaminpr", "--", "mpirun.openmpi", "-n", "2"), "did you mean 'kaminpar'?"),
        (("--machine", "tree:1", "--", "mpirun.openmpi", "-n", "2"), "2 ranks and room for 1"),
        (("--", "mpirun.mpich", "-n", "100000"), "the command starts 100000 ranks on "),
    ],
)
def test_a_request_that_can_not_be_answered_is_refused_before_the_program_runs(tmp_path, words, sentence):
    needed("mpirun.openmpi", "mpirun.mpich")
    done = tune(*words, "touch", "ran", folder=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_profile_with_events_gives_the_page_a_timeline_and_a_trace_next_to_it(tmp_path):
    needed("mpirun.mpich")
    program = ring("mpich")
    job = ("--", "mpirun.mpich", "-n", "2", program)
    trace = [COREWISE, "trace", "--mode", "events", "-o", "app.profile", *job]
    subprocess.run(trace, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    done = tune("--dry-run", "--from", "app.profile", *job, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "corewise-tune/report.html").read_text()
    assert 'id="timeline"' in page and '<a href="timeline.json">' in page
    events = json.loads((tmp_path / "corewise-tune/timeline.json").read_text())["traceEvents"]
    assert {event.get("pid", event.get("tid")) for event in events} >= {0, 1}
    again = [COREWISE, "report", "corewise-tune", "-o", "again.html"]
    subprocess.run(again, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    timeline = re.compile(r"<p>[0-9,]+ MPI calls of 2 ranks and [0-9,]+ messages in\s[^<]*")
    assert timeline.findall((tmp_path / "again.html").read_text()) == timeline.findall(page) != []
