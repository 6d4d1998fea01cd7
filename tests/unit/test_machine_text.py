"""Machine files that corewise writes: reading one gives the same machine."""

import string
import tempfile
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.files.document import check_replaced
from corewise.machines import load
from corewise.machines.machine_file import Heading, MachineFile, machine_toml
from corewise.model import LinkFigures, NodeShape, make_machine
from corewise.nouns.machine import Figures, ShapeColumns
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sources import ROOT
from test_machine_properties import machines

HEADING = Heading(
    "here", 'two "nodes"', "corewise probe -- mpirun", {"measured": ["load 0.1", "caf\xe9 \x7f"]}
)
RATES = st.floats(1e3, 1e12)
TIMES = st.floats(1e-9, 1e3)


@st.composite
def bounds(draw, values: st.SearchStrategy[float]) -> tuple[float, float, float]:
    """value, low, high"""
    low, figure, high = sorted(draw(values) for _ in range(3))
    return figure, low, high


@st.composite
def link_figures(draw) -> LinkFigures:
    latency, *latency_bounds = draw(bounds(TIMES))
    bandwidth, *bandwidth_bounds = draw(bounds(RATES))
    sizes = sorted(draw(st.sets(st.integers(0, 2**40), max_size=4)))
    n_links = draw(st.integers(1, 4))
    return LinkFigures(
        latency,
        bandwidth,
        draw(st.text(string.printable, max_size=20)),
        latency_bounds_s=draw(st.sampled_from([None, tuple(latency_bounds)])),
        bandwidth_bounds_bytes_per_s=draw(st.sampled_from([None, tuple(bandwidth_bounds)])),
        eager_bytes=draw(st.none() | st.integers(0, 2**30)),
        curve=[(size, *draw(bounds(TIMES))) for size in sizes],
        loads=[
            (n_links * draw(st.integers(1, 3)), n_links, draw(st.booleans()), *draw(bounds(RATES)))
            for _ in range(draw(st.integers(0, 2)))
        ],
        rdma=draw(st.booleans()),
    )


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(machine=machines(), data=st.data())
def test_what_is_written_is_read_again(machine, data):
    figures = {level.name: data.draw(link_figures()) for level in machine.levels}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.toml"
        path.write_text(machine_toml(machine, HEADING, figures))
        again = load(str(path))
    assert again.fingerprint == machine.fingerprint
    assert [level.name for level in again.levels] == [level.name for level in machine.levels]
    for level in again.levels:
        assert Figures.of(level.link) == Figures.of(figures[level.name])


def test_devices_and_kinds_of_memory_are_written_too(tmp_path):
    for name in ("gpus", "two-memories"):
        machine = load(str(ROOT / "fixtures" / "topologies" / f"{name}.xml"))
        (tmp_path / "m.toml").write_text(machine_toml(machine, HEADING, {}))
        again = load(str(tmp_path / "m.toml"))
        shapes = [ShapeColumns.of(one.shapes[0]) for one in (again, machine)]
        assert shapes[0] == shapes[1] and again.n_memory_nodes == machine.n_memory_nodes > 0


def test_levels_without_figures_of_their_own_keep_those_of_the_machine(tmp_path):
    machine = load("synthetic:2:core:2 pu:1")
    (tmp_path / "m.toml").write_text(machine_toml(machine, HEADING, {"node": LinkFigures(1, 2, "measured")}))
    again = load(str(tmp_path / "m.toml"))
    assert [(level.name, level.source[:8]) for level in again.levels] == [
        ("node", "measured"),
        ("network", "assumed:"),
    ]
    assert load(f"{tmp_path}/m.toml:5").n_nodes == 5  # all nodes are equal


def test_nodes_of_several_shapes_are_counted_by_the_file(tmp_path):
    small, large = (load(f"synthetic:1:core:{n} pu:1") for n in (2, 4))
    shapes = [NodeShape(["node"], [[0] * n], [[i] for i in range(n)]) for n in (2, 4)]
    machine = make_machine("mixed", shapes, [0, 1, 0], [], [], [])
    path = tmp_path / "m.toml"
    path.write_text(machine_toml(machine, HEADING, {}))
    again = load(str(path))
    assert (again.n_nodes, again.n_cores) == (3, 2 * small.n_cores + large.n_cores)
    with pytest.raises(InputError, match="lists nodes of 2 shapes one by one; leave the number out"):
        load(f"{path}:4")


def test_two_levels_of_one_name_are_refused():
    shape = NodeShape(["node"], [[0, 0]], [[0], [1]])
    machine = make_machine("m", [shape], [0] * 4, [("switch", 2), ("switch", 0)], [], [])
    with pytest.raises(InputError, match="two levels called 'switch'"):
        machine_toml(machine, HEADING, {})


GOOD = machine_toml(
    load("synthetic:2:core:2 pu:1"),
    HEADING,
    {
        "node": LinkFigures(
            1e-6, 1e9, "measured", latency_bounds_s=(1e-6, 2e-6), curve=[(1, 1e-6, 1e-6, 1e-6)]
        )
    },
)


def test_whole_numbers_may_be_written_as_toml_writes_fractions(tmp_path):
    path = tmp_path / "m.toml"
    path.write_text(GOOD.replace("[1, 1e-06, 1e-06, 1e-06]", "[1e6, 1e-06, 1e-06, 1e-06]"))
    assert [level.link.curve for level in load(str(path)).levels if level.link.curve] == [
        [(1_000_000, 1e-6, 1e-6, 1e-6)]
    ]


def test_a_file_of_another_kind_is_not_replaced(tmp_path: Path):
    def check(path: Path) -> None:
        check_replaced(path, MachineFile.read, "a machine file")

    check(tmp_path / "new.toml")
    (tmp_path / "m.toml").write_text(GOOD)
    check(tmp_path / "m.toml")
    (tmp_path / "other.toml").write_text("a = 1\n")
    with pytest.raises(InputError, match="is a file that is not a machine file"):
        check(tmp_path / "other.toml")
