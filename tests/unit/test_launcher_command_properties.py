"""Option tables: they name only their own options, and commands built from them parse into the same parts."""

from __future__ import annotations

import pytest
from corewise.errors import InputError
from corewise.launchers import launcher, parse_command, refuse_placing
from corewise.launchers.options import OptionTable
from corewise.launchers.wrapper import WRAPPERS
from hypothesis import given
from hypothesis import strategies as st
from launcher_cases import KNOWN, TWO_FAMILIES

Written = tuple[str, list[str], list[str]]  # an option's name, its values, and its words on the command line

# Possible values and arguments, among them some that look like options or assignments.
TRICKY = ["", "-n", "--n=4", "=4", "a=b", "-"]
WORD = st.sampled_from(TRICKY) | st.text("abn04-=:,./ \n", max_size=6).filter(
    lambda word: word not in (":", "--")
)


def forms(table: OptionTable, name: str, typed: str, values: list[str]) -> list[Written]:
    """All spellings in which a launcher reads an option; `typed` is its name with dashes."""
    ways = [(name, values, [typed, *values])]
    equals = table.syntax.equals and name not in table.syntax.one_dash
    if values and equals:
        ways.append((name, values, [f"{typed}={values[0]}", *values[1:]]))
    if values and values[0] and table.syntax.attached and name in table.syntax.one_dash:
        ways.append((name, values, [typed + values[0]]))
    if name in table.assignment:
        together = "=".join(values)
        ways += [(name, [together], [typed, together]), (name, [together], [f"{typed}={together}"])]
    if name in table.optional_value and equals:
        ways.append((name, ["x=y"], [f"{typed}=x=y"]))
    return ways


@st.composite
def written_options(draw, table: OptionTable) -> list[Written]:
    """A few options of the table, each in one spelling. Options with special rules are drawn more often."""
    ruled = table.n_ranks | table.assignment | table.optional_value | table.syntax.one_dash
    names = st.sampled_from(sorted(ruled)) | st.sampled_from(sorted(table.n_values))
    written = []
    for name in draw(st.lists(names, max_size=5)):
        first = WORD.filter(lambda word: "=" not in word) if name in table.assignment else WORD
        values = [draw(first if i == 0 else WORD) for i in range(table.n_values[name])]
        dashes = draw(st.sampled_from([dashes for dashes in ("-", "--") if table.named(dashes, name)]))
        upper = table.syntax.ignores_case and draw(st.booleans())
        written.append(
            draw(st.sampled_from(forms(table, name, dashes + (name.upper() if upper else name), values)))
        )
    return written


@pytest.mark.parametrize("name", KNOWN)
@given(data=st.data())
def test_a_command_parses_back_into_its_parts(name, data):
    table = KNOWN[name].options
    written = data.draw(written_options(table))
    app = [
        data.draw(WORD.filter(lambda word: not word.startswith("-"))),
        *data.draw(st.lists(WORD, max_size=3)),
    ]
    start = KNOWN[name].start
    marker = ["--"] if table.syntax.end_of_options and data.draw(st.booleans()) else []
    words = [word for _, _, of_option in written for word in of_option]
    command = parse_command([*start, *words, *marker, *app], table)
    found = [(option.name, list(option.values)) for option in command.programs[0].options]
    assert found == [(option, values) for option, values, _ in written]
    assert (command.start, command.app) == (start, app)
    assert command.options_without(()) == words


@given(flags=st.text("lv", min_size=1, max_size=4), n_ranks=st.integers(1, 99), attached=st.booleans())
def test_one_letter_options_that_share_a_dash_are_those_written_apart(flags, n_ranks, attached):
    last = [f"n{n_ranks}"] if attached else ["n", str(n_ranks)]
    together = parse_command(["run", "start", f"-{flags}{last[0]}", *last[1:], "app"], TWO_FAMILIES.options)
    apart = [f"-{flag}" for flag in flags]
    command = parse_command(["run", "start", *apart, "-" + last[0], *last[1:], "app"], TWO_FAMILIES.options)
    assert together == command


@pytest.mark.parametrize("name", KNOWN)
@given(words=st.lists(WORD, max_size=4))
def test_any_words_are_parsed_without_loss_or_refused_with_a_sentence(name, words):
    start = KNOWN[name].start
    try:
        command = parse_command([*start, *words], KNOWN[name].options)
    except InputError as error:
        assert str(error).startswith(start[0])
    else:
        assert [*command.options_without(()), *command.app] == words


@pytest.mark.parametrize("name", KNOWN)
def test_a_plain_command_may_be_placed(name):
    options = KNOWN[name].options
    count = options.as_written(min(options.n_ranks), "-")
    refuse_placing(
        parse_command([*KNOWN[name].start, count, "4", "./app", "--map-by", "core"], options), options
    )


@pytest.mark.parametrize("name", KNOWN)
def test_an_option_table_names_only_options_that_it_knows(name):
    table = KNOWN[name].options
    others = {"placing_parameters", "host_file_parameters"}  # these are names of parameters
    lists = [
        value for field, value in vars(table).items() if isinstance(value, frozenset) and field not in others
    ]
    assert len(lists) > 15
    assert frozenset().union(*lists, table.syntax.one_dash, table.syntax.two_dashes) <= set(table.n_values)
    assert all(table.n_values[option] == 1 for option in table.n_ranks | table.host_list | table.host_file)
    assert all(table.n_values[option] == 2 for option in table.assignment | table.parameter)
    assert all(table.n_values[option] == 0 for option in table.optional_value)
    assert not table.syntax.ignores_case or all(option == option.lower() for option in table.n_values)


def test_wrappers_are_sorted_by_name():
    assert list(WRAPPERS) == sorted(WRAPPERS)


def test_an_unknown_launcher_is_named_with_the_nearest_one():
    with pytest.raises(InputError, match="did you mean 'openmpi4'"):
        launcher("opnmpi4")
