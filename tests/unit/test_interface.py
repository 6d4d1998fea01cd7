"""`import corewise`: the main job in a few lines, from files and from data of other libraries."""

from __future__ import annotations

import ast
import json
import pickle
import pydoc
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import corewise
import networkx
import numpy as np
import pandas
import polars
import pyarrow
import pytest
from corewise.mapping.request import request_of
from corewise.model import Assignment
from corewise.nouns.run import RankBinding, Run
from corewise.profile.in_memory import matrix_in_memory
from scipy import sparse
from sources import ROOT, python_modules
from steer_cases import steered_run

N_RANKS, SIZE = 16, 10**6
# Rank i sends to rank i + 8: in block order all messages are between draco's nodes, at best none.
SRC, DST = np.arange(N_RANKS), (np.arange(N_RANKS) + 8) % N_RANKS


def square() -> np.ndarray:
    matrix = np.zeros((N_RANKS, N_RANKS), int)
    matrix[SRC, DST] = SIZE
    return matrix


def saved(folder: Path) -> Path:
    np.save(folder / "shift.npy", square())
    return folder / "shift.npy"


@pytest.mark.parametrize(
    "source",
    [
        None,
        saved,
        lambda _: polars.DataFrame({"src": SRC, "dst": DST, "bytes": [SIZE] * N_RANKS}),
    ],
    ids=["scipy", "file", "polars"],
)
def test_the_main_job_of_the_notebook_takes_at_most_ten_lines(source, tmp_path):
    found = json.loads((ROOT / "examples" / "main_job.ipynb").read_text())["cells"]
    imports, main_job, *tables = ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]
    assert len(main_job.splitlines()) <= 10
    names: dict = {}
    exec(imports, names)
    names["sent"] = source(tmp_path) if source else names["sent"]
    for cell in (main_job, *tables):
        exec(cell, names)

    assert names["comparison"].matters == "yes"
    assert names["scores"].scores["congestion"][0] == 0 < names["scores"].block["congestion"][0]
    assert names["plan"].command_text == "mpirun -rf ./rankfile -H n1:8,n2:8 -n 16 APP"
    assert names["table"].height == 16


def test_the_files_of_a_plan_are_written_to_a_folder(tmp_path):
    best, folder = corewise.map(square(), "draco:2", effort="fast"), tmp_path / "launch"
    plan = corewise.export(best, "openmpi4", "draco:2", hosts=["n1", "n2"], folder=folder)
    assert plan.command_text == f"mpirun -rf {folder}/rankfile -H n1:8,n2:8 -n 16 APP"
    assert (folder / "rankfile").read_text().startswith("rank 0=n")


@pytest.mark.parametrize(
    "data",
    [
        square(),
        square().astype(float),
        (square(), (square() > 0).astype(int)),
        sparse.csr_matrix(square()),
        sparse.coo_array(square()),
        (sparse.coo_array(square()), sparse.csr_array(square() > 0, dtype=int)),
        polars.DataFrame({"src": SRC, "dst": DST, "bytes": [SIZE] * N_RANKS}),
        polars.DataFrame({"src": SRC, "dst": DST, "bytes": [SIZE] * N_RANKS, "messages": [1] * N_RANKS}),
        pandas.DataFrame({"src": SRC, "dst": DST, "bytes": [SIZE] * N_RANKS}),
        pyarrow.table({"src": SRC, "dst": DST, "bytes": [SIZE] * N_RANKS, "note": ["x"] * N_RANKS}),
        pyarrow.table(
            {"src": SRC, "dst": DST, "bytes": pyarrow.array([SIZE] * N_RANKS, pyarrow.decimal128(38, 0))}
        ),
        networkx.from_numpy_array(square(), create_using=networkx.DiGraph),
    ],
    ids=lambda data: type(data).__module__.split(".")[0] + "." + type(data).__name__,
)
def test_data_of_other_libraries_are_the_same_traffic(data):
    assert [column.tolist() for column in corewise.read(data).traffic.folded().columns()] == [
        SRC.tolist(),
        DST.tolist(),
        [SIZE] * N_RANKS,
        [1] * N_RANKS,
    ]


@pytest.mark.parametrize(
    "export",
    [
        lambda traffic: (traffic.to_numpy(), traffic.to_numpy("messages")),
        lambda traffic: (traffic.to_scipy(), traffic.to_scipy("messages")),
        lambda traffic: traffic.to_networkx(),
        polars.DataFrame,
        pyarrow.table,
        lambda traffic: traffic.to_pandas(),
        lambda traffic: polars.DataFrame(corewise.read(traffic)),
    ],
    ids=["numpy", "scipy", "networkx", "polars", "pyarrow", "pandas", "input"],
)
def test_traffic_goes_to_other_libraries_and_back_unchanged(export):
    sent = np.random.default_rng(0).integers(0, 9, (7, 7))
    traffic = corewise.read((sent, sent[::-1])).traffic
    for exported in (export(traffic), export(traffic.folded())):
        assert corewise.read(exported).traffic == traffic


def test_pandas_needs_no_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame = pandas.DataFrame({"src": SRC, "dst": DST, "bytes": [SIZE] * N_RANKS})
    with pytest.raises(ImportError):
        frame.__arrow_c_stream__()
    assert corewise.read(frame).traffic == corewise.read(square()).traffic


def rows(table: object) -> list[dict]:
    """The table's rows, read through Arrow by pyarrow."""
    read = pyarrow.table(table)
    read.validate(full=True)
    assert polars.DataFrame(table).to_dicts() == read.to_pylist()
    return read.to_pylist()


def test_answers_are_tables_for_any_data_frame():
    traffic, machine = corewise.read(square()).traffic, corewise.machine("synthetic:2:core:8 pu:1")
    best = corewise.map(traffic, machine, effort="fast", cores_per_rank=1)
    file = best.placement
    assert rows(best) == rows(file)
    assert rows(file)[3] == {
        "rank": 3, "node": file.node[3], "cores": file.cores[3], "os_pus": file.os_pus[3]
    }  # fmt: skip
    scores = corewise.score(best, traffic, machine)
    assert len(rows(scores)) == sum(
        len(v) for by_name in scores.by_placement.values() for v in by_name.values()
    )
    (block,) = (r for r in rows(scores) if (r["placement"], r["objective"]) == ("block", "congestion"))
    value = scores.block["congestion"][0]
    assert (block["unit"], block["position"], block["value"]) == ("bytes", 0, value)
    simulated = corewise.simulate(traffic, machine, best, engine="estimate")
    (run,) = rows(simulated)
    (expected,) = simulated.runs
    assert run == {name: getattr(expected, name) for name in run} and run["verified"] is None


def test_a_run_is_a_table_of_its_ranks():
    unseen = RankBinding(rank=1, host="b\udcff", host_wanted="n2", os_pus_wanted=[2])
    run = Run("best", ["app"], "measured", [RankBinding(0, "n1", "n1", [0], [0]), unseen], 1.0, None, None, 0)
    assert rows(run) == [
        dict(rank=0, host="n1", host_wanted="n1", os_pus_wanted=[0], os_pus_seen=[0], ok=True),
        dict(rank=1, host="b\\xff", host_wanted="n2", os_pus_wanted=[2], os_pus_seen=None, ok=False),
    ]


def test_a_steered_run_is_a_table_of_its_decisions():
    steered = steered_run(Run("default", ["app"], "measured", [], 1.0, None, None, 0))
    (log,) = steered.explained
    assert (
        rows(steered) == [{"log": log.log, "node": log.node} | one.to_json() for one in log.decisions] != []
    )


def test_an_edge_of_an_undirected_graph_counts_once():
    graph = networkx.Graph()
    graph.add_nodes_from(range(3))
    graph.add_edge(1, 0, bytes=70, messages=7)
    matrix = matrix_in_memory(graph)
    assert (matrix.n_ranks, matrix.bytes, matrix.messages) == (3, 70, 7)


def test_placements_are_taken_from_files_and_from_answers(tmp_path):
    traffic, machine = corewise.read(square()), corewise.machine("draco:2")
    best = corewise.map(traffic, machine, effort="fast")
    best.placement.write(tmp_path / "best.json")
    assert (
        corewise.score(best, traffic, machine).scores
        == corewise.score(tmp_path / "best.json", traffic, machine).scores
    )
    offered = corewise.advise(traffic, machine, effort="fast")
    assert corewise.score(offered, traffic, machine).scores == offered.best.scores


def test_simulated_times_are_compared_on_one_page(tmp_path):
    best = corewise.map(square(), "draco:2", effort="fast")
    found = corewise.simulate(square(), "draco:2", {"best": best}, engine="estimate")
    block = corewise.simulate(square(), "draco:2")
    assert found.placement("best").makespan_s < block.placement("block").makespan_s
    assert found.placement("best").scores["time"] < block.placement("block").scores["time"]
    assert found == read_again(found, tmp_path)
    page = corewise.report(found, block, output=tmp_path / "page.html")
    assert "runs: best, block" in page.read_text()


def read_again(found: corewise.Simulated, folder: Path) -> corewise.Simulated:
    """The simulation, read from the document that the command prints."""
    (folder / "found.json").write_text(json.dumps(found.to_json()))
    return corewise.Simulated.read(folder / "found.json")


def test_options_are_those_of_the_command_line():
    traffic = corewise.read(square())
    found = corewise.map(traffic, "draco:8", cores_per_rank=2, free=["all:7"], fix=["0=3"], effort="fast")
    placement = found.placement
    assert placement.node[0] == 3
    assert all(len(cores) == 2 and 7 not in cores for cores in placement.cores)
    with pytest.raises(TypeError, match="unknown option 'solvr'; did you mean 'solver'"):
        corewise.map(traffic, "draco:8", solvr="auto")


def test_several_machines_get_the_advice_that_each_gets_alone():
    progress: list[tuple[str, int, int]] = []
    found = corewise.advise_machines(
        [square()], ["draco:2", "draco:4"], progress=lambda *step: progress.append(step), effort="fast"
    )
    assert [(one.machine, one.n_ranks, one.empty_nodes) for one in found.cases] == [
        ("draco:2", 16, 0),
        ("draco:4", 16, 2),
    ]
    assert found.cases[0].gain == corewise.advise(square(), "draco:2", effort="fast").gain
    assert [step[1:] for step in progress] == [(0, 2), (1, 2), (2, 2)]
    assert [line.get_label() for line in found.plot().axes[0].containers] == ["draco"]


def test_none_is_a_keywords_default():
    given = dict.fromkeys(("objective", "solver", "effort", "deadline", "seed", "threads", "free", "fix"))
    assert request_of(**given) == request_of()


def test_an_error_carries_the_facts_of_its_sentence(tmp_path):
    machine, pairs, ranks = (str(tmp_path / name) for name in ("m.toml", "a.graph", "rankfile"))
    Path(machine).write_text('format = "corewise-machine"\nversion = 7\n')
    Path(pairs).write_text("2 1\n2\n9\n")
    Path(ranks).write_text("rank 0=n1 slot=0\nrank 1=n1 slot=x\n")
    facts = []
    for wrong in (
        lambda: corewise.machine(machine),
        lambda: corewise.read(pairs, format="metis"),
        lambda: corewise.score(ranks, square(), "draco:2"),
        lambda: corewise.read(square(), layer="rma"),
        lambda: corewise.read([[0, -1], [1, 0]]),
        lambda: corewise.read(polars.DataFrame({"src": [0], "dst": [1]})),
    ):
        with pytest.raises(corewise.InputError) as refused:
            wrong()
        error = pickle.loads(pickle.dumps(refused.value))
        facts.append((error.path, error.line, error.field))
        assert str(error) == str(refused.value)
        place = " line ".join(str(fact) for fact in (error.path, error.line) if fact is not None)
        assert str(error).startswith(f"{place}: " if place else ("found", f"the {error.field}"))
    of_data = [(None, None, None), (None, None, "array[0, 1]"), (None, None, "bytes")]
    assert facts == [(machine, None, "version"), (pairs, 3, None), (ranks, 2, None), *of_data]


def test_each_name_of_the_interface_is_there_and_documented():
    assert dir(corewise) == sorted(dir(corewise))
    for name in corewise.__all__:
        assert getattr(corewise, name).__doc__, name
        assert re.search(rf"\b{name}\b", corewise.__doc__), name
    with pytest.raises(AttributeError, match="no attribute 'maps'"):
        corewise.maps  # noqa: B018


def test_no_other_class_has_the_name_of_a_public_one():
    classes = Counter(
        node.name
        for tree in python_modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name in corewise.__all__ if classes[name] > 1] == []


def test_help_begins_with_a_screen_that_names_every_function_in_a_line():
    screen = pydoc.plain(pydoc.render_doc(corewise)).splitlines()[:40]
    rows = [line.split()[0] for line in screen if re.search(r"\S {2,}\S", line)]
    assert sorted(rows) == [name for name in corewise.__all__ if name.islower()]
    assert any("help(corewise.map) explains a function" in line for line in screen)


def test_what_the_core_made_says_what_it_is():
    traffic, machine = corewise.read(square()).traffic, corewise.machine("draco:2")
    assert repr(machine) == "<corewise.Machine 'draco:2': 2 nodes, 16 cores, 16 hardware threads>"
    assert repr(traffic) == "<corewise.Traffic of 16 ranks in 1 phase: 16000000 bytes in 16 messages>"
    assert repr(traffic.folded()) == "<corewise.CommMatrix of 16 ranks: 16000000 bytes in 16 messages>"
    assert repr(Assignment.from_cores(range(16))) == "<corewise assignment of 16 ranks>"


def test_the_repr_of_a_noun_has_all_fields_and_the_first_entries_of_lists():
    placement = corewise.map(np.ones((1024, 1024)), "draco:128", solver="block").placement
    fields = re.findall(r"(\w+)=", repr(placement))
    assert fields == list(placement.__struct_fields__)
    assert "node=[0, 0, 0, 0, 0, 0, 0, 0, ...], cores=[[0], [1], " in repr(placement)


def test_importing_corewise_loads_nothing_but_its_version():
    words = "import sys, corewise; print([name for name in sys.modules if name.startswith('corewise.')])"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout == "['corewise.version']\n"
