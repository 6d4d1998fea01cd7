"""The tune file: it is read as it was written, even if the machine it was measured on is not available."""

import json
from functools import partial
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.machines import load
from corewise.model import (
    CommMatrix,
    LargeMessages,
    Machine,
    Phase,
    Traffic,
    make_machine,
    read_topology_synthetic,
)
from corewise.nouns.machine import MachineColumns
from corewise.nouns.machine import machine_of as read_machine
from corewise.nouns.run import Width
from corewise.nouns.tune_result import NAME, TuneResult
from corewise.page import tune_page
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from report_cases import REPEATS, as_read, machine_of, tune_result
from sources import ROOT


def kept(result: TuneResult, folder: Path) -> Path:
    result.write(folder / NAME)
    return folder / NAME


def test_a_result_comes_back_as_it_was_written(tmp_path):
    written = tune_result(times_s=REPEATS, wrong=(3,))
    again = TuneResult.read(kept(written, tmp_path).parent)
    assert again.to_json() == written.to_json()
    assert again.candidate("best").runs == written.candidate("best").runs
    assert (again.gain, again.plan, again.verified) == (written.gain, written.plan, False)


def test_runs_of_other_widths_come_back_and_their_bindings_count(tmp_path):
    written = tune_result(times_s=REPEATS)
    wide = [structs.replace(run, label="best-package") for run in written.candidate("best").runs]
    written = structs.replace(written, widths=[Width("best", "package", wide)])
    again = TuneResult.read(kept(written, tmp_path))
    assert again.widths == written.widths and again.verified is True
    wide[0].ranks[0] = structs.replace(wide[0].ranks[0], os_pus_seen=[7])
    assert written.verified is False
    document = written.to_json()
    document["widths"][0]["of"] = "worst"
    with pytest.raises(InputError, match=r"widths\[0\].of is 'worst'; expected one of best, default"):
        TuneResult.from_table(as_read(document))


@given(
    st.integers(1, 5),
    st.sampled_from(["pack:2 l2:2 core:2 pu:1", "core:4 pu:2", "pack:1 core:1 pu:1", "pack:2 core:3 pu:2"]),
)
@settings(max_examples=20)
def test_a_machine_keeps_its_fingerprint_and_levels(n_nodes, synthetic):
    machine = machine_of(n_nodes, synthetic)
    columns = MachineColumns.of(machine)
    again = read_machine(as_read(columns.to_json()))
    assert again.fingerprint == machine.fingerprint
    assert MachineColumns.of(again) == columns


def test_uneven_nodes_and_two_levels_of_switches_survive():
    shape = read_topology_synthetic("pack:2 core:4 pu:1")
    smaller = shape.cut_to_first_cores(3)
    shapes, order = [shape, smaller], [0, 0, 0, 0, 1]
    machine = make_machine("uneven", shapes, order, [("switch", 2), ("network", 0)], [], [])
    document = MachineColumns.of(machine).to_json()
    assert [level["children_per_group"] for level in document["network"]] == [2, 3]
    assert read_machine(as_read(document)).fingerprint == machine.fingerprint


def switches_of_one_node() -> Machine:
    node = read_topology_synthetic("core:2 pu:1")
    return make_machine("single", [node], [0] * 4, [("leaf", 1), ("switch", 2), ("network", 0)], [], [])


WHOLE_MACHINES = {
    name: partial(load, str(ROOT / "fixtures" / "topologies" / f"{name}.xml"))
    for name in ("gpus", "hybrid", "groups", "two-memories", "virtual-two-cores", "cpuset-holes")
} | {
    "torus": partial(load, "jaguar-xt5:10+8"),
    "preset": partial(load, "perlmutter:3"),
    "this machine": partial(load, "local"),
    "bare tree": partial(load, "tree:4:1:2@1:10:100"),
    "switches of one node": switches_of_one_node,
}


@pytest.mark.parametrize("make", WHOLE_MACHINES.values(), ids=WHOLE_MACHINES)
def test_a_machine_is_read_as_it_was_written(make):
    machine = make()
    assert read_machine(as_read(MachineColumns.of(machine).to_json())) == machine


def test_a_result_is_equal_when_read_back_with_its_devices_phases_and_large_messages(tmp_path):
    result = tune_result(times_s=REPEATS, machine=load(str(ROOT / "fixtures" / "topologies" / "gpus.xml")))
    matrix = result.traffic.folded()
    phases = [Phase(2, matrix, (0.5, 1.5), 3), Phase(1, matrix)]
    traffic = Traffic.of_phases(phases, LargeMessages(4096, matrix))
    result = structs.replace(result, traffic=traffic)
    assert len(result.machine.devices(0)) > 1
    assert TuneResult.read(kept(result, tmp_path)) == result


@pytest.mark.parametrize("part", ["all", "some"])
def test_large_messages_are_written_once(part):
    result = tune_result(times_s=REPEATS)
    whole = result.traffic.folded()
    src, dst, n_bytes, messages = (column[:1] if part == "some" else column for column in whole.columns())
    large = CommMatrix.from_columns(whole.n_ranks, src, dst, n_bytes, messages)
    result = structs.replace(
        result, traffic=Traffic.of_phases(result.traffic.phases, LargeMessages(1, large))
    )
    written = json.loads(json.dumps(result.to_json()))
    assert ("traffic" in written["large"]) == (part == "some")
    assert TuneResult.from_table(as_read(written)) == result


def test_a_device_next_to_a_core_that_is_not_there_is_refused():
    document = MachineColumns.of(WHOLE_MACHINES["gpus"]()).to_json()
    document["shapes"][0]["devices"][0]["cores"] = [99]
    with pytest.raises(InputError, match="is next to core 99 of a node with 8 cores"):
        read_machine(as_read(json.loads(json.dumps(document))))


def test_a_run_without_ranks_leaves_the_bindings_unknown_also_when_read_back(tmp_path):
    written = tune_result(times_s=REPEATS)
    without = structs.replace(written.candidates[2].runs[0], ranks=[])
    written.candidates[2].runs[0] = without
    assert written.verified is None
    assert TuneResult.read(kept(written, tmp_path)).verified is None


def test_the_number_of_repeats_is_whole_when_read_back(tmp_path):
    again = TuneResult.read(kept(tune_result(times_s=REPEATS), tmp_path))
    assert "6 pairs of runs in random order" in " ".join(tune_page(again).split())


def test_a_run_of_another_placement_is_refused(tmp_path):
    result = tune_result(times_s=REPEATS)
    result.candidates[0].runs.append(result.candidates[1].runs[0])
    with pytest.raises(InputError, match=r"runs\[6\].label is 'best'; expected 'default'") as refused:
        TuneResult.read(kept(result, tmp_path))
    facts = (refused.value.path, refused.value.line, refused.value.field)
    assert facts == (str(tmp_path / NAME), None, "candidates[0].runs[6].label")


@pytest.mark.parametrize(
    ("place", "key", "value", "field"),
    [
        (["machine", "shapes", 0], "os_pus", 3, "machine.shapes[0].os_pus"),
        (["phases", 0, "bytes"], 0, -1, "phases[0].bytes[0]"),
        (["candidates", 1, "placement", "cores", 2], 0, "x", "candidates[1].placement.cores[2][0]"),
        (["candidates", 0, "scores", "link-load"], 1, None, "candidates[0].scores.link-load[1]"),
        (["advice", "gain"], "low", "much", "advice.gain.low"),
        (["gain"], "n_repeats", 0, "gain.n_repeats"),
    ],
)
def test_the_field_that_is_wrong_is_named_wherever_it_stands(place, key, value, field):
    document = json.loads(json.dumps(tune_result(times_s=REPEATS).to_json()))
    inside = document
    for step in place:
        inside = inside[step]
    inside[key] = value
    with pytest.raises(InputError) as refused:
        TuneResult.from_table(as_read(document))
    assert (refused.value.path, refused.value.field) == ("tune.json", field)
    assert str(refused.value).startswith(f"tune.json: {field}")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "corewise-tune", "version": 1}', "\x00"])
def test_what_is_no_tune_file_is_one_sentence(tmp_path, text):
    (tmp_path / "tune.json").write_text(text)
    with pytest.raises(InputError, match="expected"):
        TuneResult.read(tmp_path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="tune.json: could not be read"):
        TuneResult.read(tmp_path)
