"""`corewise tune` with both MPIs: standard input in every run, failures, results kept after Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import mpi_jobs
import pytest
from corewise.nouns.run import Run
from corewise.nouns.tune_result import TuneResult

COREWISE = str(Path(sys.executable).with_name("corewise"))
LIMIT_S = 110
MOST_S = 10  # from the signal to the end; about one second on an idle machine


@dataclass(frozen=True)
class Program:
    """A launch command of two ranks, and the folder in which tune is started."""

    argv: list[str]
    folder: Path

    def tune(self, *words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess:
        """Runs tune to its end; the result is in the folder `out`."""
        return subprocess.run(
            [COREWISE, "tune", "-o", "out", *words, "--", *self.argv],
            cwd=self.folder,
            env=os.environ | environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )

    def interrupted(self, when, number: signal.Signals, *words: str, start=(COREWISE,), **environment: str):
        """Runs tune and, once `when()` is true, sends a signal to the process group as a terminal does."""
        job = subprocess.Popen(
            [*start, "tune", "-o", "out", *words, "--", *self.argv],
            cwd=self.folder,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            deadline = time.monotonic() + LIMIT_S
            while not when() and job.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            os.killpg(job.pid, number)
            sent_s = time.monotonic()
            output, messages = job.communicate(timeout=LIMIT_S)
            assert time.monotonic() - sent_s < MOST_S
        finally:
            job.kill()
        return subprocess.CompletedProcess(job.args, job.returncode, output, messages)

    def processes(self) -> list[str]:
        """Command lines of its processes that are still running."""
        lines = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if self.argv[-1] in words:
                lines.append(" ".join(words))
        return lines


@pytest.fixture
def program(family, compiled, tmp_path) -> Program:
    # Ranks that are free by default, so the placement that is found differs.
    flags = ["--oversubscribe", "--bind-to", "none"] if family == "openmpi" else []
    own = compiled(family, "reads_input.c")
    return Program([mpi_jobs.tool(family, "mpirun"), *flags, "-n", "2", str(own)], tmp_path)


def test_every_run_reads_the_same_input(program):
    done = program.tune("--json", "--repeats", "1", stdin="input\n" * 5_000)
    assert done.returncode == 0, done.stderr
    assert "30000 bytes read" in done.stderr
    outputs = [path.read_text() for path in program.folder.glob("out/runs/*/output.txt")]
    assert len(outputs) >= 2 and set(outputs) == {"30000 bytes read\n"}


def test_a_program_that_fails_is_told_with_the_report_as_far_as_it_goes(program):
    done = program.tune(CODE="3")
    assert done.returncode == 1
    assert "The program failed while it was traced: exit code 3." in done.stdout
    result = TuneResult.read(program.folder / "out")
    assert (result.traced.exit_code, result.runs, result.verified) == (3, [], None)
    assert "failed while it was traced" in (program.folder / "out/report.html").read_text()


def test_runs_that_fail_after_a_sound_profile_are_told_by_placement(program):
    assert program.tune("--dry-run").returncode == 0
    (program.folder / "out").rename(program.folder / "earlier")
    done = program.tune("--json", "--repeats", "1", "--from", "earlier/profile", CODE="3")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["verified"] is None
    ran = [label for label in ("default", "best", "worst") if label not in document["same_as"]]
    assert [sentence.split(" (")[0] for sentence in document["failures"]] == [
        f"{label}: 1 of 1 runs failed" for label in ran
    ]
    assert ran[:2] == ["default", "best"]


# The command line, with a search for placements that takes a minute.
MAPPING = """
import time
from corewise import pipeline
from corewise.entry import main

def compare(*_):
    open("mapping", "w").close()
    time.sleep(60)

pipeline.compare = compare
main()
"""


def test_ctrl_c_while_mapping_keeps_the_profile_and_says_so(program):
    mark = program.folder / "mapping"
    done = program.interrupted(mark.exists, signal.SIGINT, start=(sys.executable, "-c", MAPPING))
    profile = program.folder / "out" / "profile"
    said = f"interrupted; the profile is kept; continue with: corewise tune --from {profile}"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (130, f"corewise: {said}")
    assert [path.name for path in profile.parent.iterdir()] == ["profile"]
    assert program.processes() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_keeps_the_runs_that_ended_with_a_report_and_from_goes_on(program, number):
    runs = program.folder / "out" / "runs"
    # During the second run: its folder exists, but has no run.json yet.
    second = lambda: len(list(runs.glob("*/run.json"))) == 1 and len(list(runs.glob("*/output.txt"))) == 2  # noqa: E731
    done = program.interrupted(second, number, "--repeats", "9", NAP="2")
    assert done.returncode == 130, done.stderr
    assert "Interrupted: the result is of the runs that had ended" in done.stdout
    assert program.processes() == []
    (kept,) = runs.iterdir()
    assert Run.read(kept / "run.json").exit_code == 0
    result = TuneResult.read(program.folder / "out")
    assert result.interrupted
    assert [run.label for run in result.runs] == [kept.name.partition("-")[0]]
    assert "Interrupted" in (program.folder / "out/report.html").read_text()

    (program.folder / "out").rename(program.folder / "cut")
    done = program.tune("--repeats", "1", "--from", "cut/profile")
    assert done.returncode == 0, done.stderr
    assert "bytes read" not in done.stdout  # the program's own output, because nothing was traced
    assert {run.label for run in TuneResult.read(program.folder / "out").runs} >= {"default", "best"}


def test_from_refuses_a_profile_of_another_number_of_ranks(program):
    assert program.tune("--dry-run").returncode == 0
    (program.folder / "out").rename(program.folder / "earlier")
    program.argv[program.argv.index("-n") + 1] = "3"
    done = program.tune("--from", "earlier/profile")
    assert done.returncode == 2
    assert "the command starts 3 ranks, earlier/profile has 2; expected as many" in done.stderr
    done = program.tune("--from", "earlier")
    assert done.returncode == 2
    assert "did you mean earlier/profile?" in done.stderr
    assert [path.name for path in program.folder.iterdir()] == ["earlier"]
