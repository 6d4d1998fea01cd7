"""What is found on a machine, and what is missing: synthetic launchers on PATH."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError, MissingError
from corewise.files.table import Table
from corewise.installation import capabilities
from corewise.installation.capabilities import CAPABILITIES, MANAGERS, Here, found_of, manager_of
from corewise.nouns.installation import MAIN_JOB, Installation
from corewise.start import programs
from test_programs import script

OPEN_MPI, HYDRA = "echo 'mpirun (Open MPI) 4.1.4'", "printf 'HYDRA build details:\\n    Version: 4.0.2\\n'"


@pytest.fixture
def path(tmp_path, monkeypatch) -> Path:
    """An empty folder, the only one on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_a_launcher_is_one_with_all_its_names(path):
    script(path / "orterun", OPEN_MPI)
    for name in ("mpirun", "mpiexec.openmpi"):
        (path / name).symlink_to("orterun")
    for name in ("mpiexec.mpich", "mpirun.mpich"):  # two names of one MPI
        script(path / name, HYDRA)
    for name in ("mpirunner", "prterun", "mpiexec.gforker"):  # names of no launcher
        script(path / name, OPEN_MPI)
    found = capabilities.look_around()
    assert [(one.title, one.names) for one in found.mpis] == [
        ("MPICH 4.0.2", ("mpirun.mpich", "mpiexec.mpich")),
        ("Open MPI 4.1.4", ("mpirun", "orterun", "mpiexec.openmpi")),
    ]
    assert found.troubles == {}


def test_the_first_of_a_name_on_path_is_the_one_that_a_user_starts(tmp_path, monkeypatch):
    for folder, text in (("first", HYDRA), ("second", OPEN_MPI)):
        (tmp_path / folder).mkdir()
        script(tmp_path / folder / "mpirun", text)
    monkeypatch.setenv("PATH", f"{tmp_path}/first:{tmp_path}/lost:{tmp_path}/second")
    assert [one.title for one in capabilities.look_around().launchers] == ["MPICH 4.0.2"]


def test_launchers_that_cannot_be_used_say_why(path):
    script(path / "srun", "echo 'srun: error: no config'; exit 1")
    script(path / "mpirun", "echo jobstart 1.0")
    (path / "mpiexec").write_text("not a program")
    (path / "mpiexec").chmod(0o755)
    found = capabilities.look_around()
    assert found.launchers == []
    assert {name: trouble.partition(" (")[0] for name, trouble in found.troubles.items()} == {
        "mpiexec": "`mpiexec --version` did not answer",
        "mpirun": "'mpirun' is no launcher that corewise knows: --version says 'jobstart 1.0', "
        "expected one of hydra, openmpi4, openmpi5, srun",
        "srun": "'srun --version' fails",
    }


def test_a_launcher_that_hangs_is_ended_with_what_it_started(path, monkeypatch):
    monkeypatch.setattr(capabilities, "TIMEOUT_S", 0.3)
    script(path / "mpirun", f"/bin/sleep 97 & echo $! > {path}/pid; wait")
    begin_s = time.monotonic()
    found = capabilities.look_around()
    assert time.monotonic() - begin_s < 10
    assert "timed out after 0.3 seconds" in found.troubles["mpirun"]
    deadline_s = time.monotonic() + 10
    while Path(f"/proc/{(path / 'pid').read_text().strip()}").exists():
        assert time.monotonic() < deadline_s, "what the launcher started still runs"
        time.sleep(0.01)


def raises(error: Exception):
    def raising(here: Here):
        raise error

    return raising


@pytest.mark.parametrize(
    ("error", "install"),
    [
        (MissingError("no mpirun"), "apt-get install openmpi-bin libopenmpi-dev"),
        (InputError("too old"), ""),  # installing it again doesn't help
        (PermissionError(13, "Permission denied"), ""),
    ],
)
def test_what_cannot_be_used_says_why_and_what_to_install(error, install):
    row = replace(CAPABILITIES[MAIN_JOB], look=raises(error))
    found = found_of(row, capabilities.look_around(), "apt")
    assert (found.works, found.found, found.install) == (False, str(error), install)


@pytest.mark.parametrize(
    ("release", "manager"),
    [
        ({"ID": "debian"}, "apt"),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, "apt"),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, "dnf"),
        ({"ID": "arch"}, ""),
        ({}, ""),
    ],
)
def test_the_package_manager_is_that_of_the_system(release, manager):
    assert manager_of(release) == manager


def test_without_packages_of_the_system_those_of_pip_are_named():
    assert CAPABILITIES["kaminpar"].to_install("apt") == "pip install kaminpar"
    assert CAPABILITIES["otf2"].to_install("") == "pip install otf2"
    assert CAPABILITIES["binding"].to_install("apt") == ""
    assert {manager for row in CAPABILITIES.values() for manager in row.packages} == set(MANAGERS)


def test_a_machine_with_nothing_is_told_what_to_install(path, monkeypatch):
    monkeypatch.setattr("corewise.files.otf2_archive.SYSTEM_PYTHON", str(path / "python3"))
    monkeypatch.setattr("corewise.installation.capabilities.manager_of", lambda release: "apt")
    done = CliRunner().invoke(cli, ["check", "--installation", "--json"], standalone_mode=False)
    assert done.return_value == 1
    document = json.loads(done.stdout)
    found = {one["name"]: one for one in document["capabilities"]}
    assert found[MAIN_JOB]["found"] == "no mpirun or mpiexec of Open MPI or MPICH is on PATH"
    assert found[MAIN_JOB]["install"] == "apt-get install openmpi-bin libopenmpi-dev"
    assert found["smpi"]["found"].startswith("smpirun was not found")
    assert found["emulation"]["found"] == "netns: ip was not found; install Debian's iproute2"
    assert found["machine"]["works"] and found["binding"]["works"]
    read = Installation.from_table(Table(Path("answer"), "", document))
    assert read.to_json() == document and not read.works


def test_without_hwloc_s_library_its_package_is_named(path, monkeypatch):
    loader = "echo topology: error while loading shared libraries: libhwloc.so.15: cannot open shared object"
    topology = script(path / "topology", f"{loader} file: No such file or directory >&2; exit 127")
    monkeypatch.setattr(capabilities, "native", lambda name: topology)
    machine = found_of(CAPABILITIES["machine"], capabilities.look_around(), "apt")
    assert machine.advice == "the library libhwloc.so.15 was not found; apt-get install libhwloc15"


def without_the_core(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    call = "import sys; sys.modules['corewise._core'] = None; sys.argv[0] = 'corewise'; "
    return subprocess.run(
        [sys.executable, "-c", f"{call} from corewise.cli import main; main()", *words],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


def test_without_the_core_the_installation_is_listed_and_a_tab_prints_no_error(path):
    done = without_the_core("check", "--installation")
    assert done.returncode == 1
    assert done.stdout.endswith("corewise can't trace or run MPI programs here.\n")
    words = {"COMP_WORDS": "corewise map --machine dr", "COMP_CWORD": "3"}
    done = without_the_core(_COREWISE_COMPLETE="bash_complete", **words)
    assert (done.stdout, done.stderr) == ("file,dr\n", "")


def version(path: str) -> list[str]:
    argv = [sys.executable, "-m", "corewise", "--version"]
    return programs.output_of(["/usr/bin/env", f"PATH={path}", *argv]).splitlines()


def test_the_version_lists_what_is_found_and_what_is_missing(tmp_path):
    script(tmp_path / "mpirun", OPEN_MPI)
    script(tmp_path / "srun", "echo 'srun: error: no config'; exit 1")
    first, *lines = version(f"{tmp_path}:{os.defpath}")
    assert first == f"corewise, version {programs.version_in(first)}"
    words = [line.split() for line in lines]
    assert ["Open", "MPI", "4.1.4", "mpirun", "openmpi"] in words
    assert any(line.startswith("  machine ") and "hwloc 2." in line for line in lines)
    assert any(line.startswith("  srun ") and "not set up on this host" in line for line in lines)
