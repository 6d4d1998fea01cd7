"""OpenMP's variables: where a command sets them, what they request, and which ignore the rank's mask."""

from __future__ import annotations

import pytest
from corewise.launchers import LAUNCHERS, Injection, Job, parse_command
from corewise.launchers.command_semantics import environment_of
from corewise.launchers.openmp import fixed_thread_bindings, n_threads_asked
from corewise.launchers.wrapper import binding_wrapper, variables_of, without_binding
from corewise.nouns.placement import Placement

PLACED = Placement("m", "f", ["f"], [0, 0], [[0], [1]], [[0], [1]])


@pytest.mark.parametrize(
    ("launcher", "words"),
    [
        ("openmpi4", "-x A=1 -x B -x C=x=y"),
        ("openmpi5", "-x A=1 -x B -x C=x=y"),
        ("hydra", "-env A 1 -genv C=x=y"),
        ("srun", "--export=ALL,A=1,C=x=y,B"),
    ],
)
def test_the_launcher_s_options_set_variables_over_those_around(launcher, words):
    options = LAUNCHERS[launcher].options
    command = parse_command(["mpirun", *words.split(), "./app"], options)
    assert environment_of(command, options, {"A": "0", "B": "2"}) == {"A": "1", "B": "2", "C": "x=y"}


def test_env_in_front_of_the_program_sets_variables():
    assert variables_of(["nice", "env", "-u", "X", "A=1", "B=", "./app", "C=3"]) == {"A": "1", "B": ""}
    assert variables_of(["./app", "A=1"]) == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [("4", 4), (" 8,2 ", 8), ("04", 4), ("", None), ("0", None), ("-1", None), ("4x", None), ("x", None)],
)
def test_the_first_number_of_omp_num_threads_counts(text, count):
    assert n_threads_asked({"OMP_NUM_THREADS": text}) == count


def test_nothing_is_asked_without_the_variable():
    assert n_threads_asked({}) is None


@pytest.mark.parametrize(
    ("name", "value", "fixed"),
    [
        ("GOMP_CPU_AFFINITY", "0-3:2", True),
        ("GOMP_CPU_AFFINITY", "", False),
        ("OMP_PLACES", "{0,1},{2,3}", True),
        ("OMP_PLACES", "!{0}", True),
        ("OMP_PLACES", "cores(4)", False),
        ("KMP_AFFINITY", "granularity=fine,proclist=[0,1],explicit", True),
        ("KMP_AFFINITY", "compact", False),
        ("OMP_PROC_BIND", "close", False),
    ],
)
def test_variables_that_name_hardware_threads_are_known(name, value, fixed):
    assert fixed_thread_bindings({name: value}) == ([name] if fixed else [])


def test_env_loses_what_binds_threads_and_goes_where_nothing_is_left():
    both = ["env", "A=1", "OMP_PLACES={0}", "./app"]
    assert without_binding(both) == (["env", "A=1", "./app"], ["OMP_PLACES={0}"])
    assert without_binding(["env", "OMP_PLACES={0}", "./app"]) == (["./app"], ["env OMP_PLACES={0}"])
    assert binding_wrapper(["env", "OMP_PLACES=cores", "./app"]) is None


@pytest.mark.parametrize("launcher", LAUNCHERS.values(), ids=list(LAUNCHERS))
def test_a_placed_program_starts_without_them(launcher):
    command = parse_command([*launcher.start, "./app"], launcher.options)
    environment = {"GOMP_CPU_AFFINITY": "0-1", "OMP_PLACES": "cores"}
    for family in launcher.families:
        job = Job(command, ["localhost"], "/job", Injection("/bind"), "nowhere", family, environment)
        plan = launcher.plan(PLACED, job)
        assert "/bind" in plan.argv
        assert "\nunset GOMP_CPU_AFFINITY\n" in plan.files["/job/bind.txt"]
        assert "OMP_PLACES" not in plan.files["/job/bind.txt"]


def test_the_user_s_own_way_of_waiting_stays():
    shared = Placement("m", "f", ["f"], [0, 0], [[0], [0]], [[0], [0]], oversubscribed=True)
    launcher = LAUNCHERS["openmpi4"]
    command = parse_command(["mpirun", "./app"], launcher.options)
    for environment, added in (({}, True), ({"OMPI_MCA_mpi_yield_when_idle": "0"}, False)):
        job = Job(command, ["localhost"], "/job", Injection("/bind"), "nowhere", "openmpi", environment)
        assert bool(launcher.settings(shared, job)) is added
