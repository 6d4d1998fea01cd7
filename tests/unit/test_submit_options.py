"""--submit and --job-options: what `tune` passes to sbatch, and what is refused."""

from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner
from corewise.cli import cli

APP = ("--", "srun", "-n", "2", "./app", "--submit", "pbs")


@pytest.fixture
def sbatch(tmp_path, monkeypatch):
    """A substitute for sbatch: stores its arguments and the script, answers job 17. Returns its folder."""
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "sbatch"
    program.write_text('#!/bin/sh\necho "$@" >words\ncat >script\necho "17;cluster"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path


def tune(*words: str):
    return CliRunner().invoke(cli, ["tune", *words, *APP])


def test_the_job_runs_the_same_command_without_the_options_of_the_job(sbatch):
    done = tune(
        "--seed",
        "3",
        "--submit=slurm",
        "-o",
        "a b",
        "--job-options",
        "--nodes=2 -A 'x y'",
        "--effort",
        "fast",
    )
    assert (sbatch / "words").read_text() == "--parsable --nodes=2 -A x y\n"
    command = f"exec {sys.executable} -m corewise tune --seed 3 -o 'a b' --effort fast {' '.join(APP)}\n"
    assert (sbatch / "script").read_text().endswith(command)
    assert '#SBATCH --output="a b.out"\n' in (sbatch / "script").read_text()
    assert done.stdout == (
        f"Job 17 is submitted. Its answer will be in {sbatch}/a b/report.html and {sbatch}/a b.out; "
        "`scancel 17` cancels it.\n"
    )


def test_without_a_folder_the_number_of_the_job_names_it(sbatch):
    done = tune("--submit", "slurm", "--json")
    where = f"{sbatch}/corewise-tune-17"
    assert json.loads(done.stdout) == {"job": "17", "directory": where, "output": f"{where}.out"}
    script = (sbatch / "script").read_text()
    assert '#SBATCH --output="corewise-tune-%j.out"\n' in script
    assert ' tune -o "corewise-tune-$SLURM_JOB_ID" --json -- srun' in script


def test_without_slurm_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "'sbatch' was not found; install Slurm's client" in str(tune("--submit", "slurm").exception)


def test_a_job_that_was_waited_for_and_failed_was_submitted(sbatch):
    (sbatch / "sbatch").write_text("#!/bin/sh\ncat >script\necho 17\nexit 130\n")
    assert "Job 17 is submitted." in tune("--submit", "slurm", "--job-options", "--wait").output


def test_what_sbatch_refuses_is_told_in_its_words(sbatch):
    (sbatch / "sbatch").write_text("#!/bin/sh\necho 'sbatch: error: invalid partition' >&2\nexit 1\n")
    said = str(tune("--submit", "slurm").exception)
    assert said == "sbatch submitted no job: sbatch: error: invalid partition"
