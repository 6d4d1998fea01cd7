"""`corewise probe` on the command line: what it refuses before measuring, and what it prints and draws."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.files.document import read_toml
from corewise.machines import load
from corewise.nouns.run import Run
from corewise.probe import probing
from corewise.probe.fitting import figures_of
from corewise.probe.pairs import plan_probe
from corewise.probe.probing import MeasuredPasses
from probe_cases import samples_of

LAUNCHER = next((name for name in ("mpirun.openmpi", "mpirun.mpich") if shutil.which(name)), None)
needs_mpi = pytest.mark.skipif(LAUNCHER is None, reason="needs a launcher: mpirun.openmpi or mpirun.mpich")


def probe(*words: str):
    """The result of the command; errors are raised."""
    done = CliRunner().invoke(cli, ["probe", *words], standalone_mode=False)
    if done.exception:
        raise done.exception
    return done


@needs_mpi
def test_a_program_of_the_users_is_refused():
    with pytest.raises(InputError, match="'ls' is a program; probe starts its own"):
        probe("--", LAUNCHER, "-n", "2", "ls", "-l")


@needs_mpi
def test_one_rank_has_nobody_to_send_to():
    with pytest.raises(InputError, match="found 1 rank; expected two or more"):
        probe("--", LAUNCHER, "-n", "1")


def of_two_nodes(time_s) -> list:
    """The figures of the levels of two nodes of two cores."""
    plan = plan_probe(load("synthetic:2:core:2 pu:1"), 4)
    samples = samples_of(plan.measurements, time_s)
    return [figures_of(level, plan.measurements, samples, "measured") for level in (1, 2)]


def test_turns_and_what_they_may_hide_are_said():
    # 4 GB/s each way, but two ranks that exchange messages take turns. The network has four ranks, a core's
    # link two.
    def turns(one) -> float:
        return one.size_bytes * one.pairs_each_way * (2 if one.mode == "exchange" else 1) / 4e9

    node, network = of_two_nodes(turns)
    assert probing.both_ways_notes("node", node) == [
        "both directions of level node were measured with two ranks that exchange messages: where these take "
        "turns, as over TCP, a link carries more"
    ]
    assert probing.both_ways_notes("network", network) == [
        "two ranks that exchange long messages over level network take turns: they get 4.00 GB/s together, a "
        "pair for each direction 8.00 GB/s"
    ]


def test_nothing_is_said_of_links_that_carry_both_ways_what_one_does():
    for found in of_two_nodes(lambda one: one.size_bytes * one.pairs_each_way / 1e9):
        assert probing.both_ways_notes("node", found) == []


@pytest.fixture
def network_of_two(monkeypatch) -> probing.ProbeResult:
    """A measured result: two nodes of two cores, 1 us and 1 GB/s inside, 20 us and 100 MB/s between nodes."""
    machine = load("synthetic:2:core:2 pu:1")
    plan = plan_probe(machine, 4)

    def time_s(one) -> float:
        latency_s, rate = (1e-6, 1e9) if one.level == 1 else (20e-6, 1e8)
        return latency_s + one.size_bytes * one.pairs_each_way / rate

    samples = samples_of(plan.measurements, time_s)
    levels = {
        level.name: figures_of(number, plan.measurements, samples, "measured 2026-01-02, made up")
        for number, level in enumerate(machine.levels, start=1)
    }
    run = Run(
        label="probe",
        command=["mpirun"],
        source="measured",
        ranks=[],
        wall_s=1.5,
        app_s=1.0,
        mpi_s=None,
        exit_code=0,
    )
    result = probing.ProbeResult(
        machine=machine,
        command=["mpirun", "--hostfile", "hosts"],
        date="2026-01-02",
        levels=levels,
        notes=["a remark"],
        measured=MeasuredPasses(samples, 2, run),
        conditions={"launcher": "made up"},
    )
    monkeypatch.setattr(probing, "probe", lambda argv, family, limit_s, say: replace(result, command=argv))
    return result


def test_the_machine_file_and_the_document_hold_what_was_measured(network_of_two, tmp_path):
    target = tmp_path / "cluster.toml"
    document = json.loads(probe("-o", str(target), "--json", "--", "mpirun").stdout)
    node, network = document["levels"]
    assert (node["name"], network["name"], document["notes"]) == ("node", "network", ["a remark"])
    assert network["bandwidth_bytes_per_s"] == pytest.approx(1e8, rel=0.01)
    assert (network["duplex"], document["file"]) == (True, str(target))
    machine = load(str(target))
    assert machine.fingerprint == document["fingerprint"] == network_of_two.machine.fingerprint
    assert machine.levels[1].latency_s == network["latency_s"] == pytest.approx(20e-6, rel=0.01)
    assert not any(level.assumed for level in machine.levels)
    assert read_toml(target, "a machine file").table("facts").values == {
        "measured": ["launcher: made up", "a remark"]
    }
    topo = CliRunner().invoke(cli, ["topo", "--machine", str(target), "--json"]).stdout
    assert json.loads(topo)["levels"][1]["curve"] == network["curve"]


def test_people_get_a_row_a_level_the_network_first(network_of_two):
    lines = probe("--", "mpirun").stdout.splitlines()
    rows = [line.split() for line in lines if line.startswith("  n")]
    assert [(row[0], row[1:3], row[8:10]) for row in rows] == [
        ("network", ["20.0", "µs"], ["99.9", "MB/s"]),
        ("node", ["1.00", "µs"], ["999", "MB/s"]),
    ]
    assert lines[-1] == "A remark."


def test_the_curves_are_drawn(network_of_two, tmp_path):
    pytest.importorskip("matplotlib")
    png, svg = tmp_path / "a.png", tmp_path / "a.svg"
    probe("--picture", str(png), "--picture", str(svg), "--", "mpirun")
    assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert svg.read_bytes().startswith(b"<?xml") and b"message size" in svg.read_bytes()
    probe("--picture", str(svg), "--", "mpirun")  # replaced
    assert Path(svg).read_bytes().startswith(b"<?xml")
