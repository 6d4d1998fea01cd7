"""corewise simulate without running a program: the choice of engines, rates of links, printed results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise import simulation
from corewise.cli import cli
from corewise.errors import InputError
from corewise.machines import load
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.simulation import ENGINES, Engine, Simulation, engine_for
from corewise.simulation.emulated_nodes import as_emulated, link_rate
from corewise.statistics import Interval

# Two nodes of two cores each, on a network of 12.5 MB/s.
MACHINE = "pe1550:2"
SWITCHES = """
format = "corewise-machine"
version = 1
name = "switches"
summary = "two switches"
nodes = 4
node = "core:2 pu:1"
[[network]]
name = "switch"
children = 2
[[network]]
name = "core-switch"
"""


def test_engines_are_sorted_by_name():
    assert list(ENGINES) == sorted(ENGINES)


def test_a_link_carries_the_machines_bandwidth_and_the_headers():
    # 12.5 MB/s = 100 Mbit/s of payload, 1448 of the 1514 bytes of a frame: 100 * 1514 / 1448 = 104.56.
    assert link_rate(load(MACHINE)) == pytest.approx(104.56e6, rel=1e-4)


def test_several_network_levels_are_refused(tmp_path):
    (tmp_path / "switches.toml").write_text(SWITCHES)
    with pytest.raises(InputError, match="has several network levels \\(switch, core-switch\\)"):
        link_rate(load(str(tmp_path / "switches.toml")))


def write_placement(path: Path, cores: list[int], machine: str = MACHINE) -> str:
    """Writes a placement with one rank on each of these cores, which are counted over all nodes."""
    Placement.of(Assignment.from_cores(cores), load(machine)).write(path)
    return str(path)


def run_of(label: str, app_s: float, exit_code: int = 0) -> Run:
    return Run(
        label, ["./app"], "emulated", [], wall_s=9.0, app_s=app_s, mpi_s=app_s / 2, exit_code=exit_code
    )


@pytest.fixture
def engine(monkeypatch):
    """A substitute for the engine "emulate": runs of 1, 2 and 3 s, ten times as long for placement 2."""

    def run(request) -> Simulation:
        factors = dict(zip(request.placements, (1.0, 10.0), strict=False))
        runs = {label: [run_of(label, f * s) for s in (1, 2, 3)] for label, f in factors.items()}
        return Simulation(runs, ["a note"])

    made = Engine("emulate", "as a test", "emulated", run, takes=("program", "matrix"), n_repeats=3)
    monkeypatch.setattr(simulation, "ENGINES", {"emulate": made})


def simulated(*words: str, of: tuple[str, ...] = ("--", "./app")) -> dict:
    """The document of `corewise simulate --engine emulate --json` on the machine."""
    given = ["simulate", "--engine", "emulate", "--machine", MACHINE, "--json", *words, *of]
    return json.loads(CliRunner().invoke(cli, given, catch_exceptions=False).stdout)


def test_one_placement_is_one_document_with_the_median_of_its_repeats(engine, tmp_path):
    path = write_placement(tmp_path / "p.json", [0, 1])
    document = simulated("--placement", path)
    assert (document["makespan_s"], document["comm_s"]) == (2.0, 1.0)
    assert document["interval_s"] == [1.0, 3.0]
    assert (document["engine"], document["source"], document["placement"]) == ("emulate", "emulated", path)
    assert document["notes"] == ["a note"]


def test_without_a_placement_block_order_is_taken(engine):
    assert simulated()["placement"] == "block"


def test_several_placements_are_several_runs_in_their_order(engine, tmp_path):
    paths = [write_placement(tmp_path / name, [0, 1]) for name in ("z.json", "a.json")]
    runs = simulated("--placement", paths[0], "--placement", paths[1])["runs"]
    assert [(run["placement"], run["makespan_s"]) for run in runs] == [(paths[0], 2.0), (paths[1], 20.0)]


def test_placements_of_one_name_stay_apart(engine, tmp_path):
    (tmp_path / "other").mkdir()
    paths = [write_placement(tmp_path / name, [0, 1]) for name in ("p.json", "other/p.json")]
    runs = simulated("--placement", paths[0], "--placement", paths[1])["runs"]
    assert [(run["placement"], run["makespan_s"]) for run in runs] == [(paths[0], 2.0), (paths[1], 20.0)]
    assert [run["repeats"][0]["label"] for run in runs] == ["p", "p-2"]


def test_an_input_says_its_ranks_itself(engine, tmp_path):
    (tmp_path / "m.txt").write_text("0 1 0\n0 0 1\n1 0 0\n")
    matrix = str(tmp_path / "m.txt")
    document = simulated(of=(matrix,))
    assert (document["placement"], document["makespan_s"]) == ("block", 2.0)


def test_an_engine_that_knows_its_error_states_the_interval_itself(monkeypatch):
    def run(request) -> Simulation:
        runs = {label: [run_of(label, 2.0)] for label in request.placements}
        return Simulation(runs, intervals={"block": Interval(1.5, 2.0, 4.0, 0.9)})

    made = Engine("emulate", "as a test", "emulated", run, takes=("program",))
    monkeypatch.setattr(simulation, "ENGINES", {"emulate": made})
    document = simulated()
    assert (document["makespan_s"], document["interval_s"], document["confidence"]) == (2.0, [1.5, 4.0], 0.9)


def test_an_engine_is_the_first_that_takes_what_is_given(monkeypatch):
    def nothing(request) -> Simulation:
        return Simulation({})

    of_programs = Engine("a", "", "emulated", nothing, takes=("program",))
    of_records = Engine("b", "", "estimated", nothing, takes=("events profile", "matrix"))
    monkeypatch.setattr(simulation, "ENGINES", {"a": of_programs, "b": of_records})
    assert engine_for("program", None) is of_programs
    assert engine_for("matrix", None) is of_records
    with pytest.raises(InputError, match='the engine a takes a program; found a matrix: take engine="b"'):
        engine_for("matrix", "a")
    counted = "takes an events profile or a matrix; found a counted profile: record events"
    with pytest.raises(InputError, match=counted):
        engine_for("counted profile", "b")


def test_programs_on_emulated_nodes_find_the_machines_bandwidth_and_this_hosts_latency():
    machine = load("pe1550-gigabit:2")
    emulated = as_emulated(machine)
    assert emulated.fingerprint == machine.fingerprint
    within, network = emulated.levels
    assert network.bandwidth_bytes_per_s == machine.levels[-1].bandwidth_bytes_per_s
    assert network.latency_s < machine.levels[-1].latency_s
    assert within.latency_s < network.latency_s
    assert within.bandwidth_bytes_per_s > network.bandwidth_bytes_per_s
