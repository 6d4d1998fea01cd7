"""A placement stores the program and the launcher options that don't place ranks; `export` uses them."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from corewise import pipeline
from corewise.batch import BATCH_SYSTEMS
from corewise.batch.script import Script
from corewise.launchers import EXPORTED, LAUNCHERS, Injection, kept_options, parse_command
from corewise.launchers.hosts import Host
from corewise.nouns.placement import Placement
from corewise.start.application import Application
from corewise.start.exporting import export_plan
from test_programs import script

BINDER = Injection("/native/corewise-bind")

# launcher -> the command, the stored options, and the options that a placement replaces
COMMANDS = {
    "hydra": (
        "mpiexec -n 2 -genv A 1 -env B=2 -launcher ssh -f hosts -ppn 2 -bind-to core time ./app x",
        "-genv A 1 -env B=2 -launcher ssh",
        "-n 2 -f hosts -ppn 2 -bind-to core",
    ),
    "openmpi4": (
        "mpirun -np 2 --mca btl self,tcp -x A=1 --wdir /tmp --hostfile hosts --bind-to core "
        "--mca rmaps_base_mapping_policy node --mca orte_default_hostfile hosts --tag-output time ./app x",
        "--mca btl self,tcp -x A=1 --wdir /tmp --tag-output",
        "-np 2 --hostfile hosts --bind-to core --mca rmaps_base_mapping_policy node "
        "--mca orte_default_hostfile hosts",
    ),
    "openmpi5": (
        "mpirun -n 2 --mca btl self,tcp -x A=1 --prtemca plm_ssh_agent ssh --map-by node --host a:2 "
        "--prtemca prte_default_hostfile hosts time ./app x",
        "--mca btl self,tcp -x A=1 --prtemca plm_ssh_agent ssh",
        "-n 2 --map-by node --host a:2 --prtemca prte_default_hostfile hosts",
    ),
    "srun": (
        "srun -n2 --mpi=pmix -A project --partition=short --export=ALL,A=1 -lK0 -N 1 -w a --jobid=7 "
        "--cpu-bind=cores -c 2 time ./app x",
        "--mpi=pmix -A project --partition=short --export=ALL,A=1 -l -K0",
        "-n2 -N 1 -w a --jobid=7 --cpu-bind=cores -c 2",
    ),
}


def application(name: str, words: str) -> Application:
    argv, launcher = shlex.split(words), LAUNCHERS[name]
    command = parse_command(argv, launcher.options)
    return Application(argv, launcher, command, [Host("a")], "nowhere", launcher.families[0])


def placement(name: str, words: str) -> Placement:
    """A placement of two ranks on one node, for the command."""
    programs = application(name, words).programs(2)
    return Placement("m", "f", ["f"], [0, 0], [[1], [0]], [[1], [0]], programs=programs)


def test_the_options_of_every_launcher_that_is_run_are_written_down():
    assert COMMANDS.keys() == LAUNCHERS.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_kept_or_replaced(name):
    words, kept, replaced = COMMANDS[name]
    command = parse_command(shlex.split(words), LAUNCHERS[name].options)
    assert kept_options(command, LAUNCHERS[name].options) == [kept.split()]
    given = sorted(word for option in command.options for word in option.tokens)
    assert given == sorted([*kept.split(), *replaced.split()])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_exported_command_has_the_program_and_the_options_that_are_kept(name):
    words, kept, _ = COMMANDS[name]
    plan = export_plan(placement(name, words), LAUNCHERS[name], ["n1"], None, BINDER)
    argv = shlex.join(plan.argv)
    assert f" {kept} " in argv and argv.endswith(" time ./app x")
    assert not any(note.startswith("Left out") for note in plan.notes)
    tokens = [option.tokens for option in application(name, words).command.options]
    replaced = [shlex.join(one) for one in tokens if f" {shlex.join(one)} " not in f" {kept} "]
    assert not [one for one in replaced if f" {one} " in argv and not one.startswith("-n ")]


def test_what_binds_in_front_of_the_program_is_not_kept():
    words = "mpirun -n 1 taskset -c 0 ./a : -n 1 -x A=1 env B=2 ./b"
    programs = application("openmpi4", words).programs(2)
    assert [(list(one.ranks), one.app, one.options) for one in programs] == [
        ([0], ["./a"], []),
        ([1], ["env", "B=2", "./b"], ["-x", "A=1"]),
    ]


def test_several_programs_keep_their_own_options():
    words = "mpiexec -env A 1 -n 1 ./a : -env A 2 -n 1 ./b"
    argv = export_plan(placement("hydra", words), LAUNCHERS["hydra"], ["n1"], None, BINDER).argv
    one, two = shlex.join(argv).split(" : ")
    assert one.startswith("mpiexec -f ./hosts -env A 1 -n 1 ") and two.startswith("-env A 2 -n 1 ")


@pytest.mark.parametrize("name", ["openmpi4", "jsrun"])
def test_another_launcher_says_which_options_it_leaves_out(name):
    plan = export_plan(
        placement("srun", "srun --mpi=pmix ./app"), (LAUNCHERS | EXPORTED)[name], ["n1"], None, BINDER
    )
    assert "--mpi=pmix" not in plan.argv and plan.argv[-1] == "./app"
    assert plan.notes[-1] == "Left out, because these are options of srun: --mpi=pmix"


def test_cray_mpich_keeps_the_options_of_srun():
    plan = export_plan(
        placement("srun", "srun --mpi=cray_shasta ./app"), EXPORTED["cray-mpich"], ["n1"], None, BINDER
    )
    assert plan.argv[:2] == ["srun", "--mpi=cray_shasta"]


def test_a_script_has_the_program_and_its_options_and_directives_for_the_whole_job():
    wanted = placement("srun", COMMANDS["srun"][0])
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
    return export_plan(placement(name, COMMANDS[name][0]), LAUNCHERS[name], ["n1"], where, BINDER).notes


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
