"""The workloads on every MPI: the same result on any number of processes, and errors for bad input."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from corewise.errors import MissingError
from corewise_laboratory.microbench import FAMILIES
from corewise_laboratory.workloads import workload_command

# The smallest sizes that send messages.
SMALL = {
    "black-scholes": ["--scale", "1e-6"],
    "motif_1": ["--scale", "0.01", "--delta", "10000000"],
    "motif_2": ["--scale", "0.01", "--delta", "10000000"],
    "motif_5": ["--scale", "0.01", "--delta", "10000000"],
    "pi": ["--scale", "1e-5"],
    "triangles": ["--scale", "1e-4"],
}
TIMEOUT_S = 120


@pytest.fixture(params=FAMILIES)
def family(request) -> str:
    try:
        workload_command(1, [request.param])
    except MissingError as missing:
        pytest.skip(str(missing))
    return request.param


def test_the_command_on_the_path_becomes_the_launchers_program(family):
    *launcher, _program = workload_command(2, [family])
    script = Path(sys.executable).with_name("corewise-workload")
    done = subprocess.run(
        [*launcher, script, "pi", *SMALL["pi"], "--no-header"],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("pi,topology,2,")


def test_without_a_launcher_the_command_plays_its_processes_itself():
    script = Path(sys.executable).with_name("corewise-workload")
    command = [script, "triangles", *SMALL["triangles"], "--nodes", "3", "--no-header"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("triangles,topology,3,")


def start(family: str, n_processes: int, *arguments: str) -> subprocess.CompletedProcess:
    command = [*workload_command(n_processes, [family]), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)


@cache
def rows(family: str, n_processes: int, name: str) -> list[dict]:
    done = start(family, n_processes, name, *SMALL[name], "--repeats", "2")
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


@pytest.mark.parametrize("name", SMALL)
def test_results_do_not_depend_on_the_number_of_processes(family, name):
    results = {row["result"] for n in (1, 2, 4) for row in rows(family, n, name)}
    assert len(results) == 1
    assert float(results.pop()) > 0


@pytest.mark.parametrize("name", SMALL)
def test_a_row_says_what_ran(family, name):
    found = rows(family, 4, name)
    assert len(found) == 2
    for row in found:
        assert (row["workload"], row["processes"], row["policy"]) == (name, "4", "topology")
        assert float(row["seconds"]) > 0
        assert int(row["size"]) > 0
        assert int(row["threads"]) == int(row["workers"]) + int(row["helpers"]) + 1


def test_an_input_file_is_read_and_a_header_named(family, tmp_path):
    graph = tmp_path / "graph.txt"
    graph.write_text("from to\n0 1\n1 2\n2 0\n2 3\n3 0\n")
    refused = start(family, 2, "triangles", "--input", str(graph))
    assert refused.returncode != 0
    assert 'line 1: found "from to"' in refused.stderr
    done = start(family, 2, "triangles", "--input", str(graph), "--skip-lines", "1", "--no-header")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(",2")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["triangle"], 'found no workload "triangle"'),
        (["pi", "--scale", "none"], '--scale: found "none"'),
        (["pi", "--input", "x"], "--input: pi reads no file"),
        (["motif_1", "--pattern", "01,23"], "touches no earlier one"),
        (["pi", "--policy", "nearest"], "policy"),
    ],
)
def test_bad_input_is_one_sentence(family, arguments, sentence):
    done = start(family, 1, *arguments)
    assert done.returncode != 0
    assert sentence in done.stderr
