"""Binding widths on synthetic topologies: the cores of a rank's mask, and which ranks then share cores."""

from __future__ import annotations

import pytest
from corewise import machines
from corewise.errors import InputError
from corewise.mapping.binding_request import (
    PU,
    masks_asked,
    other_widths,
    sharing_sentence,
    with_width,
)
from corewise.mapping.process_binding import BINDINGS
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from hypothesis import given
from hypothesis import strategies as st
from sources import ROOT

TOPOLOGIES = ROOT / "fixtures" / "topologies"
PERLMUTTER = str(ROOT / "fixtures" / "affinity" / "perlmutter.xml")


def widened(spec: str, cores: list[int], width: str, **more) -> Placement:
    machine = machines.load(spec)
    return with_width(Placement.of(Assignment.from_cores(cores), machine, **more), machine, width)


@pytest.mark.parametrize(
    ("width", "last", "n_pus"),
    [("core", 17, 2), ("l3", 23, 16), ("numa", 31, 32), ("package", 63, 128), ("node", 127, 256)],
)
def test_a_rank_gets_the_object_around_its_core_beginning_with_its_own(width, last, n_pus):
    found = widened(PERLMUTTER, [17], width)
    assert (found.core, max(found.cores[0]), len(found.os_pus[0])) == ([17], last, n_pus)
    assert found.whole_cores and not found.oversubscribed


def test_a_rank_with_cores_in_two_objects_gets_both():
    machine = machines.load(PERLMUTTER)
    both = Placement.of(Assignment.from_core_lists([[0, 8]]), machine)
    assert sorted(with_width(both, machine, "l3").cores[0]) == list(range(16))


def test_objects_of_a_node_are_numbered_on_that_node():
    found = widened("devcluster:2", [0, 20, 39], "package")
    assert found.node == [0, 1, 1]
    assert [sorted(cores) for cores in found.cores] == [[*range(10)], [*range(10)], [*range(10, 20)]]


def test_an_l2_of_small_cores_is_no_l3_and_holes_of_a_cpuset_stay_out():
    # hybrid.xml: two large cores of two threads, four small ones; one L3 for all.
    assert widened(str(TOPOLOGIES / "hybrid.xml"), [2], "l3").os_pus == [[0, 1, 8, 9, 16, 18, 20, 22]]
    holes = widened(str(TOPOLOGIES / "cpuset-holes.xml"), [0, 5], "package")
    machine = machines.load(str(TOPOLOGIES / "cpuset-holes.xml"))
    assert set(holes.os_pus[0]) | set(holes.os_pus[1]) == {
        pu for core in range(machine.n_cores) for pu in machine.os_pus(core)
    }


def test_ranks_that_share_a_core_get_a_hardware_thread_each():
    smt = str(TOPOLOGIES / "smt-interleaved.xml")
    found = widened(smt, [3, 3, 3, 0], PU, oversubscribed=True)
    assert found.os_pus == [[3], [11], [3], [0]]
    assert not found.whole_cores
    # `run` accepts such masks on this host.
    assert found.cores_on(machines.load(smt), 1, node=0) == [3]


@pytest.mark.parametrize(
    ("cores", "width", "sentence"),
    [
        ([0, 1, 8], "l3", "2 of 3 ranks may run on hardware threads of other ranks"),
        ([0, 8], "l3", None),
        ([0, 8], "numa", "2 of 2 ranks may run on hardware threads of other ranks"),
        ([0, 1], PU, None),
    ],
)
def test_ranks_that_may_run_on_cores_of_others_are_counted(cores, width, sentence):
    found = widened(PERLMUTTER, cores, width)
    assert sharing_sentence(found) == sentence
    assert found.overlaps == (sentence is not None)


def test_a_width_that_the_machine_does_not_show_is_refused():
    with pytest.raises(InputError, match="shows no L3 cache"):
        widened(str(TOPOLOGIES / "no-package.xml"), [0], "l3")


@given(
    cores=st.lists(st.integers(0, 127), min_size=1, max_size=8, unique=True),
    width=st.sampled_from([*BINDINGS]),
)
def test_a_wider_mask_holds_the_rank_s_own_cores_and_stays_on_its_node(cores, width):
    machine = machines.load("perlmutter:1")
    own = Placement.of(Assignment.from_cores(cores), machine)
    wide = with_width(own, machine, width)
    assert wide.core == own.core
    assert all(set(narrow) <= set(mask) for narrow, mask in zip(own.os_pus, wide.os_pus, strict=True))
    assert [wide.cores_on(machine, rank, 0) for rank in range(wide.n_ranks)] == wide.cores


def compared(spec: str, default: list[int], best: list[int], *bindings: str):
    machine = machines.load(spec)
    files = {
        label: Placement.of(Assignment.from_cores(cores), machine)
        for label, cores in (("default", default), ("best", best))
    }
    return other_widths(files, machine, bindings, {label: masks_asked(file) for label, file in files.items()})


def test_other_widths_are_of_the_best_placement_and_none_is_the_default_free_on_its_nodes():
    found, left_out = compared(PERLMUTTER, [0, 1], [17, 64], "numa", "none")
    assert [width.label for width, _ in found] == ["best-numa", "default-none"]
    assert [[len(mask) for mask in wider.os_pus] for _, wider in found] == [[32, 32], [256, 256]]
    assert left_out == []


def test_a_width_that_changes_no_mask_is_left_out_and_said():
    # devcluster.toml: nodes of two packages of ten cores, one NUMA domain in each.
    found, left_out = compared("devcluster:1", [0, 1], [0, 10], "core", "numa", "package", "numa")
    assert [width.binding for width, _ in found] == ["numa"]
    assert left_out == [
        "Binding core gives every rank the same masks here as the best placement: not run.",
        "Binding package gives every rank the same masks here as binding numa: not run.",
    ]


def test_a_width_whose_masks_another_one_or_a_compared_placement_has_is_not_run_twice():
    # Two cores on one node. Ranks that are free on the node have the same masks with every placement.
    found, left_out = compared("synthetic:1:core:2 pu:1", [0, 1], [1, 0], "node", "none")
    assert [(width.of, width.binding) for width, _ in found] == [("best", "node")]
    assert left_out == ["Binding none gives every rank the same masks here as binding node: not run."]
