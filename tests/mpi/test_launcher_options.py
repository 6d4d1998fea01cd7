"""The option tables, compared with the launchers: every option exists, with the same number of values.

A launcher reads its options before it acts, and names the first unknown option. If it accepts an option with
its values and then complains about an invented option, the table is right. With too few values it would take
the invented option for a value; with too many it would take a value for the program.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest
from corewise.launchers import LAUNCHERS

MADE_UP = "corewise-none"
TIMEOUT_S = 60

# `mpi` is the fixture of conftest.py, which skips the test if the MPI is missing.
openmpi4 = pytest.mark.parametrize("mpi", ["openmpi"], indirect=True)
openmpi5 = pytest.mark.parametrize("mpi", ["openmpi5"], indirect=True)
hydra = pytest.mark.parametrize("mpi", ["mpich"], indirect=True)

# Open MPI 5 knows these options by two names, and refuses both names in one command.
SECOND_NAMES = {"bindto", "mapby", "rankby", "rtos"}

# In Hydra's options.c since 4.1. Debian has 4.0.2.
FROM_HYDRA_4_1 = {"gpu-subdevs-per-proc", "hybrid-hosts", "memory-alloc-kinds", "rankmap", "report-bindings"}


def said(mpi, *words: str) -> str:
    """The launcher's output for a command."""
    done = subprocess.run(
        [mpi.mpirun, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_S,
    )
    return done.stdout + done.stderr


def unknown_in(mpi, launcher: str, leave_out: set[str]) -> str:
    """Open MPI's output for all options of its table except `leave_out`, followed by an invented option."""
    table = LAUNCHERS[launcher].options
    options = []
    for name, n_values in table.n_values.items():
        if name not in leave_out | table.starts_nothing:
            options += [table.as_written(name, "--"), *["7"] * n_values]
    return said(mpi, *options, f"--{MADE_UP}", "app")


@openmpi4
def test_open_mpi_4_has_every_option_of_its_table(mpi):
    assert f'unknown option "--{MADE_UP}"' in unknown_in(mpi, "openmpi4", set())


@openmpi5
@pytest.mark.parametrize("leave_out", [SECOND_NAMES, {"bind-to", "map-by", "rank-by", "runtime-options"}])
def test_open_mpi_5_has_every_option_of_its_table(mpi, leave_out):
    assert f"Option: --{MADE_UP}" in unknown_in(mpi, "openmpi5", leave_out)


@hydra
def test_hydra_has_every_option_of_its_table(mpi, tmp_path):
    (tmp_path / "empty").write_text("")
    table = LAUNCHERS["hydra"].options
    fitting = {"order-nodes": "ascending"} | {name: str(tmp_path / "empty") for name in table.host_file}
    fitting["configfile"] = str(tmp_path / "empty")
    wrong = {}
    for name in table.n_values.keys() - table.starts_nothing - FROM_HYDRA_4_1:
        values = [fitting.get(name, "7")] * table.n_values[name]
        text = said(mpi, f"-{name}", *values, f"-{MADE_UP}", "app")
        if f"unrecognized argument {MADE_UP}" not in text:
            wrong[name] = text
    assert wrong == {}


# Valid values for options that srun checks while it reads them.
SRUN_VALUES = {
    "accel-bind": "g",
    "b": "now",
    "begin": "now",
    "deadline": "now+1hour",
    "distribution": "block",
    "gpu-bind": "none",
    "gres-flags": "enforce-binding",
    "m": "block",
    "mail-type": "NONE",
    "mem-bind": "none",
    "open-mode": "append",
    "profile": "none",
}


@pytest.mark.skipif(shutil.which("srun") is None, reason="srun is not here")
def test_srun_has_every_option_of_its_table(tmp_path):
    # srun reads its configuration before its options. It contacts no daemon.
    configuration = tmp_path / "slurm.conf"
    configuration.write_text("ClusterName=c\nSlurmctldHost=localhost(127.0.0.1)\nNodeName=n\n")
    table = LAUNCHERS["srun"].options
    options = []
    for name in sorted(table.n_values.keys() - table.starts_nothing | {"hold", "test-only"}):
        options += [table.as_written(name, "-"), *[SRUN_VALUES.get(name, "7")] * table.n_values[name]]
    done = subprocess.run(
        ["srun", *options, f"--{MADE_UP}", "app"],
        env=os.environ | {"SLURM_CONF": str(configuration)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert f"unrecognized option '--{MADE_UP}'" in done.stderr


@openmpi4
def test_the_table_of_open_mpi_4_lists_what_its_help_lists(mpi):
    options = re.findall(r"^ {0,3}(-\S+)((?: <arg\d>)*)", said(mpi, "--help", "full"), re.M)
    listed = {name.strip("-"): values.count("<") for names, values in options for name in names.split("|")}
    assert len(listed) > 90
    assert {
        name: n for name, n in listed.items() if LAUNCHERS["openmpi4"].options.n_values.get(name) != n
    } == {}


@hydra
def test_the_table_of_hydra_lists_what_its_help_lists(mpi):
    lines = re.findall(r"^ {4}(-\S+) ", said(mpi, "-help"), re.M)
    listed = {name.lstrip("-") for names in lines for name in names.split("/")}
    assert len(listed) > 35
    assert listed <= LAUNCHERS["hydra"].options.n_values.keys()
