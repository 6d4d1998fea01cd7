"""Parsing `LAUNCHER ... APP ...`: options, their values, the program, and what is refused."""

from __future__ import annotations

import shlex

import pytest
from corewise.errors import InputError
from corewise.launchers import (
    LAUNCHERS,
    launcher,
    number_of_ranks,
    oversubscribes,
    parse_command,
    placing_options,
    refuse_choosing_hosts,
    refuse_placing,
    refuse_starting_nothing,
    without_placing,
)
from corewise.launchers.wrapper import WRAPPERS, unwrapped
from launcher_cases import TWO_FAMILIES

KNOWN = LAUNCHERS | {TWO_FAMILIES.name: TWO_FAMILIES}


def parsed(name: str, words: str):
    return parse_command(shlex.split(words), KNOWN[name].options)


# As each launcher reads it: tried on Open MPI 4.1.4 and 5.0.11 and on Hydra 4.0.2.
@pytest.mark.parametrize(
    ("name", "words", "app", "n_ranks"),
    [
        ("openmpi4", "mpirun -np 4 --mca btl self,tcp ./app -n 7", "./app -n 7", 4),
        ("openmpi4", "mpirun --oversubscribe -n 4 lmp -in in.lj", "lmp -in in.lj", 4),
        ("openmpi4", "mpirun -x A=b -H h1:2,h2 -c 3 app", "app", 3),
        ("openmpi4", "mpirun --np 4 app", "app", 4),
        ("openmpi4", "mpirun -qvn 3 app", "app", 3),
        ("openmpi4", "mpirun -n 2 -- ./app -- x", "./app -- x", 2),
        ("openmpi4", "mpirun app", "app", None),
        ("openmpi5", "mpirun --np 2 --prtemca a b -- ./app --np 9", "./app --np 9", 2),
        ("openmpi5", "mpirun --output tag --n=6 app", "app", 6),
        ("openmpi5", "mpirun -np=4 --mca=btl self,sm app", "app", 4),
        ("openmpi5", "mpirun -n=4 -x A=b --output-proctable=f app", "app", 4),
        ("openmpi5", "mpirun --output-proctable -c 4 app", "app", 4),
        ("hydra", "mpiexec -genv A b -n 8 -l ./app -l", "./app -l", 8),
        ("hydra", "mpiexec -genv A=b -n 8 ./app", "./app", 8),
        ("hydra", "mpiexec --genv=A=b -NP=8 ./app", "./app", 8),
        ("hydra", "mpiexec -env=A b --np 8 ./app", "./app", 8),
        ("hydra", "mpiexec -n 1 ./a : -n 2 ./b", "./a", 3),
        ("hydra", "mpiexec -n 1 ./a : ./b", "./a", None),
        ("srun", "srun -n4 ./app -n 7", "./app -n 7", 4),
        ("srun", "srun -N2 --ntasks=4 --mpi pmi2 -lv ./app", "./app", 4),
        ("srun", "srun -ln4 --exclusive --kill-on-bad-exit=1 -- ./app", "./app", 4),
        ("srun", "srun -n 1 ./a : -n 2 ./b", "./a", 3),
        ("srun", "srun -K1 -lI5 -n4 ./app", "./app", 4),
        ("srun", "srun -K -n4 ./app", "./app", 4),
        ("two-families", "run2 start -n4 ./app", "./app", 4),
        ("two-families", "run2 start -lvvn4 ./app", "./app", 4),
        ("two-families", "run2 start -lvn 4 --nodelist=a,b -- ./app : b", "./app : b", 4),
        ("two-families", "run2 start --ntasks=4 --exclusive=user ./app", "./app", 4),
        ("two-families", "run2 start --ntasks 4 --exclusive ./app", "./app", 4),
    ],
)
def test_the_program_begins_after_the_launchers_last_option(name, words, app, n_ranks):
    command = parsed(name, words)
    assert shlex.join(command.app) == app
    assert number_of_ranks(command, KNOWN[name].options) == n_ranks


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        ("openmpi4", "mpirun --oversubscibe -n 4 app", "'--oversubscibe'.*did you mean '--oversubscribe'"),
        ("openmpi4", "mpirun -zzz 4 app", "no option '-zzz' that corewise knows.*see its --help"),
        ("openmpi4", "mpirun -n", "found 0 values, expected 1"),
        ("openmpi4", "mpirun --mca btl", "found 1 values, expected 2"),
        ("openmpi4", "mpirun -n 4", "no program follows the launcher's options .'4' is the value of '-n'."),
        ("srun", "srun -n4 --cpu-bind app", "'app' is the value of '--cpu-bind'"),
        ("openmpi4", "mpirun -n 4 app :", "no program follows"),
        ("openmpi4", "mpirun -n4 app", "mpirun doesn't take '-n4'; write '-n 4'"),
        ("openmpi4", "mpirun -np4 app", "mpirun doesn't take '-np4'; write '-np 4'"),
        ("openmpi4", "mpirun --np=4 app", "mpirun doesn't take '--np=4'; write '--np 4'"),
        ("openmpi4", "mpirun ---np 4 app", "mpirun doesn't take '---np'; write '--np'"),
        ("openmpi5", "mpirun -n4 app", "mpirun doesn't take '-n4'; write '-n 4'"),
        ("openmpi5", "mpirun -H=a app", "mpirun doesn't take '-H=a'; write '-H a'"),
        ("openmpi5", "mpirun --c 4 app", "mpirun doesn't take '--c'; write '-c'"),
        ("openmpi5", "mpirun --tag-output=1 app", "mpirun doesn't take '--tag-output=1'"),
        ("openmpi5", "mpirun --hostf f app", "'--hostf'.*did you mean '--hostfile'"),
        ("hydra", "mpiexec -n4 app", "mpiexec doesn't take '-n4'; write '-n 4'"),
        ("hydra", "mpiexec -l=x app", "mpiexec doesn't take '-l=x'"),
        ("hydra", "mpiexec -n 4 -- app", "mpiexec doesn't take '--' before the program; leave it out"),
        ("hydra", "mpiexec -env A", "found 1 values, expected 2"),
        ("two-families", "run2 -n 4 app", "found '-n' after 'run2'; expected run2 start ... APP ..."),
        ("two-families", "run2", "found nothing after 'run2'"),
        ("two-families", "run2 start --n 4 app", "run2 doesn't take '--n'; write '-n'"),
        ("two-families", "run2 start -lz app", "no option '-lz'"),
    ],
)
def test_a_command_that_does_not_parse_is_refused_in_one_sentence(name, words, sentence):
    with pytest.raises(InputError, match=sentence):
        parsed(name, words)


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        ("openmpi4", "mpirun --map-by core app", "'--map-by core' maps or binds"),
        ("openmpi4", "mpirun -bind-to none app", "'-bind-to none' maps or binds"),
        ("openmpi4", "mpirun -rf file app", "'-rf file' maps or binds"),
        ("openmpi4", "mpirun -N 2 app", "'-N 2' maps or binds"),
        ("openmpi4", "mpirun --mca rmaps_base_mapping_policy core app", "maps or binds"),
        ("openmpi4", "mpirun --mca orte_rankfile f app", "'--mca orte_rankfile f' maps or binds"),
        ("openmpi5", "mpirun --map-by=core app", "'--map-by=core' maps or binds"),
        ("openmpi5", "mpirun --prtemca hwloc_default_binding_policy none app", "maps or binds"),
        ("openmpi5", "mpirun --cpus-per-rank 2 app", "maps or binds"),
        ("hydra", "mpiexec -bind-to user:0,1 app", "maps or binds"),
        ("hydra", "mpiexec -BIND-TO=core app", "maps or binds"),
        ("hydra", "mpiexec -order-nodes ascending app", "maps or binds"),
        ("hydra", "mpiexec -ppn 2 app", "maps or binds"),
        ("two-families", "run2 start --cpu-bind=none app", "'--cpu-bind=none' maps or binds"),
    ],
)
def test_a_command_that_places_by_itself_is_refused_where_corewise_must_place(name, words, sentence):
    with pytest.raises(InputError, match=sentence):
        refuse_placing(parsed(name, words), KNOWN[name].options)


@pytest.mark.parametrize(
    ("words", "program"),
    [
        ("./app -n 2", "./app -n 2"),
        ("env -u C A=b D= ./app x=y", "./app x=y"),
        ("/usr/bin/env -i ./app", "./app"),
        ("numactl --interleave=all ./app", "./app"),
        ("numactl -C0-3 -m 0 -- ./app -C 1", "./app -C 1"),
        ("taskset -c 0,1 nice -n 5 ./app", "./app"),
        ("timeout -k 5 60 time -v ./app", "./app"),
        ("hwloc-bind pack:1.core:2 -- ./app", "./app"),
        ("stdbuf -oL likwid-pin -c 0-3 ./app", "./app"),
        ("taskset -p 0", "taskset -p 0"),  # starts no program: left unchanged
        ("nice", "nice"),
    ],
)
def test_the_program_stands_behind_its_wrappers(words, program):
    assert shlex.join(unwrapped(shlex.split(words))) == program


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        ("taskset -c 0,1 ./app", "taskset -c 0,1"),
        ("env A=b numactl --cpunodebind=0 ./app", "numactl --cpunodebind=0"),
        ("hwloc-bind pack:1 -- nice ./app", "hwloc-bind pack:1 --"),
        ("nice likwid-pin -c 0-3 ./app", "likwid-pin -c 0-3"),
    ],
)
def test_a_wrapper_that_binds_is_refused_where_corewise_must_place(words, typed):
    with pytest.raises(InputError, match=f"'{typed}' binds ranks, but corewise sets the placement"):
        refuse_placing(parsed("openmpi4", f"mpirun -n 2 {words}"), LAUNCHERS["openmpi4"].options)
    refuse_placing(parsed("openmpi4", "mpirun numactl -m 0 ./app taskset"), LAUNCHERS["openmpi4"].options)


@pytest.mark.parametrize(
    ("name", "words", "left", "taken_out"),
    [
        ("openmpi4", "--bind-to core -n 4 app --bind-to x", "-n 4 app --bind-to x", ["--bind-to core"]),
        ("openmpi4", "-rf file -x A=b app", "-x A=b app", ["-rf file"]),
        ("openmpi4", "-npernode 2 -H a,b app", "-H a,b app", ["-npernode 2"]),
        ("openmpi4", "--mca rmaps_x y --mca btl self app", "--mca btl self app", ["--mca rmaps_x y"]),
        ("openmpi5", "--map-by=core --np 2 -- app", "--np 2 app", ["--map-by=core"]),
        ("hydra", "-bind-to core -map-by numa -n 2 app", "-n 2 app", ["-bind-to core", "-map-by numa"]),
        ("openmpi4", "-n 2 taskset -c 0 nice app", "-n 2 nice app", ["taskset -c 0"]),
        ("openmpi4", "-n 2 env A=b numactl -C0 app", "-n 2 env A=b app", ["numactl -C0"]),
        ("openmpi4", "numactl -N 0 -m 0 -i all app", "numactl -i all app", ["-N 0 -m 0"]),
        ("openmpi4", "numactl -m 0 app", "numactl -m 0 app", []),
        ("openmpi4", "-n 2 app", "-n 2 app", []),
    ],
)
def test_what_maps_or_binds_is_taken_out_and_nothing_else(name, words, left, taken_out):
    options = KNOWN[name].options
    command, found = without_placing(parsed(name, f"mpirun {words}"), options)
    assert shlex.join([*command.options_without(()), *command.app]) == left
    assert found == taken_out
    refuse_placing(command, options)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("openmpi4", "--nolocal"),
        ("openmpi5", "--nolocal"),
        ("hydra", "-skip-launch-node"),
        ("hydra", "-order-nodes down"),
    ],
)
def test_an_option_that_leaves_hosts_out_is_refused_even_where_binding_is_accepted(name, words):
    with pytest.raises(InputError, match="leaves out a host.*name the hosts to be used"):
        refuse_choosing_hosts(parsed(name, f"mpirun {words} app"), KNOWN[name].options)
    refuse_choosing_hosts(parsed(name, "mpirun -bind-to core app"), KNOWN[name].options)


@pytest.mark.parametrize("name", KNOWN)
def test_a_plain_command_may_be_placed(name):
    options = KNOWN[name].options
    count = options.as_written(min(options.n_ranks), "-")
    refuse_placing(
        parse_command([*KNOWN[name].start, count, "4", "./app", "--map-by", "core"], options), options
    )


def test_only_an_option_that_sets_a_parameter_places_by_one():
    options = LAUNCHERS["openmpi4"].options
    command = parsed("openmpi4", "mpirun -x rmaps_x=1 --gmca rmaps_base_oversubscribe 1 --mca btl self app")
    assert [option.tokens for option in placing_options(command, options)] == [
        ("--gmca", "rmaps_base_oversubscribe", "1")
    ]


def test_only_the_launchers_own_flag_oversubscribes():
    options = LAUNCHERS["openmpi4"].options
    assert oversubscribes(parsed("openmpi4", "mpirun --oversubscribe -n 4 app"), options)
    assert not oversubscribes(parsed("openmpi4", "mpirun -n 4 app --oversubscribe"), options)


@pytest.mark.parametrize(
    ("mapping", "shares"),
    [
        (":OVERSUBSCRIBE", True),
        ("core:pe=2:oversubscribe", True),
        ("slot:NOOVERSUBSCRIBE", False),
        ("rankfile:file=oversubscribe", False),
        ("core", False),
    ],
)
def test_a_qualifier_of_the_mapping_oversubscribes_too(mapping, shares):
    options = LAUNCHERS["openmpi5"].options
    assert oversubscribes(parsed("openmpi5", f"mpirun --map-by {mapping} -n 4 app"), options) is shares


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("openmpi4", "mpirun --version app"),
        ("openmpi4", "mpirun -n 2 --help mapping app"),
        ("openmpi5", "mpirun --do-not-launch app"),
        ("hydra", "mpiexec -n 1 a : -info b"),
    ],
)
def test_a_command_that_starts_no_program_is_refused(name, words):
    with pytest.raises(InputError, match="doesn't start the program; leave it out"):
        refuse_starting_nothing(parsed(name, words), KNOWN[name].options)
    refuse_starting_nothing(parsed(name, "mpirun -n 2 app --version"), KNOWN[name].options)


@pytest.mark.parametrize("name", KNOWN)
def test_an_option_table_names_only_options_that_it_knows(name):
    table = KNOWN[name].options
    groups = (
        table.n_ranks,
        table.n_hosts,
        table.host_list,
        table.host_file,
        table.places,
        table.chooses_hosts,
    )
    groups += (
        table.several_programs,
        table.working_directory,
        table.search_path,
        table.oversubscribes,
        table.starts_nothing,
    )
    groups += (table.syntax.one_dash, table.syntax.two_dashes)
    assert frozenset().union(*groups) <= set(table.n_values)
    assert all(table.n_values[option] == 1 for option in table.n_ranks | table.host_list | table.host_file)
    assert all(table.n_values[option] == 2 for option in table.assignment | table.parameter)
    assert all(table.n_values[option] == 0 for option in table.optional_value)
    assert not table.syntax.ignores_case or all(option == option.lower() for option in table.n_values)


@pytest.mark.parametrize("text", ["two", "-1", "0", "1.5", "''", "4\u0664", "9" * 5000])
def test_a_number_of_ranks_that_is_none_is_refused_as_it_was_typed(text):
    command = parsed("openmpi4", f"mpirun -n {text} app")
    with pytest.raises(InputError, match=rf"'{text.strip(chr(39))[:80]}' is no number of ranks"):
        number_of_ranks(command, LAUNCHERS["openmpi4"].options)


def test_a_value_that_follows_a_letter_directly_is_taken_whole_as_getopt_takes_it():
    options = TWO_FAMILIES.options
    for typed, value in (("-n=4", "=4"), ("-ntasks", "tasks")):
        with pytest.raises(InputError, match=f"'{value}' is no number of ranks"):
            number_of_ranks(parsed("two-families", f"run2 start {typed} app"), options)


def test_two_numbers_of_ranks_are_refused_for_launchers_differ_in_which_they_take():
    command = parsed("openmpi4", "mpirun -n 2 --np 3 app")
    with pytest.raises(InputError, match="'-n 2' and '--np 3' both give the number of ranks; leave one out"):
        number_of_ranks(command, LAUNCHERS["openmpi4"].options)


def test_wrappers_are_sorted_by_name():
    assert list(WRAPPERS) == sorted(WRAPPERS)


def test_an_unknown_launcher_is_named_with_the_nearest_one():
    with pytest.raises(InputError, match="did you mean 'openmpi4'"):
        launcher("opnmpi4")
