"""Programs on this machine: the launcher of a command, and where its program is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from corewise.errors import InputError, MissingError
from corewise.launchers import LAUNCHERS, Command, Injection, Job, Launcher, Program, parse_command
from corewise.launchers.mpi_family import MPI_LIBRARIES
from corewise.nouns.placement import Placement
from corewise.start import programs
from launcher_cases import TWO_FAMILIES


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("version", "name", "number"),
    [
        ("mpirun (Open MPI) 4.1.4", "openmpi4", "4.1.4"),
        ("mpirun (Open MPI) 5.0.11", "openmpi5", "5.0.11"),
        ("HYDRA build details:\\n    Version: 4.0.2", "hydra", "4.0.2"),
        ("slurm-wlm 22.05.8", "srun", "22.05.8"),
        ("slurm 23.11.1", "srun", "23.11.1"),
    ],
)
def test_a_launcher_is_known_by_its_version_text(tmp_path, version, name, number):
    mpirun = script(tmp_path / "mpirun", f'printf "{version}\\n"')
    assert programs.find_launcher(mpirun).name == name
    assert programs.launcher_version(mpirun) == number


def test_a_launcher_that_is_not_known_or_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"--version says 'jobstart 1\.0', expected one of hydra"):
        programs.find_launcher(script(tmp_path / "mpirun", "echo jobstart 1.0"))
    with pytest.raises(
        MissingError, match=r"fails \(srun: error: no config\); it is installed, but not set up"
    ):
        programs.find_launcher(script(tmp_path / "srun", "echo srun: error: no config; exit 1"))
    with pytest.raises(MissingError, match="was not found; install MPICH or Open MPI"):
        programs.find_launcher(str(tmp_path / "mpirun.lost"))
    with pytest.raises(MissingError, match=r"was not found; install Slurm \(Debian: slurm-client\)"):
        programs.find_launcher(str(tmp_path / "lost" / "srun"))
    for name in ("aprun", "prterun"):
        with pytest.raises(InputError, match=f"'{name}' is no launcher that corewise knows by its name"):
            programs.find_launcher(name)
    lost = parse_command(["mpirun", "-n", "1", "/nowhere/app"], LAUNCHERS["openmpi4"].options)
    with pytest.raises(MissingError, match="program '/nowhere/app' was not found"):
        programs.find_programs(lost, LAUNCHERS["openmpi4"])


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["----------", "There are not enough slots"], "There are not enough slots"),
        (["[h:1] unable to open mca_btl_openib (ignored)", "no route to n1"], "no route to n1"),
        (["UCX  WARN  unused variable"], "UCX  WARN  unused variable"),
        (["srun: error: lookup failed", "srun: fatal: no configuration"], "srun: fatal: no configuration"),
        (["--"], ""),
    ],
)
def test_the_reason_of_a_failure_is_no_line_of_noise(lines, reason):
    assert programs.reason_in("\n".join(lines)) == reason


@pytest.mark.parametrize(
    ("name", "text"), [("job.sh", "true"), ("night.sbatch", "true"), ("night", "#SBATCH -n 4")]
)
def test_a_job_script_is_told_from_a_launcher(tmp_path, name, text):
    with pytest.raises(InputError, match="is a job script; corewise takes the command in it"):
        programs.find_launcher(script(tmp_path / name, text))


def test_a_shell_in_place_of_the_launcher_is_no_script():
    with pytest.raises(InputError, match="'bash' is a shell; corewise takes the command in it: a launcher"):
        programs.find_launcher("bash")


def test_a_launcher_that_is_exported_only_is_refused_with_the_next_step(tmp_path):
    with pytest.raises(InputError, match="`corewise export --for flux` writes the command"):
        programs.find_launcher(script(tmp_path / "flux", "true"))


def test_a_name_of_two_launchers_is_that_of_the_one_whose_version_it_prints(tmp_path):
    hydra = script(tmp_path / "mpiexec.hydra", "echo HYDRA build details:")
    assert programs.find_launcher(hydra).name == "hydra"
    intel = script(tmp_path / "mpiexec.hydra", "echo 'Intel(R) MPI Library for Linux* OS, Version 2021.9'")
    with pytest.raises(InputError, match="`corewise export --for intel-mpi` writes the command"):
        programs.find_launcher(intel)


@pytest.mark.parametrize("name", ["app", "python3", "mpirunner", "my-mpirun"])
def test_a_program_in_the_launcher_s_place_is_not_started_to_ask_its_version(tmp_path, name):
    program = script(tmp_path / name, f"touch {tmp_path}/started")
    with pytest.raises(
        InputError, match="no launcher that corewise knows by its name; expected mpiexec, mpirun"
    ):
        programs.find_launcher(program)
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("options", ["", "-wdir FOLDER", "--path FOLDER"])
def test_a_program_is_found_where_the_launcher_would_look(tmp_path, monkeypatch, options):
    app = script(tmp_path / "app", "true")
    here = tmp_path if not options else tmp_path.parent
    monkeypatch.chdir(here)
    name = "app" if "path" in options else "./app"
    command = parse_command(
        ["mpirun", *options.replace("FOLDER", str(tmp_path)).split(), name], LAUNCHERS["openmpi4"].options
    )
    assert os.path.samefile(programs.find_programs(command, LAUNCHERS["openmpi4"])[0], app)


def test_the_program_behind_a_wrapper_is_the_one_that_says_which_mpi_it_loads(tmp_path):
    app = script(tmp_path / "app", "true")
    found = {}
    for words in (["env", "A=b", app], ["env", "-C", str(tmp_path), "./app"]):
        command = parse_command(["mpirun", *words], LAUNCHERS["openmpi4"].options)
        found[words[1]] = programs.find_programs(command, LAUNCHERS["openmpi4"])[0]
    assert found == {"A=b": app, "-C": shutil.which("env")}


@pytest.fixture
def program_loading(tmp_path, monkeypatch):
    """The path of a program that loads a library, according to a substitute for ldd."""

    def make(library: str) -> str:
        script(tmp_path / "ldd", f'echo "\t{library} => /usr/lib/{library} (0x00007f)"')
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
        return script(tmp_path / "app", "true")

    return make


def family_of(program: str, launcher: Launcher) -> str:
    return programs.family_of_all(Command(launcher.start, [Program([], [program])]), launcher)


LIBRARIES = [("libmpi.so.40", "openmpi"), ("libmpich.so.12", "mpich"), ("libmpi.so.12", "mpich")]


@pytest.mark.parametrize(("library", "family"), LIBRARIES)
def test_one_launcher_starts_programs_of_two_families_and_the_program_says_which(
    program_loading, library, family
):
    program = program_loading(library)
    assert family_of(program, TWO_FAMILIES) == family
    command = parse_command([*TWO_FAMILIES.start, "-n2", program], TWO_FAMILIES.options)
    job = Job(command, ["n1"], "/job", Injection("/bind"), family=family_of(program, TWO_FAMILIES))
    placed = TWO_FAMILIES.plan(Placement("m", "f", ["f"], [0, 0], [[1], [0]], [[1], [0]]), job)
    connection = {"openmpi": "--mpi=pmix", "mpich": "--mpi=pmi2"}[family]
    assert placed.argv == ["run2", "start", connection, "-n", "2", "/bind", "/job/bind.txt", "--", program]


def test_a_program_of_another_family_than_the_launchers_is_refused(program_loading):
    program = program_loading("libmpi.so.40")
    with pytest.raises(InputError, match="was built with openmpi, but the launcher is hydra"):
        family_of(program, LAUNCHERS["hydra"])


def test_a_script_is_of_the_launchers_family_where_that_has_one_only(program_loading):
    program = program_loading("libc.so.6")
    assert family_of(program, LAUNCHERS["hydra"]) == "mpich"
    with pytest.raises(InputError, match=r"several \(mpich, openmpi\); name the MPI program itself"):
        family_of(program, TWO_FAMILIES)


@pytest.mark.parametrize("launcher", [*LAUNCHERS.values(), TWO_FAMILIES], ids=lambda row: row.name)
def test_a_launchers_families_are_known_ones(launcher):
    assert launcher.families and set(launcher.families) <= set(MPI_LIBRARIES)
