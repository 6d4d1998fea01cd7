"""Machine, Traffic and Profile are values: compared, hashed and copied; the first two are pickled, too."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from tempfile import TemporaryDirectory

import corewise
import numpy as np
import pytest
from corewise.model import CommMatrix, LargeMessages, Phase, Traffic
from corewise.profile.reading import read_profile
from profile_cases import two_phase_profile


def matrix(n_bytes: int = 5) -> CommMatrix:
    src, dst = np.array([0, 1], np.int32), np.array([1, 0], np.int32)
    return CommMatrix.from_columns(
        3, src, dst, np.array([n_bytes, 7], np.uint64), np.array([1, 2], np.uint64)
    )


def traffic(n_bytes: int = 5) -> Traffic:
    return Traffic.of_phases([Phase(2, matrix(n_bytes)), Phase(1, matrix())], LargeMessages(64, matrix()))


FIXTURES = Path(__file__).parents[2] / "fixtures"


def traced(n_ranks: int = 0) -> corewise.Profile:
    """A profile of a real ring, or of `n_ranks` ranks with windows and communicators."""
    if not n_ranks:
        return read_profile(FIXTURES / "profiles" / "ring")
    with TemporaryDirectory() as folder:
        return read_profile(two_phase_profile().write(Path(folder)))


VALUES = {
    "machine": (lambda: corewise.machine("draco:2"), lambda: corewise.machine("draco:3")),
    "torus": (lambda: corewise.machine("jaguar-xt5:10+8"), lambda: corewise.machine("jaguar-xt5:11")),
    "devices": (
        lambda: corewise.machine(FIXTURES / "topologies" / "gpus.xml"),
        lambda: corewise.machine(FIXTURES / "topologies" / "hybrid.xml"),
    ),
    "profile": (traced, lambda: traced(4)),
    "windows": (lambda: traced(4), traced),
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


@pytest.mark.parametrize("name", [name for name in VALUES if name not in ("profile", "windows")])
def test_values_but_profiles_survive_pickling(name):
    value = VALUES[name][0]()
    twin = pickle.loads(pickle.dumps(value))
    assert twin == value and repr(twin) == repr(value)


def test_machines_of_one_shape_with_other_figures_differ():
    assert corewise.machine("draco:2") != corewise.machine("synthetic:2:pack:2 core:4 pu:1")
