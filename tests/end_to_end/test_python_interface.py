"""The functions that start programs, from Python: trace, map, run and tune on a real MPI program."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import corewise
import mpis_here
import pytest


@pytest.fixture
def ring(monkeypatch) -> list[str]:
    """A launch command of two ranks that send each other messages."""
    if shutil.which("mpirun.openmpi") is None:
        pytest.skip("mpirun.openmpi not found")
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two cores")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    return ["mpirun.openmpi", "-n", "2", mpis_here.ring("openmpi")]


def test_what_is_traced_is_mapped_and_run_under_the_placement(ring, tmp_path):
    seen: list[tuple[str, int, int]] = []
    recording = corewise.trace(ring, tmp_path / "ring.profile", progress=lambda *one: seen.append(one))
    assert seen == [(f"tracing {ring[-1]}", 0, 1), (f"tracing {ring[-1]}", 1, 1)]
    assert (recording.run.exit_code, recording.profile.n_ranks, recording.profile.complete) == (0, 2, True)
    assert corewise.read(tmp_path / "ring.profile").traffic.folded().bytes > 0
    best = corewise.map(recording.profile, effort="fast")
    done = corewise.run(ring, best)
    assert done.verified and [rank.os_pus_seen for rank in done.ranks] == best.placement.os_pus


def test_this_machine_is_the_same_by_name_and_as_an_object(ring, tmp_path):
    profile = corewise.trace(ring, tmp_path / "ring.profile").profile
    for machine in ("local", corewise.machine()):
        assert "another machine's" not in corewise.advise(profile, machine, effort="fast").default_is


def test_a_thread_may_trace(ring, tmp_path):
    with ThreadPoolExecutor() as pool:
        recording = pool.submit(corewise.trace, ring, tmp_path / "ring.profile").result(timeout=100)
    assert recording.run.exit_code == 0 and recording.profile.complete


def test_tune_returns_the_result_and_its_folder(ring, tmp_path):
    result, folder = corewise.tune(ring, folder=tmp_path / "out", repeats=1, effort="fast")
    assert folder == tmp_path / "out"
    assert (folder / "report.html").exists() and (folder / "best.json").exists()
    assert result.verified and result.advice.matters in ("yes", "no", "unsure")
    assert corewise.TuneResult.read(folder) == result
    again = corewise.report(folder, output=tmp_path / "again.html")
    assert again.read_text() == (folder / "report.html").read_text()


def test_tune_maps_for_a_machine_of_any_form(ring, tmp_path):
    machine = corewise.machine("draco:2")
    machine_file = Path(corewise.__file__).parent / "machines" / "draco.toml"
    for number, form in enumerate((machine, machine_file)):
        result, _ = corewise.tune(ring, folder=tmp_path / str(number), machine=form, effort="fast")
        assert result.machine == (machine if form is machine else corewise.machine(form)) and not result.runs
        assert any("nothing was run under a placement" in note for note in result.notes)


def test_ctrl_c_ends_a_run_with_its_processes(ring, tmp_path):
    best = corewise.map([[0, 1], [1, 0]], effort="fast")
    sleep = [*ring[:3], "sleep", "61.7"]
    for verb in (lambda: corewise.run(sleep, best), lambda: corewise.tune(sleep, folder=tmp_path / "out")):
        threading.Timer(2.0, os.kill, [os.getpid(), signal.SIGINT]).start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            verb()
        assert time.monotonic() - begin < 30
        assert subprocess.run(["pgrep", "-f", "^sleep 61.7"], stdout=subprocess.DEVNULL).returncode == 1


def test_a_steered_run_is_drawn_on_a_page(ring, tmp_path):
    command = [*ring[:1], "--bind-to", "core", *ring[1:]]
    seen: list[tuple[str, int, int]] = []
    log = tmp_path / "ring.steer-log"
    steered = corewise.steer(command, log, dry_run=True, progress=lambda *one: seen.append(one))
    assert seen == [(f"steering {ring[-1]}", 0, 1), (f"steering {ring[-1]}", 1, 1)]
    assert steered.run.exit_code == 0 and steered.misplaced == []
    assert all(Path(log).parent == tmp_path for log in steered.logs)
    page = corewise.report(steered, steered.run, output=tmp_path / "page.html").read_text()
    assert page.count('<section id="steering-') == len(steered.logs)


def test_a_placement_that_does_not_fit_is_refused_before_anything_starts(ring, tmp_path):
    other = corewise.map([[0, 1], [1, 0]], "draco:2", effort="fast")
    with pytest.raises(corewise.InputError, match="was made for"):
        corewise.run(ring, other)
    with pytest.raises(corewise.MissingError, match="mpirun.nowhere"):
        corewise.trace(["mpirun.nowhere", "-n", "2", "app"], tmp_path / "x.profile")
    assert not (tmp_path / "x.profile").exists()
