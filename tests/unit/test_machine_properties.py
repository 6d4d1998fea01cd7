"""Random machines: properties of distances, fingerprints and numbering."""

import os
import random

import numpy as np
from corewise.machines import load
from corewise.model import LinkFigures, NodeShape, make_machine, make_tree_machine
from hypothesis import given, settings
from hypothesis import strategies as st

ARITIES = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@st.composite
def node_shapes(draw) -> NodeShape:
    """Nodes of 1 to 10 cores with 0 to 3 uneven levels and OS indices in any order."""
    n_cores = draw(st.integers(1, 10))
    groups, names = [], []
    below = list(range(n_cores))
    for level in range(draw(st.integers(0, 3))):
        joined, group = 0, [0]
        for core in range(1, n_cores):
            # A new object may start only where an object of the level below starts.
            if below[core] != below[core - 1]:
                joined += draw(st.integers(0, 1))
            group.append(joined)
        groups.append(group)
        names.append(f"l{level + 2}")
        below = group
    os_indices = draw(st.permutations(range(2 * n_cores)))
    n_pus = [draw(st.integers(1, 2)) for _ in range(n_cores)]
    os_pus = [list(os_indices[2 * core : 2 * core + n]) for core, n in enumerate(n_pus)]
    return NodeShape([*names, "node"], [*groups, [0] * n_cores], os_pus)


UNEVEN_SWITCHES = [("switch", [1, 3]), ("rack", [1, 2]), ("network", 0)]


@st.composite
def machines(draw):
    shape = draw(node_shapes())
    cut = shape.cut_to_first_cores(draw(st.integers(1, shape.n_cores)))
    n_nodes = draw(st.integers(1, 5))
    network = draw(st.sampled_from([[], [("switch", 2), ("network", 0)], UNEVEN_SWITCHES]))
    return make_machine("m", [shape, cut], [0] * n_nodes + [1], network, [], [])


def naive_meeting_level(machine, a: int, b: int) -> int:
    """The lowest level at which both cores are in one object."""
    return next(
        level for level in range(machine.n_levels + 1) if machine.group(level, a) == machine.group(level, b)
    )


@given(machines())
def test_meeting_levels_equal_the_lowest_common_ancestor_found_by_climbing(machine):
    for a in range(machine.n_cores):
        for b in range(machine.n_cores):
            assert machine.meeting_level(a, b) == naive_meeting_level(machine, a, b)


@given(machines(), st.randoms(use_true_random=False))
def test_distance_is_an_ultrametric(machine, chance: random.Random):
    for _ in range(50):
        a, b, c = (chance.randrange(machine.n_cores) for _ in range(3))
        assert machine.distance(a, b) == machine.distance(b, a)
        assert (machine.distance(a, b) == 0) == (a == b)
        assert machine.distance(a, c) <= max(machine.distance(a, b), machine.distance(b, c))


@given(machines())
def test_every_level_joins_something_and_nests(machine):
    counts = [machine.n_groups(level) for level in range(machine.n_levels + 1)]
    assert all(low > high for low, high in zip(counts, counts[1:], strict=False))
    assert counts[-1] == 1
    for level in range(1, machine.n_levels + 1):
        groups = machine.group_of_core(level)
        assert set(np.diff(groups)) <= {0, 1} and groups[-1] == machine.n_groups(level) - 1


@given(machines())
def test_cores_and_nodes_number_each_other(machine):
    for core in range(machine.n_cores):
        node = machine.node_of(core)
        assert machine.core_at(node, machine.core_on_node(core)) == core
        assert machine.node_of_core[core] == node
    assert sum(machine.n_cores_on(node) for node in range(machine.n_nodes)) == machine.n_cores


@given(machines())
def test_logical_indices_count_the_threads_of_a_node_in_tree_order(machine):
    for node in range(machine.n_nodes):
        first = machine.first_core(node)
        cores = range(first, first + machine.n_cores_on(node))
        logical = [index for core in cores for index, _ in machine.pus(core)]
        assert logical == list(range(len(logical)))


@given(node_shapes(), st.integers(1, 3))
def test_the_fingerprint_depends_on_shape_and_os_indices_alone(shape, n_nodes):
    def fingerprint(node, name="a", figures=()):
        return make_machine(name, [node], [0] * n_nodes, [], list(figures), []).fingerprint

    figures = [("node", LinkFigures(1e-6, 1e9, "measured"))]
    assert fingerprint(shape) == fingerprint(shape, "b", figures)


@given(node_shapes())
def test_the_fingerprint_changes_when_two_threads_change_their_os_indices(shape):
    machine = make_machine("m", [shape], [0], [], [], [])
    groups = [machine.group_of_core(level).tolist() for level in range(1, machine.n_levels + 1)]
    names = [level.name for level in machine.levels] or ["node"]
    os_pus = [machine.os_pus(core) for core in range(machine.n_cores)]
    same = NodeShape(names, groups or [[0]], os_pus)
    assert make_machine("m", [same], [0], [], [], []).fingerprint == machine.fingerprint
    if machine.n_pus > 1:
        os_pus[0][0], os_pus[-1][-1] = os_pus[-1][-1], os_pus[0][0]
        swapped = NodeShape(names, groups or [[0]], os_pus)
        assert make_machine("m", [swapped], [0], [], [], []).fingerprint != machine.fingerprint


@given(ARITIES)
def test_a_tree_has_a_leaf_for_each_path_and_the_distances_of_its_digits(arities):
    # Leaf numbers in mixed radix: two leaves meet at the highest digit in which they differ.
    machine = make_tree_machine(arities, [])
    assert machine.n_cores == np.prod(arities)
    for leaf in range(machine.n_cores):
        rest, highest = leaf, 0
        for level, arity in enumerate(arities, start=1):
            rest, digit = divmod(rest, arity)
            highest = level if digit else highest
        assert machine.distance(0, leaf) == highest


def test_sizes_of_memory_stay_out_of_the_fingerprint():
    small = load("synthetic:1:[numa(memory=1000000000)] pack:2 l2:2(size=1048576) core:1 pu:1")
    large = load("synthetic:1:[numa(memory=9000000000)] pack:2 l2:2(size=4194304) core:1 pu:1")
    assert small.fingerprint == large.fingerprint


@settings(max_examples=1000)
@given(st.text(alphabet="draco:syntheticlocaltree@+-.012 /", max_size=40))
def test_any_text_is_a_machine_or_one_sentence(spec):
    from corewise.errors import CorewiseError

    try:
        machine = load(spec)
    except CorewiseError as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert machine.n_cores >= 1


def test_hwloc_is_quiet_and_its_variable_is_left_as_it_was(capfd):
    before = os.environ.get("HWLOC_HIDE_ERRORS")
    load("local")
    load("synthetic:1:numa:2 pack:1 core:2 pu:1")
    assert os.environ.get("HWLOC_HIDE_ERRORS") == before
    assert capfd.readouterr() == ("", "")
