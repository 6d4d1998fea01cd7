"""A sweep as job arrays, with substitutes for sbatch and squeue that run each task at once."""

from __future__ import annotations

import json
import re

import pytest
from corewise.errors import InputError, RunError
from corewise.plugin.batch import SubmitTo
from corewise_laboratory.sweep import submitting
from corewise_laboratory.sweep.grid import configurations
from corewise_laboratory.sweep.spec import read_spec
from corewise_laboratory.sweep.submitting import run_submitted
from sweep_cases import SPEC, written

MEASURE = '\n[measure]\nregex = "(?:default|pin) ([0-9])"\n[runs]\nrepeats = 2\nwarmups = 0\n'
N_RUNS = 12

SBATCH = r"""#!/bin/bash
cat >script.$$
[ -e refuse ] && { echo "sbatch: error: full" >&2; exit 1; }
for range in $(grep -oP 'array=\K.*' script.$$ | tr , ' '); do
 for number in $(seq "${range%-*}" "${range#*-}"); do
  [ -e lose ] && [ "$number" = 3 ] || SLURM_ARRAY_TASK_ID=$number bash script.$$
 done
done
echo 17
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the substitutes and their output."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"sbatch": SBATCH, "squeue": "#!/bin/sh\n[ ! -e silent ]\n"}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(submitting, "_POLL_S", 0)
    return tmp_path


def run(folder, text=SPEC + MEASURE, told=lambda sentence: None):
    path = written(folder, text)
    spec = read_spec(path)
    submit_to = SubmitTo("slurm", ["--nodes=1"])
    return run_submitted(spec, path, configurations(spec), folder / "d", submit_to, lambda _: None, told)


def scripts(folder) -> list[str]:
    return [path.read_text() for path in sorted(folder.glob("script.*"))]


def test_every_run_is_a_task_and_all_are_in_the_journal(folder):
    told = []
    records = run(folder, told=told.append)
    assert told == ["submitted 12 runs: job 17"]
    assert sorted((record.configuration, record.repeat) for record in records) == [
        (configuration, repeat) for configuration in range(6) for repeat in range(2)
    ]
    assert {(record.configuration, record.value) for record in records} == set(enumerate([1, 2, 4] * 2))
    [script] = scripts(folder)
    assert "#SBATCH --array=0-11\n" in script and "#SBATCH --time=11\n" in script
    run(folder)
    assert len(scripts(folder)) == 1  # nothing was missing


def test_only_what_is_lacking_is_submitted_again(folder):
    (folder / "lose").touch()
    with pytest.raises(RunError, match=r"1 run ended without a result \(number 3; .*submits them again"):
        run(folder)
    (folder / "lose").unlink()
    assert len(run(folder)) == N_RUNS
    assert sum("#SBATCH --array=3\n" in script for script in scripts(folder)) == 1


def test_runs_that_slurm_holds_are_named_once(folder):
    # Both queries find the same held run. Once it is released, another start finds its record.
    (folder / "lose").touch()
    name = submitting.Jobs(folder / "d").prefix + "0"
    squeue = f"[ -e seen2 ] && exit; [ -e seen ] && touch seen2; touch seen; echo '17|3|JobHeldUser|{name}'"
    (folder / "squeue").write_text(f"#!/bin/sh\n[ -e script.* ] || exit 0\n{squeue}\n")
    told = []
    with pytest.raises(RunError, match="1 run ended without a result"):
        run(folder, told=told.append)
    assert told[1:] == [
        "1 run will not start without help (Slurm's reason: JobHeldUser); release them "
        "(scontrol release 17), or cancel them (scancel 17) and run this command again"
    ]


def test_long_sweeps_are_several_arrays(folder, monkeypatch):
    monkeypatch.setattr(submitting, "_BLOCK", 5)
    assert len(run(folder)) == N_RUNS
    found = {re.search(r"-(\d+)\n#SBATCH --array=(.*)", script).groups() for script in scripts(folder)}
    assert found == {("0", "0-4"), ("1", "0-4"), ("2", "0-1")}


def test_a_record_that_was_collected_already_is_not_counted_twice(folder):
    records = run(folder)
    left = folder / "d" / "submitted" / "0.json"
    left.write_text(json.dumps(records[0].__dict__))
    assert len(run(folder)) == N_RUNS
    assert not left.exists()


def test_other_runs_and_a_silent_controller_are_refused_before_anything_is_submitted(folder):
    (folder / "silent").touch()
    with pytest.raises(RunError, match="Slurm's controller doesn't answer"):
        run(folder)
    (folder / "silent").unlink()
    (folder / "refuse").touch()
    with pytest.raises(RunError, match="sbatch submitted no job: sbatch: error: full"):
        run(folder)
    with pytest.raises(InputError, match="runs of another specification"):
        run(folder, text=SPEC.replace("[1, 2, 4]", "[1]") + MEASURE)
