"""A rank with many scattered cores under Open MPI: mpirun reads only the start of a long list."""

from __future__ import annotations

import pytest
from corewise.errors import InputError
from corewise.launchers import LAUNCHERS, Injection, Job, parse_command
from corewise.nouns.placement import Placement
from msgspec import structs

SCATTERED = list(range(0, 64, 2))  # "0,2,4,...,62": 87 characters
PLACEMENT = Placement("m", "f", ["a"], [0, 0], [SCATTERED, [1]], [SCATTERED, [1]])


def plan(name: str, placement: Placement):
    command = parse_command(["mpirun", "./app"], LAUNCHERS[name].options)
    return LAUNCHERS[name].plan(placement, Job(command, ["n1"], "/job", Injection("binder"), "command"))


@pytest.mark.parametrize("name", ["openmpi4", "openmpi5"])
def test_the_rankfile_has_runs_of_it_and_the_binder_sets_all(name):
    made = plan(name, PLACEMENT)
    first, second = made.files["/job/rankfile"].splitlines()
    listed = first.removeprefix("rank 0=n1 slot=")
    assert len(listed) <= 40 and [int(core) for core in listed.split(",")] == SCATTERED[:15]
    assert second == "rank 1=n1 slot=1"
    masks = made.files["/job/bind.txt"].splitlines()
    assert masks == ["corewise-bind 1", f"rank 0 {','.join(map(str, SCATTERED))}", "rank 1 1"]
    assert made.notes == [
        "corewise-bind sets the cores: mpirun reads the beginning of a long list of cores only."
    ]


@pytest.mark.parametrize("name", ["openmpi4", "openmpi5"])
def test_it_is_refused_where_the_binder_knows_no_os_indices(name):
    with pytest.raises(InputError, match="has no OS indices"):
        plan(name, structs.replace(PLACEMENT, os_pus=None))
