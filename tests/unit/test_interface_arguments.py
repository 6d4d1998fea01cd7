"""What a user may pass to the functions of `import corewise`, and what is refused in one sentence."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import corewise
import networkx
import numpy as np
import pandas
import polars
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.notebook import GIVEN
from corewise.nouns.run import TraceSummary
from corewise.profile.in_memory import matrix_in_memory
from scipy import sparse
from sources import ROOT
from test_interface import square


def best() -> corewise.Mapping:
    return corewise.map(square(), "draco:2", effort="fast")


@pytest.mark.parametrize("frame", [polars.DataFrame, pandas.DataFrame, polars.LazyFrame])
def test_columns_of_a_frame_have_the_names_that_they_may_have_in_a_file(frame, tmp_path):
    named = {"source": [0, 1], "Target": [1, 0], "weight": [30, 4], "msgs": [3, 2], "note": ["a", "b"]}
    matrix = matrix_in_memory(frame(named))
    assert [column.tolist() for column in matrix.columns()] == [[0, 1], [1, 0], [30, 4], [3, 2]]
    del named["note"]
    polars.DataFrame(named).write_csv(tmp_path / "edges.csv")
    assert corewise.read(tmp_path / "edges.csv").traffic.folded() == matrix


def test_ranks_without_traffic_are_kept_if_their_number_is_given():
    sent = np.zeros((4, 4), int)
    sent[0, 1] = 5
    traffic = corewise.read(sent).traffic
    assert corewise.read(polars.DataFrame(traffic)).traffic.n_ranks == 2
    assert corewise.read(polars.DataFrame(traffic), n_ranks=4).traffic == traffic


def test_nodes_of_a_graph_may_be_numbers_of_numpy():
    graph = networkx.DiGraph()
    graph.add_edge(np.int64(0), np.int64(1), bytes=3, messages=2)
    assert (matrix_in_memory(graph).bytes, matrix_in_memory(graph).messages) == (3, 2)


def test_hosts_are_a_list_or_the_text_of_the_command_line():
    plans = [corewise.export(best(), "srun", "draco:2", hosts=given) for given in (["n1", "n2"], "n[1-2]")]
    assert plans[0] == plans[1]


def test_a_placement_in_a_file_is_labelled_as_by_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    best().placement.write("z.json")
    np.save("ring.npy", square())
    words = ["simulate", "ring.npy", "--machine", "draco:2", "--placement", "z.json", "--placement", "z.json"]
    printed = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)
    found = corewise.simulate("ring.npy", "draco:2", ["z.json", Path("z.json")])
    assert found.to_json() == printed
    assert [one.label for one in found.placements] == ["z", "z-2"]
    assert corewise.simulate("ring.npy", "draco:2", best()).placement("placement").makespan_s


def test_a_recording_is_the_document_that_trace_prints(tmp_path):
    profile = corewise.read(ROOT / "fixtures" / "profiles" / "ring").profile
    run = corewise.Run.read(ROOT / "fixtures" / "documents" / "run.json")
    (tmp_path / "trace.json").write_text(json.dumps(corewise.Recording(profile, run, "a.profile").to_json()))
    printed = TraceSummary.read(tmp_path / "trace.json")
    assert (printed.profile, printed.n_ranks, printed.wall_s) == ("a.profile", profile.n_ranks, run.wall_s)
    assert printed.complete and not printed.unfinished_ranks


@pytest.mark.parametrize("given", [square(), sparse.csr_array(square()), networkx.path_graph(16)], ids=type)
def test_a_page_is_made_of_everything_that_is_read(given, tmp_path):
    page = corewise.report(given, machine="draco:2", output=tmp_path / "page.html", effort="fast")
    assert "16 ranks" in page.read_text()


def test_advice_on_machines_is_a_table():
    found = corewise.advise_machines([square()], ["draco:2", "draco:4"], effort="fast")
    table = polars.DataFrame(found)
    assert table["machine"].to_list() == ["draco:2", "draco:4"]
    assert table["gain_expected"].to_list() == [case.gain.expected for case in found.cases]
    assert table.height == len(found.cases) and table["n_ranks"].to_list() == [16, 16]


@pytest.mark.parametrize("noun", [noun for noun in GIVEN["plot"] if noun.__module__ != "corewise._core"])
def test_each_plot_is_declared_for_type_checkers(noun):
    adds = inspect.signature(GIVEN["plot"][noun])
    source = inspect.getsource(noun)
    declared = source[source.index("def plot(self") :].splitlines()[0]
    parameters = [name for name in adds.parameters][1:]
    given = declared[: declared.index(") ->")].split(", ")[1:]
    assert [one.split(":")[0] for one in given] == parameters


def test_ranks_are_bound_to_objects_as_on_the_command_line():
    bound = {"binding": "socket", "processes_per_object": 2, "share": True, "membind": True}
    plan = corewise.export(None, "openmpi4", "devcluster:1", **bound)
    words = ["--binding", "socket", "--processes-per-object", "2", "--share", "--membind"]
    done = CliRunner().invoke(
        cli, ["export", "--json", "--for", "openmpi4", "--machine", "devcluster:1", *words]
    )
    assert json.loads(done.stdout) == plan.to_json()
    assert "memory domains" in "".join(plan.files.values())
