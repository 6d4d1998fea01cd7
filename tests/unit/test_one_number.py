"""map, score, advise, simulate and the page print the same number for the same placement."""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.machines import load
from corewise.machines.spec import FRAME_BYTES, PAYLOAD_BYTES, RATE_VARIABLE
from corewise.mapping.comparison import compare
from corewise.mapping.request import MappingRequest
from corewise.profile.inputs import Input
from corewise.profile.threads import crowded_host
from corewise.text.quantities import percent_text, seconds_text
from hypothesis import given, settings
from hypothesis import strategies as st
from no_calls import NO_CALLS
from otf2_cases import events_profile
from profile_cases import two_phase_profile
from report_cases import ring

# Presets with caches, packages and a network, and a synthetic machine; each has cores for 64 ranks.
MACHINES = ["draco:8", "jaguar-xt5:8", "perlmutter:1", "pe1550:32", "synthetic:4:pack:2 l3:2 core:4 pu:2"]


def run(*words: str) -> str:
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def document(*words: str) -> dict:
    return json.loads(run(*words, "--json"))


def write_matrix(path, n_ranks: int, seed: int) -> str:
    random = np.random.default_rng(seed)
    sent = random.integers(0, 1 << 20, (n_ranks, n_ranks)) * (random.random((n_ranks, n_ranks)) < 0.3)
    if not sent.any():
        sent[0, n_ranks - 1] = 1 << 20
    np.savez(path, bytes=sent, msgs=np.where(sent > 0, random.integers(1, 50, sent.shape), 0))
    return str(path)


def check_all(source: str, machine: str, placement: str, *layer: str) -> None:
    """map, score and simulate print the same `time`, and advise's gain is computed from these times."""
    mapped = document("map", source, "--machine", machine, *layer, "--effort", "fast", "-o", placement)
    time_s = mapped["scores"]["time"]
    assert mapped["value"] == time_s
    assert document("score", placement, source, "--machine", machine, *layer)["scores"]["time"] == time_s
    advised = document("advise", source, "--machine", machine, *layer, "--effort", "fast")
    default_s, best_s = (advised[label]["scores"]["time"] for label in ("default", "best"))
    share = advised["transfer_share"] if advised["gain_of"] == "run" else 1
    saved = 1 - best_s / default_s if default_s else 0
    assert advised["gain"]["expected"] == pytest.approx(share * saved)
    if layer:
        return  # simulate takes all layers of a profile
    simulated = document(
        "simulate", "--engine", "estimate", "--machine", machine, "--placement", placement, source
    )
    assert simulated["scores"]["time"] == time_s
    assert any("'time' is the objective" in note for note in simulated["notes"])


@settings(max_examples=12)
@given(st.sampled_from(MACHINES), st.integers(2, 64), st.integers(0, 2**32 - 1))
def test_a_matrix_costs_the_same_in_every_command(tmp_path_factory, machine, n_ranks, seed):
    folder = tmp_path_factory.mktemp("one")
    check_all(write_matrix(folder / "m.npz", n_ranks, seed), machine, str(folder / "p.json"))


@pytest.mark.parametrize(
    ("profile", "layer"),
    [(two_phase_profile, ()), (events_profile, ()), (events_profile, ("--layer", "coll"))],
)
@pytest.mark.parametrize("machine", MACHINES)
def test_a_profile_costs_the_same_in_every_command(tmp_path, machine, profile, layer):
    source = str(profile().write(tmp_path / "p"))
    check_all(source, machine, str(tmp_path / "p.json"), *layer)


def test_the_text_of_advise_has_the_figures_of_its_gain(tmp_path):
    source = write_matrix(tmp_path / "m.npz", 16, 3)
    advised = document("advise", source, "--machine", "draco:2", "--objective", "hop-bytes")
    text = run("advise", source, "--machine", "draco:2", "--objective", "hop-bytes")
    default_s, best_s = (advised[label]["scores"]["time"] for label in ("default", "best"))
    values = f"{seconds_text(default_s)} by default, {seconds_text(best_s)} under the best placement"
    saved = percent_text(1 - best_s / default_s)
    assert f"Communication alone (objective time): {values}, {saved} less" in text
    assert f"Predicted gain of the communication time: {saved}" in text


def profile_of(masks: list[list[int]], ids: list[str], node_of: list[int]) -> SimpleNamespace:
    nodes = [SimpleNamespace(id=each) for each in ids]
    ranks = [
        SimpleNamespace(
            host=f"n{node}", node=node, os_pus=mask, threads=[], wall_s=2.0, mpi_s=0.5, cpu_s=None
        )
        for mask, node in zip(masks, node_of, strict=True)
    ]
    return SimpleNamespace(ranks=ranks, nodes=nodes, n_ranks=len(ranks), **NO_CALLS)


@pytest.mark.parametrize(
    ("masks", "ids", "node_of", "expected"),
    [
        ([[0, 1]] * 2, ["a-1"], [0, 0], None),  # two ranks on two hardware threads
        ([[0, 1]] * 3, ["a-1"], [0, 0, 0], (3, 2)),
        ([[0], [0], [1, 2, 3]], ["a-1"], [0, 0, 0], (3, 2)),  # two ranks must share one of the four
        ([[0], [0, 1], [1, 2]], ["a-1"], [0, 0, 0], None),  # each rank finds one: 0, 1 and 2
        ([[0, 1]] * 4, ["a-1", "b-1"], [0, 0, 1, 1], None),  # two kernels
        ([[0, 1]] * 4, ["a-1", "a-2"], [0, 0, 1, 1], (4, 2)),  # two networks of one kernel, as in containers
        ([[0, 1]] * 4, ["", ""], [0, 0, 1, 1], None),  # no id, as from an older tracer
        ([[], [], []], ["a-1"], [0, 0, 0], None),  # no mask is known
    ],
)
def test_ranks_that_shared_hardware_threads_are_found(masks, ids, node_of, expected):
    crowd = crowded_host(profile_of(masks, ids, node_of))
    assert (crowd and (crowd.n_ranks, crowd.n_pus)) == expected


@pytest.mark.parametrize("n_ranks", [3, 8, 64])
def test_the_times_of_a_crowded_trace_do_not_count_on_another_machine(n_ranks):
    machine = load("draco:8")
    traced, matrix = (
        compare(Input("x", "x", ring(n_ranks), profile), machine, MappingRequest(), None)
        for profile in (profile_of([[0, 1]] * n_ranks, ["a-1"], [0] * n_ranks), None)
    )
    assert f"the trace had {n_ranks} ranks on 2 hardware threads" in traced.times_left_out
    assert traced.gain_of == "communication" and traced.comm_share is None
    assert traced.gain.expected == matrix.gain.expected
    assert traced.matters == matrix.matters


def test_the_times_of_a_crowded_trace_count_where_they_were_taken():
    machine = load("synthetic:1:core:2 pu:1")
    found = Input("x", "x", ring(4), profile_of([[0, 1]] * 4, ["a-1"], [0] * 4))
    here = compare(found, machine, MappingRequest(), [0])
    assert here.times_left_out is None and here.gain_of == "run"


def test_a_machine_read_inside_a_lab_has_the_labs_rate(monkeypatch):
    monkeypatch.setenv(RATE_VARIABLE, "1000000000")
    network = load("local:4").levels[-1]
    assert network.bandwidth_bytes_per_s == pytest.approx(125e6 * PAYLOAD_BYTES / FRAME_BYTES)
    assert network.source.startswith("the lab's rate, 1 Gbit/s")
    assert load("draco:4").levels[-1].bandwidth_bytes_per_s != network.bandwidth_bytes_per_s
    load("local")  # one node, so no network
    monkeypatch.delenv(RATE_VARIABLE)
    assert load("local:4").levels[-1].source.startswith("assumed")


def test_the_package_is_the_command_line():
    done = subprocess.run([sys.executable, "-m", "corewise", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("corewise, version")
