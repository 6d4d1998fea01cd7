"""The man page of every command: it renders without warnings and has every option of --help."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from corewise.cli import added_commands, cli
from sources import ROOT

COMPLETIONS = {
    "bash": "bash-completion/completions/corewise",
    "zsh": "zsh/site-functions/_corewise",
    "fish": "fish/vendor_completions.d/corewise.fish",
}
PACKAGES = ["corewise.cli", *(added.package for added in added_commands().values())]


def options_of() -> dict[str, set[str]]:
    """Name of a page -> the options of its command, without hidden ones."""
    root = click.Context(cli, info_name="corewise", **cli.context_settings)
    commands: dict[str, click.Command] = {"corewise": cli}
    for name in cli.list_commands(root):
        command = commands[f"corewise-{name}"] = cli.get_command(root, name)
        below = command.commands if isinstance(command, click.Group) else {}
        commands |= {f"corewise-{name}-{each}": of for each, of in below.items()}
    return {page: set(_options(command, root)) for page, command in commands.items()}


def _options(command: click.Command, root: click.Context) -> list[str]:
    params = command.get_params(click.Context(command, root))
    options = [one for one in params if isinstance(one, click.Option) and not one.hidden]
    return [name for one in options for name in (*one.opts, *one.secondary_opts)]


OPTIONS = options_of()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of all packages, written as the build writes them."""
    share = tmp_path_factory.mktemp("share")
    for package in PACKAGES:
        subprocess.run([sys.executable, ROOT / "cmake" / "man_pages.py", share, package], check=True)
    return share / "man" / "man1"


def rendered(page: Path) -> str:
    if shutil.which("man") is None:
        pytest.skip("man is not installed (scripts/setup --test)")
    settings = {"LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MANWIDTH": "400", "MAN_KEEP_FORMATTING": ""}
    done = subprocess.run(
        ["man", "--warnings", "-l", page],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)


def test_every_command_has_a_page(folder):
    assert {page.stem for page in folder.iterdir()} == set(OPTIONS)


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_the_script_for_completion_is_installed_where_its_shell_searches(shell, folder):
    printed = CliRunner().invoke(cli, ["completion", shell]).stdout
    assert (folder.parents[1] / COMPLETIONS[shell]).read_text() == printed


@pytest.mark.parametrize("name", OPTIONS)
def test_a_page_renders_without_a_warning_and_has_every_option(name, folder):
    text = rendered(folder / f"{name}.1")
    items = [line.split() for line in text.splitlines() if re.match(r" {7}-", line)]
    named = {word.rstrip(",") for words in items for word in words if word.startswith("-")}
    assert OPTIONS[name] <= named
    command = name if name == "corewise" else f"corewise {name.removeprefix('corewise-')}"
    assert re.search(rf"^NAME\n +{name} - \w", text, re.M)
    assert re.search(rf"^SYNOPSIS\n +{command.split()[0]} ", text, re.M)


def test_examples_and_tables_keep_their_lines(folder):
    text = rendered(folder / "corewise-completion.1")
    assert re.search(r"^ +bash  corewise completion bash > \S+\n +fish  ", text, re.M)
    assert re.search(
        r"^EXAMPLE\n +corewise steer -o .+\n +corewise steer explain ",
        rendered(folder / "corewise-steer.1"),
        re.M,
    )


def test_no_line_of_a_help_text_is_a_request_to_roff(tmp_path):
    package = tmp_path / "strange"
    package.mkdir()
    (package / "__init__.py").write_text("COMMANDS = {'odd': 'An odd one.'}\n")
    help = ".so it's `-n`\\\\n\n\n\b\n'quoted\n.so kept"
    (package / "odd.py").write_text(f"import click\n@click.command(help={help!r})\ndef command(): ...\n")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    argv = [sys.executable, ROOT / "cmake" / "man_pages.py", tmp_path, "strange"]
    subprocess.run(argv, env=environment, check=True)
    text = rendered(tmp_path / "man" / "man1" / "corewise-odd.1")
    assert [line.strip() for line in text.splitlines() if "so" in line or "quoted" in line] == [
        ".so it's `-n`\\\\n",
        "'quoted",
        ".so kept",
    ]
