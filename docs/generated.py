"""Parts of pages that come from the program itself.

A page asks for one with a comment on a separate line:

    <!-- generated: commands -->          every command, from the Click commands that --help prints
    <!-- generated: corewise map --list -->   what a command prints
    <!-- generated: steering metrics -->  the register of metrics
    <!-- generated: thread policies -->   the register of policies
    <!-- generated: headers FOLDER -->   its public headers, each with its first sentence
    <!-- generated: schemas -->           the JSON schemas in formats/schemas
"""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click

ROOT = Path(__file__).parents[1]
MARK = re.compile(r"^<!-- generated: (.+) -->$", re.MULTILINE)


def filled_in(page: str) -> str:
    """The page with each mark replaced by what it asks for."""
    return MARK.sub(lambda mark: part(mark[1]), page)


def part(name: str) -> str:
    """The text of one mark, in Markdown; raises KeyError for a name that does not exist."""
    if name.startswith("corewise "):
        return _printed_by(name)
    if name.startswith("headers "):
        return headers(name.removeprefix("headers "))
    return PARTS[name]()


def _printed_by(command: str) -> str:
    argv = [sys.executable, "-m", *command.split()]
    printed = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return f"```text\n{printed.rstrip()}\n```"


def commands() -> str:
    """A section for each command, sorted by name, with its options as a definition list."""
    from corewise.cli import cli

    root = click.Context(cli, info_name="corewise", terminal_width=100)
    sections = []
    for name in sorted(cli.list_commands(root)):
        command = cli.get_command(root, name)
        assert command is not None
        sections.append(_section(f"corewise {name}", command))
        if isinstance(command, click.Group):
            sections += [_section(f"corewise {name} {below}", one) for below, one in command.commands.items()]
    return "\n\n".join(sections)


def _section(name: str, command: click.Command) -> str:
    context = click.Context(
        command, info_name=name, terminal_width=100, max_content_width=100, help_option_names=["-h", "--help"]
    )
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    options = [record for each in command.params if (record := each.get_help_record(context))]
    rows = [f"`{names}`\n: {_escaped(' '.join(text.split()))}" for names, text in options if text]
    lines = [f"## {name}", f"```text\n{usage}\n```", _escaped(_paragraphs(command.help or "")), *rows]
    example = re.sub(r"^Examples?:\s*", "", _paragraphs(command.epilog or "")).splitlines()
    if example:
        lines.append("```sh\n" + "\n".join(line.strip() for line in example) + "\n```")
    return "\n\n".join(lines)


def _paragraphs(text: str) -> str:
    """Paragraphs of a help text, without click's marks."""
    return inspect.cleandoc(text.replace("\b\n", "").replace("\f", ""))


def _escaped(text: str) -> str:
    """Text of a help message as Markdown: outside `code`, no character is a mark."""
    parts = re.split(r"(`[^`]+`)", text)
    parts[::2] = [re.sub(r"([*_<>\[\]$|~])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def steering_metrics() -> str:
    """The rows of preload/steer/metrics/metrics.def: name and sentence."""
    source = (ROOT / "preload" / "steer" / "metrics" / "metrics.def").read_text()
    rows = re.findall(r'^CW_METRIC\(\w+, "([^"]+)",.*?"([^"]+)"\)$', source, re.MULTILINE | re.DOTALL)
    return "\n".join(f"`{name}`\n: {sentence}\n" for name, sentence in rows)


def thread_policies() -> str:
    """The rows of affinity/src/policies/registry.c: name and sentence."""
    source = (ROOT / "affinity" / "src" / "policies" / "registry.c").read_text()
    rows = re.findall(r'^    \{"([^"]+)", (?:NULL|"[^"]+"),\s+"([^"]+)",', source, re.MULTILINE)
    return "\n".join(f"`{name}`\n: {sentence}\n" for name, sentence in rows)


def headers(folder: str) -> str:
    """The public headers of a folder, each with the first sentence of its opening comment."""
    rows = []
    for path in sorted((ROOT / folder).glob("*.h*")):
        opening = re.match(r"(?:///? ?.*\n|/?\*\*? ?.*\n| \* ?.*\n)+", path.read_text())
        words = re.sub(r"^(?:///?|/\*\*?| \*/?) ?", "", opening[0] if opening else "", flags=re.MULTILINE)
        sentence = re.match(r".+?\.(?=\s|$)", " ".join(words.split()))
        rows.append(f"`{path.name}`\n: {_escaped(sentence[0] if sentence else words)}\n")
    return "\n".join(rows)


def schemas() -> str:
    """A table of the JSON schemas: file and title."""
    rows = []
    for path in sorted((ROOT / "formats" / "schemas").glob("*.json")):
        title = json.loads(path.read_text())["title"]
        rows.append(f"| [{path.name}](../../formats/schemas/{path.name}) | {title} |")
    return "\n".join(["| schema | document |", "|---|---|", *rows])


PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "steering metrics": steering_metrics,
    "thread policies": thread_policies,
    "schemas": schemas,
}
