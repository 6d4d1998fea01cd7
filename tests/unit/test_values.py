"""Machine and Traffic are values: equal ones are equal, hash alike, and can be copied; traffic is pickled."""

from __future__ import annotations

import copy
import pickle

import corewise
import numpy as np
import pytest
from corewise.model import CommMatrix, LargeMessages, Phase, Traffic


def matrix(n_bytes: int = 5) -> CommMatrix:
    src, dst = np.array([0, 1], np.int32), np.array([1, 0], np.int32)
    return CommMatrix.from_columns(
        3, src, dst, np.array([n_bytes, 7], np.uint64), np.array([1, 2], np.uint64)
    )


def traffic(n_bytes: int = 5) -> Traffic:
    return Traffic.of_phases([Phase(2, matrix(n_bytes)), Phase(1, matrix())], LargeMessages(64, matrix()))


VALUES = {
    "machine": (lambda: corewise.machine("draco:2"), lambda: corewise.machine("draco:3")),
    "matrix": (matrix, lambda: matrix(6)),
    "phase": (lambda: Phase(2, matrix()), lambda: Phase(3, matrix())),
    "traffic": (traffic, lambda: traffic(6)),
}


@pytest.mark.parametrize(("make", "other"), VALUES.values(), ids=VALUES)
def test_equal_values_are_equal_and_hash_alike_and_others_are_not(make, other):
    assert make() == make() and hash(make()) == hash(make())
    assert make() != other() and make() != "a text"
    assert len({make(), make(), other()}) == 2


@pytest.mark.parametrize(("make", "other"), VALUES.values(), ids=VALUES)
def test_a_copy_is_equal_and_another_object(make, other):
    value = make()
    for twin in (copy.copy(value), copy.deepcopy(value)):
        assert twin == value and twin is not value


@pytest.mark.parametrize("name", ["matrix", "phase", "traffic"])
def test_traffic_survives_pickling(name):
    value = VALUES[name][0]()
    assert pickle.loads(pickle.dumps(value)) == value


def test_machines_of_one_shape_with_other_figures_differ():
    assert corewise.machine("draco:2") != corewise.machine("synthetic:2:pack:2 core:4 pu:1")
