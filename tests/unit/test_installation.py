"""What is found on a machine and what works: synthetic launchers on PATH, capabilities with known results."""

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
from corewise.execute import programs
from corewise.files.table import Table
from corewise.installation import CAPABILITIES, Capability, Here, check_installation, here, looked_for
from corewise.installation.capability import MANAGERS
from corewise.installation.system import System, system_of
from corewise.nouns.installation import MAIN_JOB, Installation, Trial
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
    found = here.look_around()
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
    assert [one.title for one in here.look_around().launchers] == ["MPICH 4.0.2"]


def test_launchers_that_cannot_be_used_say_why(path):
    script(path / "srun", "echo 'srun: error: no config'; exit 1")
    script(path / "mpirun", "echo jobstart 1.0")
    (path / "mpiexec").write_text("not a program")
    (path / "mpiexec").chmod(0o755)
    script(path / "flux", "exit 1")
    found = here.look_around()
    assert found.launchers == []
    assert found.exported == ["flux"]
    assert {name: trouble.partition(" (")[0] for name, trouble in found.troubles.items()} == {
        "mpiexec": "`mpiexec --version` did not answer",
        "mpirun": "'mpirun' is no launcher that corewise knows: --version says 'jobstart 1.0', "
        "expected one of hydra, openmpi4, openmpi5, srun",
        "srun": "'srun --version' fails",
    }


def test_a_launcher_that_hangs_is_ended_with_what_it_started(path, monkeypatch):
    monkeypatch.setattr(here, "TIMEOUT_S", 0.3)
    script(path / "mpirun", f"/bin/sleep 97 & echo $! > {path}/pid; wait")
    begin_s = time.monotonic()
    found = here.look_around()
    assert time.monotonic() - begin_s < 10
    assert "timed out after 0.3 seconds" in found.troubles["mpirun"]
    deadline_s = time.monotonic() + 10
    while Path(f"/proc/{(path / 'pid').read_text().strip()}").exists():
        assert time.monotonic() < deadline_s, "what the launcher started still runs"
        time.sleep(0.01)


def row(name: str = MAIN_JOB, **given: object) -> Capability:
    return replace(CAPABILITIES[MAIN_JOB], name=name, **given)


def raises(error: Exception):
    def raising(here: Here):
        raise error

    return raising


def answering(*works: bool):
    return lambda here: [Trial(f"MPI {number}", one, "as expected") for number, one in enumerate(works)]


@pytest.mark.parametrize(("works", "answer"), [([True, False], True), ([False], False)])
def test_the_main_job_decides_and_one_mpi_is_enough(path, works, answer):
    rows = [row(attempt=answering(*works)), row("other", attempt=answering(not answer))]
    said: list[str] = []
    found = check_installation(said.append, rows)
    assert (found.works, said) == (answer, [MAIN_JOB, "other"])
    assert [one.works for one in found.capabilities] == [answer, not answer]


@pytest.mark.parametrize(
    ("error", "install"),
    [
        (MissingError("no mpirun"), "apt-get install openmpi-bin libopenmpi-dev"),
        (InputError("too old"), ""),  # installing it again doesn't help
        (ImportError("libmpi.so"), ""),
        (PermissionError(13, "Permission denied"), ""),
    ],
)
def test_what_goes_wrong_is_a_trial_that_failed(path, monkeypatch, error, install):
    monkeypatch.setattr("corewise.installation.this_system", lambda: System("Debian", "apt"))
    (tried,) = check_installation(lambda name: None, [row(attempt=raises(error))]).capabilities
    assert (tried.works, tried.trials) == (False, [Trial(MAIN_JOB, False, str(error))])
    assert tried.install == install
    assert set(tried.packages) == set(MANAGERS)


def test_srun_fits_an_mpi_that_speaks_one_of_its_interfaces(path):
    listed = "MPI plugin types are...; echo '  none'; echo '  pmi2'; echo '  cray_shasta'"
    script(path / "srun", f'[ "$1" = --version ] && echo slurm 23.11.1 || {{ echo {listed}; }}')
    found = replace(here.look_around(), preload={"mpich": "there", "openmpi": "there"})
    assert CAPABILITIES["srun"].attempt(found) == [
        Trial("Slurm 23.11.1 and mpich", True, "srun has --mpi=pmi2"),
        Trial("Slurm 23.11.1 and openmpi", False, "srun lacks --mpi=pmix"),
    ]


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
    assert system_of(release).manager == manager


def test_without_packages_of_the_system_those_of_pip_are_named():
    assert CAPABILITIES["kaminpar"].to_install("apt") == "pip install kaminpar"
    assert CAPABILITIES["otf2"].to_install("") == "pip install otf2"
    assert CAPABILITIES["page"].to_install("apt") == ""


@pytest.mark.parametrize("capability", CAPABILITIES.values(), ids=CAPABILITIES)
def test_packages_are_of_known_managers_and_a_look_raises_errors_of_ours_alone(path, capability):
    assert set(capability.packages) <= set(MANAGERS)
    (seen,) = [one for one in looked_for(here.look_around()) if one.capability is capability]
    assert not (seen.found and seen.trouble)


def test_a_machine_with_nothing_is_told_what_to_install(path, monkeypatch):
    monkeypatch.setattr("corewise.files.otf2_archive.SYSTEM_PYTHON", str(path / "python3"))
    done = CliRunner().invoke(cli, ["check", "--installation", "--json"], standalone_mode=False)
    assert done.return_value == 1
    document = json.loads(done.stdout)
    tried = {one["name"]: one for one in document["capabilities"]}
    assert tried[MAIN_JOB]["trials"][0]["found"] == "no mpirun or mpiexec of Open MPI or MPICH is on PATH"
    assert tried["smpi"]["trials"][0]["found"].startswith("smpirun was not found")
    assert tried["emulation"]["trials"][0]["found"] == "netns: ip was not found; install Debian's iproute2"
    assert tried["srun"]["packages"]["spack"] == ["slurm"]
    assert tried["page"]["works"] and tried["machine"]["works"]
    found = Installation.from_table(Table(Path("answer"), "", document))
    assert found.to_json() == document and not found.works


def test_the_text_has_a_line_for_each_trial_and_ends_with_the_verdict(monkeypatch):
    monkeypatch.setattr("corewise.installation.this_system", lambda: System("Debian", "apt"))
    rows = [
        row(attempt=answering(True, False)),
        row("smpi", serves="simulate", attempt=raises(MissingError("no"))),
    ]
    monkeypatch.setattr(check_installation, "__defaults__", (rows,))
    done = CliRunner().invoke(cli, ["check", "--installation"], standalone_mode=False)
    assert done.return_value == 0
    assert done.stdout.splitlines() == [
        "main-job: works (needed by tune, trace, run)",
        "  + MPI 0: as expected",
        "  - MPI 1: as expected",
        "smpi: does not work (needed by simulate)",
        "  - smpi: no",
        "  to install it: apt-get install openmpi-bin libopenmpi-dev",
        "",
        "Debian: the main job (trace, map, run) works with MPI 0.",
    ]


def test_without_hwloc_s_library_its_package_is_named(path, monkeypatch):
    monkeypatch.setattr("corewise.installation.this_system", lambda: System("Debian", "apt"))
    loader = "echo topology: error while loading shared libraries: libhwloc.so.15: cannot open shared object"
    topology = script(path / "topology", f"{loader} file: No such file or directory >&2; exit 127")
    monkeypatch.setattr("corewise.installation.trials.native", lambda name: topology)
    (tried,) = check_installation(lambda name: None, [CAPABILITIES["machine"]]).capabilities
    assert [trial.found for trial in tried.trials] == ["the library libhwloc.so.15 was not found"]
    assert tried.install == "apt-get install libhwloc15"


def without_the_core(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    call = "import sys; sys.modules['corewise._core'] = None; sys.argv[0] = 'corewise'; "
    return subprocess.run(
        [sys.executable, "-c", f"{call} from corewise.cli import main; main()", *words],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


def test_all_is_tried_where_the_core_cannot_be_loaded(path):
    done = without_the_core("check", "--installation")
    assert done.returncode == 1
    assert "page: does not work" in done.stdout and "no mpirun, mpiexec or srun is on PATH" in done.stdout


def test_a_tab_prints_nothing_where_the_core_cannot_be_loaded():
    words = {"COMP_WORDS": "corewise map --machine dr", "COMP_CWORD": "3"}
    done = without_the_core(_COREWISE_COMPLETE="bash_complete", **words)
    assert (done.stdout, done.stderr) == ("file,dr\n", "")


def test_a_command_is_not_taken():
    done = CliRunner().invoke(cli, ["check", "--installation", "--", "mpirun", "app"])
    assert done.exit_code == 2 and "expected no command" in done.output


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


def test_the_version_is_there_when_nothing_is(tmp_path):
    first, *lines = version(str(tmp_path))
    assert first.startswith("corewise, version ")
    assert any("no mpirun or mpiexec of Open MPI or MPICH is on PATH" in line for line in lines)
