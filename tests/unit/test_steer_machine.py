"""The head of a steering log: Python writes it from a Machine, and the C reader accepts it."""

from pathlib import Path

from corewise import machines
from corewise.machines import node_shapes
from corewise.observe.node_topologies import NodeTopology, machine_from
from corewise.steering.machine import core_lines, steer_settings_text
from corewise.steering.replay import replay
from corewise.steering.run import settings_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TOPOLOGIES = Path(__file__).parents[2] / "fixtures" / "topologies"


def test_a_node_has_its_caches_domains_and_packages():
    # A NUMA domain per package, an L3 for each two cores. A core's own L2 is not shared, so it is left out.
    machine = machines.load("synthetic:2:pack:2 numa:1 l3:2 l2:2 core:1 pu:2")
    assert core_lines(machine, 1) == [
        "core id=0 pus=0,1 caches=0 numa=0 package=0 capability=1000",
        "core id=1 pus=2,3 caches=0 numa=0 package=0 capability=1000",
        "core id=2 pus=4,5 caches=1 numa=0 package=0 capability=1000",
        "core id=3 pus=6,7 caches=1 numa=0 package=0 capability=1000",
        "core id=4 pus=8,9 caches=2 numa=1 package=1 capability=1000",
        "core id=5 pus=10,11 caches=2 numa=1 package=1 capability=1000",
        "core id=6 pus=12,13 caches=3 numa=1 package=1 capability=1000",
        "core id=7 pus=14,15 caches=3 numa=1 package=1 capability=1000",
    ]


def test_nodes_that_are_not_alike_have_a_file_each():
    small, large = (
        NodeTopology(host, "0-1", "", [], node_shapes.from_xml(str(TOPOLOGIES / name)), f"{host}-0-1")
        for host, name in (("a", "virtual-two-cores.xml"), ("b", "smt-interleaved.xml"))
    )
    files = settings_files(
        machine_from(["a", "b"], [small, large], "", Path("shared")), [small, large], {"dry_run": 1}
    )
    assert files.keys() == {"a-0-1.settings", "b-0-1.settings"}
    n_cores = {name: text.count("\ncore id=") for name, text in files.items()}
    assert n_cores == {f"{node.file_name}.settings": node.machine.n_cores for node in (small, large)}
    assert len(set(n_cores.values())) == 2
    heads = [text.splitlines()[-1] for text in files.values()]
    assert heads == ["settings node=0 dry_run=1", "settings node=1 dry_run=1"]


def test_where_no_node_was_asked_one_file_is_for_all():
    assert settings_files(machines.load("synthetic:2:core:2 pu:1"), [], {}).keys() == {"settings"}


def log_of(machine) -> str:
    return steer_settings_text(machine, {}) + "tick number=1 time_ns=1 length_ns=1\ndecide\n"


def test_this_machine_s_head_is_read(tmp_path):
    log = tmp_path / "log"
    log.write_text(log_of(machines.load("local")))
    assert replay(log).intervals == 1


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.tuples(*[st.integers(1, 3)] * 5))
def test_any_node_s_head_is_read(tmp_path, counts):
    packages, domains, caches, cores, threads = counts
    spec = f"pack:{packages} numa:{domains} l3:{caches} core:{cores} pu:{threads}"
    log = tmp_path / "log"
    log.write_text(log_of(machines.load(f"synthetic:1:{spec}")))
    assert replay(log).intervals == 1
