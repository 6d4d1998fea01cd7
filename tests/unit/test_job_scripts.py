"""`export --script`: each script runs with substitutes for the launcher, and wrong input is refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from click.testing import CliRunner
from corewise.batch import BATCH_SYSTEMS
from corewise.cli import cli
from corewise.files.table import Table
from corewise.nouns.launch_plan import JobScript
from corewise.nouns.placement import Placement

# Prints its arguments and the host files, then starts the program once.
LAUNCHER = """#!/bin/bash
echo "words: $*"
for file in corewise_job_*/hosts corewise_job_*/rankfile; do [ -f "$file" ] && cat "$file"; done
while [ "$1" != sh ] && [ "$1" != ./app ] && [ $# -gt 0 ]; do shift; done
PMI_RANK=0 "$@"
"""


@pytest.fixture
def folder(tmp_path):
    """A placement of two ranks that starts on the second node, and the programs of each batch system."""
    placement = Placement("two", "f", ["f"] * 2, [1, 0], [[0], [1]], [[0], [1]])
    placement.write(tmp_path / "place.json")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("awk", "bash", "cat", "grep", "mktemp", "sh", "sort", "uname"):
        (programs / name).symlink_to(shutil.which(name))
    texts = {
        "mpirun": LAUNCHER,
        "srun": LAUNCHER,
        "scontrol": "#!/bin/bash\n[ \"$3\" = 'a,b' ] && printf 'a\\nb\\n'\n",
        "flux": LAUNCHER.replace("\n", '\n[ "$1" = hostlist ] && echo a b && exit\n', 1),
    }
    for name, text in texts.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (tmp_path / "nodes").write_text("a\na\nb\nb\n")
    (tmp_path / "app").write_text('#!/bin/sh\necho "app: $*"\nexit 7\n')
    (tmp_path / "app").chmod(0o755)
    return tmp_path


def export(*words: str):
    return CliRunner().invoke(cli, ["export", *words])


# batch system -> the environment of a job on the hosts a and b, and what its launcher must get
JOBS = {
    "flux": ({"FLUX_URI": "local:"}, ["words: run -n 2 -N 2", "--requires=host:b,a", "b\na\n"]),
    "lsf": ({"LSB_MCPU_HOSTS": "a 4 b 4"}, ["rank 0=b slot=0\nrank 1=a slot=1\n"]),
    "pbs": (
        {"PBS_NODEFILE": "{folder}/nodes", "PBS_O_WORKDIR": "{folder}"},
        ["rank 0=b slot=0\nrank 1=a slot=1\n"],
    ),
    "slurm": ({"SLURM_JOB_NODELIST": "a,b"}, ["words: --distribution=arbitrary", "b\na\n"]),
}


def filled_in(script: str) -> str:
    assert script.count("FILL IN") == 2 and "\napp=()  #" in script
    return script.replace("\napp=()", "\napp=(./app 'an input')")


@pytest.mark.parametrize("name", BATCH_SYSTEMS)
def test_a_script_names_the_hosts_of_its_job_and_keeps_the_program_s_exit_code(name, folder):
    environment, expected = JOBS[name]
    written = export(str(folder / "place.json"), "--script", name, "-o", str(folder / "job"))
    assert written.exit_code == 0 and "fill in the lines marked FILL IN, then run " in written.stderr
    (folder / "job").write_text(filled_in((folder / "job").read_text()))
    done = subprocess.run(
        ["bash", "job"],
        cwd=folder,
        env={"PATH": str(folder / "bin")}
        | {key: value.format(folder=folder) for key, value in environment.items()},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (7, "")
    for text in expected:
        assert text in done.stdout
    assert "app: an input\n" in done.stdout
    assert f"rank 0 on {os.uname().nodename}: Cpus_allowed_list:" in done.stdout
    assert len(list(folder.glob("corewise_job_*"))) == 1
    refused = "# Open MPI 5.0.7 and 5.0.8 refuse a rankfile with '-' in its path: submit from a folder"
    assert (refused in (folder / "job").read_text()) == (name in ("lsf", "pbs"))


def test_a_script_without_its_program_says_what_to_fill_in(folder):
    script = export(str(folder / "place.json"), "--script", "slurm").stdout
    done = subprocess.run(["bash"], input=script, cwd=folder, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (2, "Fill in the line app=(...) of this script.\n")
    assert list(folder.glob("corewise_job_*")) == []


def test_the_document_of_a_script_has_a_format(folder):
    words = [str(folder / "place.json"), "--script", "slurm"]
    document = json.loads(export(*words, "--json").stdout)
    assert JobScript.from_table(Table(folder, "", document)).script == export(*words).stdout


CHECKERS = [["bash", "-n"], *([["shellcheck", "-"]] if shutil.which("shellcheck") else [])]


@pytest.mark.parametrize("checker", CHECKERS, ids=lambda words: words[0])
@pytest.mark.parametrize("name", BATCH_SYSTEMS)
def test_checkers_of_shell_scripts_find_nothing(name, checker, folder):
    script = export(str(folder / "place.json"), "--script", name, "--omp-places").stdout
    done = subprocess.run(checker, input=script, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_script_replaces_no_file(folder):
    before = (folder / "place.json").read_text()
    done = export(str(folder / "place.json"), "--script", "slurm", "-o", str(folder / "place.json"))
    assert "place.json: already exists; choose another name or remove it" in str(done.exception)
    assert (folder / "place.json").read_text() == before
