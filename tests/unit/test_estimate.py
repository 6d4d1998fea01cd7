"""corewise simulate --engine estimate: its output for profiles and matrices, and general properties."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise import model
from corewise.cli import cli
from corewise.errors import InputError
from corewise.machines import load
from corewise.nouns.machine import MachineColumns
from corewise.nouns.placement import Placement
from corewise.profile.inputs import read_input
from corewise.simulation import Recorded, SimulationRequest
from corewise.simulation.engine import SimulationFailed
from corewise.simulation.estimate import estimate
from msgspec import structs
from otf2_cases import events_profile
from profile_cases import (
    RECEIVES,
    SENDS,
    STARTS,
    ProfileFile,
    event_shape,
    two_phase_profile,
    varints,
    zigzag,
)

MACHINE = load("pe1550:4")  # two cores per node
NETWORK = MACHINE.levels[-1]


def matrix_file(folder: Path, rows: list[list[int]]) -> str:
    path = folder / "m.txt"
    path.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    return str(path)


def request(path: str, *placements: list[int], compute_factor: float = 1.0) -> SimulationRequest:
    """A request with placements given by their cores, named p0, p1, ..."""
    files = {
        f"p{i}": Placement.of(model.Assignment.from_cores(cores), MACHINE)
        for i, cores in enumerate(placements)
    }
    recorded = Recorded(path, read_input(path))
    return SimulationRequest(MACHINE, files, recorded=recorded, compute_factor=compute_factor)


def makespan_s(path: str, cores: list[int], compute_factor: float = 1.0) -> float:
    (run,) = estimate(request(path, cores, compute_factor=compute_factor)).runs["p0"]
    return run.time_s


def test_one_message_between_nodes_takes_the_networks_latency_and_bandwidth(tmp_path):
    path = matrix_file(tmp_path, [[0, 10**6], [0, 0]])
    expected = NETWORK.latency_s + 10**6 / NETWORK.bandwidth_bytes_per_s
    assert makespan_s(path, [0, 2]) == pytest.approx(expected)


def test_a_matrix_is_said_to_be_one_phase(tmp_path):
    simulation = estimate(request(matrix_file(tmp_path, [[0, 8], [0, 0]]), [0, 2]))
    assert "they are taken as one phase" in simulation.notes[0]
    assert simulation.notes[1].startswith(
        "p0: rank 0 ends last; the busiest link joins node 0 and its network (outgoing bytes): "
    )
    assert "; the messages take " in simulation.notes[1]


def test_the_limit_of_both_directions_of_a_link_is_named(tmp_path):
    columns = MachineColumns.of(MACHINE)
    rate = 1.2 * NETWORK.bandwidth_bytes_per_s
    *others, network = columns.figures
    network = structs.replace(network, loads=[(1, 1, 2, rate, rate, rate)])
    machine = structs.replace(columns, figures=[*others, network]).machine()
    exchange = replace(request(matrix_file(tmp_path, [[0, 10**6], [10**6, 0]]), [0, 2]), machine=machine)
    (run,), notes = (simulation := estimate(exchange)).runs["p0"], simulation.notes
    assert run.time_s == pytest.approx(NETWORK.latency_s + 2e6 / rate)
    assert "the busiest link joins node 0 and its network (bytes of both directions): " in notes[1]


def test_two_runs_are_estimated_with_intervals_around_them(tmp_path):
    simulation = estimate(request(matrix_file(tmp_path, [[0, 10**6], [0, 0]]), [0, 1], [0, 2]))
    within, between = (simulation.runs[label][0] for label in ("p0", "p1"))
    assert (within.source, between.source) == ("estimated", "estimated")
    assert within.time_s < between.time_s
    interval = simulation.intervals["p1"]
    assert interval.low <= interval.expected == between.time_s <= interval.high
    assert interval.confidence is None


def test_events_are_replayed_with_their_collectives(tmp_path):
    # Each rank runs for 1 s. The time outside of messages and calls is computing.
    path = str(events_profile().write(tmp_path / "p"))
    simulation = estimate(request(path, [0, 2, 4]))
    assert simulation.notes[0].startswith("Replayed call by call")
    assert not any(note.startswith("Left out") for note in simulation.notes)
    (run,) = simulation.runs["p0"]
    assert 0.9 < run.time_s < 1
    assert 0 < run.mpi_s < 0.1


@pytest.mark.parametrize(
    ("recorded", "asked", "chooses"),
    [(0, None, "Open MPI"), (1, None, "Open MPI"), (2, None, "MPICH"), (2, "openmpi", "Open MPI")],
)
def test_collectives_travel_by_the_rules_of_the_recorded_library_or_of_the_one_asked_for(
    tmp_path, recorded, asked, chooses
):
    path = str(events_profile(mpi_library=recorded).write(tmp_path / "p"))
    notes = estimate(replace(request(path, [0, 2, 4]), mpi_library=asked)).notes
    assert f"collectives travel as {chooses} chooses" in notes[0]


def test_computing_takes_as_many_times_as_long_as_is_asked_for(tmp_path):
    path = str(events_profile().write(tmp_path / "p"))
    once, twice, none = (makespan_s(path, [0, 2, 4], factor) for factor in (1.0, 2.0, 0.0))
    assert twice > 1.9 * once
    # Without computing only the messages are left: at least nine network latencies.
    assert 5 * NETWORK.latency_s < none < 0.01


def test_a_counted_profile_has_its_phases_and_what_its_ranks_compute(tmp_path):
    path = str(two_phase_profile().write(tmp_path / "p"))
    simulation = estimate(request(path, [0, 1, 2, 3]))
    assert "they are taken as 3 phases" in simulation.notes[0]
    (run,) = simulation.runs["p0"]
    assert run.time_s > 2
    assert makespan_s(path, [0, 1, 2, 3], 0.0) == pytest.approx(run.mpi_s)


def long_schedule(folder: Path) -> model.Schedule:
    """A schedule of eight ranks, each of which sends 1000 messages to the next one."""
    file = ProfileFile(8)
    for rank in range(8):
        file.rank(rank, seconds=1)
        sends = event_shape("MPI_Isend", SENDS | STARTS, (rank + 1) % 8, 0, 10**5)
        receives = event_shape("MPI_Recv", RECEIVES, (rank - 1) % 8, 0, 10**5)
        events = b"".join(varints(1, 0, 0, zigzag(1)) + varints(5, 0, 0) for _ in range(1000))
        file.events(rank, sends + receives + events, n_events=2000)
    path = str(file.write(folder / "long"))
    return model.schedule_of_events(model.Profile.read(path), model.read_events(path), "openmpi")


def test_a_replay_calls_its_watch_and_ends_with_what_that_raises(tmp_path):
    calls = []

    def watch() -> None:
        calls.append(len(calls))
        if len(calls) == 2:
            raise KeyboardInterrupt

    placement, schedule = model.Assignment.from_cores(list(range(8))), long_schedule(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        for _ in range(2):
            model.estimate(schedule, MACHINE, placement, watch=watch)
    assert calls == [0, 1]


def test_a_replay_that_takes_longer_than_its_timeout_has_no_time(tmp_path, monkeypatch):
    path = str(events_profile().write(tmp_path / "p"))
    asked = replace(request(path, [0, 2, 4]), timeout_s=0)
    schedule = long_schedule(tmp_path)
    monkeypatch.setattr(model, "schedule_of_events", lambda *_: schedule)
    monkeypatch.setattr(model, "with_compute_scaled", lambda schedule, _: schedule)
    ranks = Placement.of(model.Assignment.from_cores(list(range(8))), MACHINE)
    with pytest.raises(SimulationFailed, match=r"'p0': the replay was ended after 0 s \(timeout_s=\)"):
        estimate(replace(asked, placements={"p0": ranks}))


def test_a_log_that_memory_does_not_hold_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = str(events_profile().write(tmp_path / "p"))
    asked = request(path, [0, 2, 4])
    monkeypatch.setattr("corewise.simulation.estimate.memory_bytes", lambda: 10)
    monkeypatch.setattr(model, "read_events", lambda _: pytest.fail("was read"))
    with pytest.raises(InputError, match=r"events takes about .* of memory, 10 B are free; expected"):
        estimate(asked)


def test_a_machine_without_figures_is_refused(tmp_path):
    tree = load("tree:2:2")
    recorded = Recorded("m", read_input(matrix_file(tmp_path, [[0, 8], [0, 0]])))
    file = Placement.of(model.Assignment.from_cores([0, 1]), tree)
    with pytest.raises(InputError, match="has no latencies and bandwidths"):
        estimate(SimulationRequest(tree, {"p": file}, recorded=recorded))


def test_a_matrix_is_estimated_without_naming_the_engine(tmp_path):
    path = matrix_file(tmp_path, [[0, 8], [0, 0]])
    words = ["simulate", "--machine", "pe1550:2", "--json", path]
    document = json.loads(CliRunner().invoke(cli, words, catch_exceptions=False).stdout)
    assert (document["engine"], document["source"], document["placement"]) == (
        "estimate",
        "estimated",
        "block",
    )
    assert document["makespan_s"] == document["comm_s"] > 0
    low, high = document["interval_s"]
    assert low <= document["makespan_s"] <= high


def test_an_interval_of_which_nobody_knows_what_it_covers_is_not_printed(tmp_path):
    path = matrix_file(tmp_path, [[0, 8], [0, 0]])
    printed = (
        CliRunner().invoke(cli, ["simulate", "--machine", "pe1550:2", path], catch_exceptions=False).stdout
    )
    (row,) = [line for line in printed.splitlines() if line.strip().startswith("block ")]
    assert " to " not in row and "%" not in row
    assert "How far these times are from measured ones is not known" in printed
