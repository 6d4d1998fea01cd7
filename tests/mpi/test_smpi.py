"""corewise simulate --engine smpi with SimGrid itself: times that can be computed by hand, and failures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import mpi_jobs
import pytest
from corewise.machines import load, presets
from corewise.model import Assignment, Machine
from corewise.nouns.placement import Placement
from corewise.simulation.smpi import SimGrid, run_smpirun
from corewise.simulation.smpi_platform import host_name, platform_xml

COREWISE = str(Path(sys.executable).with_name("corewise"))
TIMEOUT_S = 120
MIB = 1 << 20

# Two packages of two cores. Both packages together get 3 GB/s, one alone gets 2 GB/s.
BUS = """
format = "corewise-machine"
version = 1
name = "bus"
summary = "two packages on one bus"
node = "pack:2 core:2 pu:1"
[levels.package]
latency_s = 0.0
bandwidth_bytes_per_s = 9e9
source = "made up"
[levels.node]
latency_s = 0.0
bandwidth_bytes_per_s = 2e9
source = "made up"
loads = [[1, 1, 1, 2e9, 2e9, 2e9], [2, 2, 1, 2.5e9, 2.5e9, 2.5e9], [2, 2, 2, 3e9, 3e9, 3e9]]
"""

# Switches of two nodes each, with 1 GB/s per node. Each switch has 1.5 GB/s to the switch above it.
FAT_TREE = """
format = "corewise-machine"
version = 1
name = "fat-tree"
summary = "switches of two nodes"
node = "core:1 pu:1"
[[network]]
name = "leaf"
children = 2
[[network]]
name = "spine"
[levels.leaf]
latency_s = 0.0
bandwidth_bytes_per_s = 1e9
source = "made up"
[levels.spine]
latency_s = 0.0
bandwidth_bytes_per_s = 1.5e9
source = "made up"
"""


def built(compiler: str, source: str, folder: Path) -> str:
    """One of programs/, compiled by SimGrid's compiler. Skips the test if that is missing."""
    if shutil.which("smpirun") is None or shutil.which(compiler) is None:
        pytest.skip(f"smpirun or {compiler} was not found: scripts/setup --test installs SimGrid")
    out = folder / "simulated"
    subprocess.run(
        [compiler, "-w", "-O1", str(mpi_jobs.PROGRAMS / source), "-o", str(out)], check=True, timeout=120
    )
    return str(out)


@pytest.fixture(scope="session")
def program(tmp_path_factory) -> str:
    return built("smpicc", "simulated.c", tmp_path_factory.mktemp("smpi"))


def simulate(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs `corewise simulate --engine smpi --json` with its temporary files below `folder`."""
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    argv = [COREWISE, "simulate", "--engine", "smpi", "--json", *words]
    environment = os.environ | {"TMPDIR": str(temporary)}
    done = subprocess.run(
        argv, env=environment, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S
    )
    assert list(temporary.iterdir()) == [], "a simulation left files"
    return done


def simulated(folder: Path, *words: str) -> dict:
    done = simulate(folder, *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def placed(folder: Path, machine: Machine, placements: dict[str, list[int]]) -> list[str]:
    """Writes placements, given as the core of each rank; returns the --placement options."""
    words = []
    for name, cores in placements.items():
        path = folder / f"{name}.json"
        Placement.of(Assignment.from_cores(cores), machine).write(path)
        words += ["--placement", str(path)]
    return words


def test_a_message_takes_the_latency_of_its_level_and_the_bandwidth_of_the_slowest_link(program, tmp_path):
    machine = load("draco:2")
    meeting = [machine.meeting_level(0, core) for core in range(machine.n_cores)]
    placements = {level.name: [0, meeting.index(k)] for k, level in enumerate(machine.levels, 1)}
    common = ["--machine", "draco:2", "--compute-factor", "0", *placed(tmp_path, machine, placements), "--"]
    for size in (8, MIB):
        runs = simulated(tmp_path, *common, program, "pingpong", str(size), "10")["runs"]
        slowest = float("inf")
        for level, run in zip(machine.levels, runs, strict=True):
            slowest = min(slowest, level.link.bandwidth_bytes_per_s)
            expected_s = 20 * (level.link.latency_s + size / slowest)
            assert run["makespan_s"] == pytest.approx(expected_s, rel=0.02), (level.name, size)
            assert run["comm_s"] == run["makespan_s"]


def test_links_on_one_bus_share_what_was_measured_for_all_of_them(program, tmp_path):
    # Ranks 0 and 1 send to 2 and 3, in opposite directions between the packages: 2 GB/s alone, 3 GB/s for
    # both on the bus.
    (tmp_path / "bus.toml").write_text(BUS)
    path = str(tmp_path / "bus.toml")
    words = placed(tmp_path, load(path), {"both": [0, 2, 3, 1], "one": [0, 2]})
    common = ["--machine", path, "--compute-factor", "0"]
    both = simulated(tmp_path, *common, *words[:2], "--", program, "pairs", str(MIB), "10")
    assert both["makespan_s"] == pytest.approx(2 * 10 * MIB / 3e9, rel=0.02)
    one = simulated(tmp_path, *common, *words[2:], "--", program, "pairs", str(MIB), "10")
    assert one["makespan_s"] == pytest.approx(10 * MIB / 2e9, rel=0.02)


def test_nodes_of_a_fat_tree_share_the_links_of_their_switch(program, tmp_path):
    # Ranks 0 and 1 send to 2 and 3: each pair below one switch, or both pairs by the upper switch.
    (tmp_path / "fat-tree.toml").write_text(FAT_TREE)
    machine = f"{tmp_path / 'fat-tree.toml'}:4"
    words = placed(tmp_path, load(machine), {"under": [0, 2, 1, 3], "over": [0, 1, 2, 3]})
    common = ["--machine", machine, "--compute-factor", "0", *words, "--", program, "pairs", str(MIB), "10"]
    under, over = (run["makespan_s"] for run in simulated(tmp_path, *common)["runs"])
    assert under == pytest.approx(10 * MIB / 1e9, rel=0.02)
    assert over == pytest.approx(2 * 10 * MIB / 1.5e9, rel=0.02)


def test_a_program_in_fortran_runs_as_it_is(tmp_path):
    # Four ranks of one package: each l2 link carries 8000 bytes each way, 0.9 + 8000 / 2500 us.
    if shutil.which("gfortran") is None:
        pytest.skip("gfortran was not found")
    ring = built("smpif90", "simulated.f90", tmp_path)
    run = simulated(tmp_path, "--machine", "draco:2", "-n", "4", "--compute-factor", "0", "--", ring)
    assert run["makespan_s"] == pytest.approx(0.9e-6 + 8000 / 2.5e9, rel=0.02)


@pytest.mark.parametrize(
    ("family", "what", "n_ranks"),
    [
        ("openmpi", "ring", 4),
        ("mpich", "ring", 4),
        ("openmpi", "requests", 4),
        ("openmpi", "collectives", 4),
        ("openmpi", "alltoallv", 4),
        ("openmpi", "broadcasts", 8),  # SimGrid 3.32 crashes with Open MPI's algorithm for these
    ],
)
def test_a_replay_takes_as_long_as_the_program_itself(family, program, compiled, tmp_path, what, n_ranks):
    arguments = [what, "5000", "3"]
    profile = tmp_path / "profile"
    traced = [str(compiled(family, "simulated.c")), *arguments]
    job = mpi_jobs.run(family, n_ranks, traced, profile, COREWISE_MODE="events")
    assert job.returncode == 0, job.stderr
    common = ["--machine", "draco:2", "--compute-factor", "0"]
    live = simulated(tmp_path, *common, "-n", str(n_ranks), "--", program, *arguments)
    replay = simulated(tmp_path, *common, str(profile))
    assert live["makespan_s"] > 0
    assert replay["makespan_s"] == pytest.approx(live["makespan_s"], rel=1e-3)
    assert (live["source"], replay["source"], replay["engine"]) == ("simulated", "simulated", "smpi")


def test_what_ranks_computed_is_replayed_scaled(program, compiled, tmp_path):
    profile = tmp_path / "profile"
    traced = [str(compiled("openmpi", "simulated.c")), "ring", "100000", "50"]
    assert mpi_jobs.run("openmpi", 2, traced, profile, COREWISE_MODE="events").returncode == 0
    once, thrice = (
        simulated(tmp_path, "--machine", "draco:2", "--compute-factor", factor, str(profile))
        for factor in ("1", "3")
    )
    computing_s = once["makespan_s"] - once["comm_s"]
    assert computing_s > 0
    assert thrice["makespan_s"] - thrice["comm_s"] == pytest.approx(3 * computing_s, rel=0.01)


@pytest.mark.parametrize(
    ("what", "limit_s", "why"),
    [
        ("abort", 100, "the program called MPI_Abort"),
        ("leave", 100, "a rank ended without MPI_Finalize"),
        ("deadlock", 100, "deadlock: ranks wait for messages that nobody sends"),
        ("hang", 2, "was ended after 2 s (--timeout)"),
        ("memory", 100, "the simulation failed"),
    ],
)
def test_a_simulation_that_fails_has_no_time_and_leaves_nothing(program, tmp_path, what, limit_s, why):
    limits = ["-n", "2", "--timeout", str(limit_s)]
    done = simulate(tmp_path, "--machine", "draco:2", *limits, "--", program, what)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith("corewise: placement 'block': the simulation")
    assert why in done.stderr and "it has no time" in done.stderr
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not any(str(tmp_path).encode() in command for command in commands)


def test_a_program_of_another_mpi_is_told_how_to_be_built(program, compiled, tmp_path):
    ordinary = str(compiled("openmpi", "simulated.c"))
    done = simulate(tmp_path, "--machine", "draco:2", "-n", "2", "--", ordinary)
    assert done.returncode == 2
    assert (
        "was built for openmpi; the engine smpi runs programs that SimGrid's compilers built" in done.stderr
    )
    assert "smpicc" in done.stderr
    done = simulate(tmp_path, "--machine", "draco:2", "-n", "2", "--", program, "a b")
    assert done.returncode == 2 and "the argument 'a b' would not reach the program" in done.stderr


def test_simgrid_reads_the_platform_of_every_preset(program, tmp_path):
    simgrid = SimGrid.find()
    for preset in presets():
        machine, place = load(f"{preset}:2"), tmp_path / preset
        place.mkdir()
        (place / "platform.xml").write_text(platform_xml(machine, range(machine.n_cores)))
        (place / "hosts").write_text(f"{host_name(0)}\n{host_name(machine.n_cores - 1)}\n")
        files = ["-platform", str(place / "platform.xml"), "-hostfile", str(place / "hosts")]
        argv = [
            simgrid.smpirun,
            "-quiet",
            *files,
            *simgrid.options(machine, 0),
            program,
            "pingpong",
            "0",
            "1",
        ]
        found = run_smpirun(argv, place, None, TIMEOUT_S, 2)
        latency_s = max(level.link.latency_s for level in machine.levels)
        assert found.time_s == pytest.approx(2 * latency_s, rel=0.02)
