"""Job scripts from placements with kept options (all options: test_kept_option_texts.py); rankfiles."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from corewise import pipeline
from corewise.batch import BATCH_SYSTEMS
from corewise.batch.script import Script
from corewise.launchers import LAUNCHERS, Injection, parse_command
from corewise.launchers.hosts import Host
from corewise.nouns.placement import Placement
from corewise.start.application import Application
from corewise.start.exporting import export_plan
from test_programs import script

BINDER = Injection("/native/corewise-bind")
SRUN = "srun -n2 --mpi=pmix -A project --partition=short --export=ALL,A=1 -lK0 -N 1 -w a -c 2 time ./app x"


def application(name: str, words: str) -> Application:
    argv, launcher = shlex.split(words), LAUNCHERS[name]
    command = parse_command(argv, launcher.options)
    return Application(argv, launcher, command, [Host("a")], "nowhere", launcher.families[0])


def placement(name: str, words: str) -> Placement:
    """A placement of two ranks on one node, for the command."""
    programs = application(name, words).programs(2)
    return Placement("m", "f", ["f"], [0, 0], [[1], [0]], [[1], [0]], programs=programs)


def test_a_script_has_the_program_and_its_options_and_directives_for_the_whole_job():
    wanted = placement("srun", SRUN)
    text = Script(BATCH_SYSTEMS["slurm"], LAUNCHERS["srun"], wanted, BINDER).text()
    assert "\n#SBATCH -A project --partition=short\n" in text
    assert "\nlauncher=(srun --mpi=pmix --export=ALL,A=1 -l -K0)  #" in text
    assert "\napp=(time ./app x)  # the program and its arguments\n" in text
    other = Script(BATCH_SYSTEMS["slurm"], LAUNCHERS["openmpi4"], wanted, BINDER).text()
    assert "\nlauncher=(mpirun)  #" in other and "#SBATCH -A" not in other
    assert "\n# Left out, because these are options of srun: --mpi=pmix -A project" in other


@pytest.mark.parametrize("folder", ["my-folder", "/jobs/my-1/best", "best", None])
def test_a_rankfile_in_a_folder_with_a_dash_gets_a_note_on_versions_that_refuse_it(folder):
    noted = [
        name for name in LAUNCHERS if any("5.0.7 and 5.0.8 refuse" in note for note in notes(name, folder))
    ]
    assert noted == (["openmpi5"] if folder and "-" in folder else [])


def notes(name: str, folder: str | None) -> list[str]:
    where = Path(folder) if folder else None
    return export_plan(
        placement(name, shlex.join([*LAUNCHERS[name].start, "./app"])), LAUNCHERS[name], ["n1"], where, BINDER
    ).notes


@pytest.mark.parametrize(
    ("version", "folder", "noted"),
    [
        ("5.0.7", "corewise-tune", ["Open MPI 5.0.7 refuses a rankfile with '-' in its path"]),
        ("5.0.7", "best", []),
        ("5.0.11", "corewise-tune", []),
    ],
)
def test_tune_notes_it_if_the_launcher_is_such_a_version(version, folder, noted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = f"{script(tmp_path / 'mpirun', f'echo mpirun [Open MPI] {version}')} -n 2 ./app"
    best = placement("openmpi5", words)
    plan = pipeline._plan_to_apply(application("openmpi5", words), best, Path(folder))
    assert [note.partition(":")[0] for note in plan.notes] == noted
