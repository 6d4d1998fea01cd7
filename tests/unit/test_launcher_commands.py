"""Taking `LAUNCHER ... APP ...` apart: options, their values, the program, and what is refused."""

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
    refuse_placing,
)


def parsed(name: str, words: str):
    return parse_command(shlex.split(words), LAUNCHERS[name].options)


@pytest.mark.parametrize(
    ("name", "words", "app", "n_ranks"),
    [
        ("openmpi4", "mpirun -np 4 --mca btl self,tcp ./app -n 7", "./app -n 7", 4),
        ("openmpi4", "mpirun --oversubscribe -n 4 lmp -in in.lj", "lmp -in in.lj", 4),
        ("openmpi4", "mpirun -x A=b -H h1:2,h2 -c 3 app", "app", 3),
        ("openmpi4", "mpirun app", "app", None),
        ("openmpi5", "mpirun --np 2 --prtemca a b -- ./app --np 9", "./app --np 9", 2),
        ("openmpi5", "mpirun --output tag --n=6 app", "app", 6),
        ("hydra", "mpiexec -genv A b -n 8 -l ./app -l", "./app -l", 8),
        ("hydra", "mpiexec -n 1 ./a : -n 2 ./b", "./a", 3),
    ],
)
def test_the_program_begins_after_the_launchers_last_option(name, words, app, n_ranks):
    command = parsed(name, words)
    assert shlex.join(command.app) == app
    assert number_of_ranks(command, LAUNCHERS[name].options) == n_ranks


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        ("openmpi4", "mpirun --oversubscibe -n 4 app", "'--oversubscibe'.*did you mean 'oversubscribe'"),
        ("openmpi4", "mpirun -n", "found 0 values, expected 1"),
        ("openmpi4", "mpirun --mca btl", "found 1 values, expected 2"),
        ("openmpi4", "mpirun -n 4", "no program follows"),
        ("openmpi4", "mpirun -n 4 app :", "no program follows"),
        ("hydra", "mpiexec -n 4 --", "no program follows"),
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
        ("openmpi4", "mpirun --app file x", "'?--app"),
        ("openmpi4", "mpirun a : b", "several programs"),
        ("openmpi5", "mpirun --map-by=core app", "'--map-by=core' maps or binds"),
        ("openmpi5", "mpirun --cpus-per-rank 2 app", "maps or binds"),
        ("hydra", "mpiexec -bind-to user:0,1 app", "maps or binds"),
        ("hydra", "mpiexec -ppn 2 app", "maps or binds"),
        ("hydra", "mpiexec -configfile f x", "names a file of programs"),
    ],
)
def test_a_command_that_places_by_itself_is_refused_where_corewise_must_place(name, words, sentence):
    with pytest.raises(InputError, match=sentence):
        refuse_placing(parsed(name, words), LAUNCHERS[name].options)


@pytest.mark.parametrize("name", LAUNCHERS)
def test_a_plain_command_may_be_placed(name):
    refuse_placing(parsed(name, "mpirun -n 4 ./app --map-by core"), LAUNCHERS[name].options)


def test_only_the_launchers_own_flag_oversubscribes():
    options = LAUNCHERS["openmpi4"].options
    assert oversubscribes(parsed("openmpi4", "mpirun --oversubscribe -n 4 app"), options)
    assert not oversubscribes(parsed("openmpi4", "mpirun -n 4 app --oversubscribe"), options)


@pytest.mark.parametrize("name", LAUNCHERS)
def test_an_option_table_names_only_options_that_it_knows(name):
    table = LAUNCHERS[name].options
    groups = (table.n_ranks, table.host_list, table.host_file, table.places)
    named = frozenset().union(*groups, table.several_programs, table.oversubscribes)
    assert named <= set(table.n_values)
    assert all(table.n_values[option] == 1 for option in table.n_ranks | table.host_list | table.host_file)


@pytest.mark.parametrize("text", ["two", "-1", "1.5", "''"])
def test_a_number_of_ranks_that_is_none_is_refused_as_it_was_typed(text):
    command = parsed("openmpi4", f"mpirun -n {text} app")
    with pytest.raises(InputError, match=rf"'{text.strip(chr(39))}' is no number of ranks"):
        number_of_ranks(command, LAUNCHERS["openmpi4"].options)


def test_an_unknown_launcher_is_named_with_the_nearest_one():
    with pytest.raises(InputError, match="did you mean 'openmpi4'"):
        launcher("opnmpi4")
