"""An option's name means the same in every command: same type, metavar and first sentence of help."""

import re
from collections import defaultdict

import click
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.cli.options import BINDING_NAMES
from corewise.mapping.binding_request import NONE, PU
from corewise.mapping.process_binding import BINDINGS

# The meaning of these differs by command, but not the type.
FREE = {"-o", "--list", "--dry-run"}


def commands() -> dict[str, click.Command]:
    """Every command and subcommand, by the words that are typed."""
    found = {}
    for name in cli.list_commands(None):
        command = found[name] = cli.get_command(None, name)
        below = command.commands if isinstance(command, click.Group) else {}
        found |= {f"{name} {verb}": each for verb, each in below.items()}
    return found


def options() -> dict[str, list[tuple[str, click.Option]]]:
    """Name of an option -> the commands that have it. Hidden options of earlier versions are left out."""
    found = defaultdict(list)
    for name, command in commands().items():
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                for spelling in option.opts:
                    found[spelling].append((name, option))
    return found


SHARED = {name: of for name, of in options().items() if len(of) > 1}


def kind(option: click.Option) -> object:
    """The option's type; for --binding without "none", which only `tune` accepts."""
    values = option.type.to_info_dict()
    if "--binding" in option.opts:
        values["choices"] = [each for each in values["choices"] if each != NONE]
    return {name: list(value) if name == "choices" else value for name, value in values.items()}


def first_sentence(option: click.Option) -> str:
    return re.split(r"\.(?:\s|$)", option.help or "", maxsplit=1)[0]


@pytest.mark.parametrize("name", sorted(SHARED))
def test_an_option_of_several_commands_is_the_same_in_all(name):
    (first_command, first), *others = SHARED[name]
    for command, option in others:
        assert kind(option) == kind(first), f"{name}: types of {first_command} and {command}"
        if name not in FREE:
            assert option.metavar == first.metavar, f"{name}: metavars of {first_command} and {command}"
        if name not in FREE | {"--binding"}:
            assert first_sentence(option) == first_sentence(first), f"{first_command} and {command}"


def test_every_option_has_a_help_text():
    assert [name for name, of in options().items() for _, option in of if not option.help] == []


def test_a_limit_of_time_says_whose_seconds_it_counts():
    limits = {name: option.metavar for name, of in options().items() for _, option in of if "time" in name}
    assert limits == {
        "--timeout": "WALL_SECONDS",
        "--repeat-time": "WALL_SECONDS",
        "--timeline": "FILE",
    }
    assert SHARED["--deadline"][0][1].metavar == "CPU_SECONDS"


def test_a_machine_is_optional_everywhere():
    assert len(SHARED["--machine"]) >= 8
    assert not any(option.required for _, option in SHARED["--machine"])


def test_there_is_one_list_of_bindings():
    assert sorted([*BINDINGS, PU]) == list(BINDING_NAMES)


def test_a_placement_is_given_by_one_option_everywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "square.txt").write_text("0 5\n5 0\n")
    call = CliRunner().invoke
    call(cli, ["map", "square.txt", "--machine", "draco:1", "-o", "best.json"], catch_exceptions=False)
    score, export = ["square.txt", "--machine", "draco:1"], ["--for", "openmpi4", "--hosts", "n0"]
    for words, placed in ((["score"], score), (["export"], export)):
        option = call(cli, [*words, "--placement", "best.json", *placed], catch_exceptions=False)
        assert option.exit_code == 0
        assert option.stdout == call(cli, [*words, "best.json", *placed]).stdout
        both = call(cli, [*words, "best.json", "--placement", "best.json", *placed])
        assert both.exit_code == 2 and "expected one" in both.stderr
    assert {name for name, _ in SHARED["--placement"]} == {"export", "run", "score", "simulate"}
