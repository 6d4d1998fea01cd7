"""Writes a man page for each Click command of a package, and the shell completion scripts.

Usage: man_pages.py FOLDER PACKAGE   with PACKAGE corewise.cli or corewise_laboratory.cli. The files go into
subfolders of FOLDER as in /usr/share.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "laboratory")]  # the packages are not installed yet
sys.dont_write_bytecode = True

from corewise.cli import COMMANDS, cli  # noqa: E402
from corewise.cli.completion import completion_script  # noqa: E402
from corewise.cli.help import option_groups  # noqa: E402
from corewise.version import __version__  # noqa: E402

# Where each shell searches below /usr/share.
COMPLETIONS = {
    "bash": "bash-completion/completions/corewise",
    "zsh": "zsh/site-functions/_corewise",
    "fish": "fish/vendor_completions.d/corewise.fish",
}


def pages(package: str) -> Iterator[tuple[str, str]]:
    """File name and text of each page: one per command of the package, one per subcommand of a group."""
    root = click.Context(cli, info_name="corewise", **cli.context_settings)
    table: dict[str, str] = importlib.import_module(package).COMMANDS
    if table is COMMANDS:
        yield _page(root, inspect.cleandoc(cli.help or "").splitlines()[0], table)
    for name, sentence in table.items():
        command = importlib.import_module(f"{package}.{name}").command
        commands = command.commands if isinstance(command, click.Group) else {}
        below = {each: of.get_short_help_str(100) for each, of in commands.items()}
        yield _page(click.Context(command, root, name), sentence, below)
        for each, of in commands.items():
            yield _page(click.Context(of, root, f"{name} {each}"), below[each], {})


def _page(ctx: click.Context, sentence: str, below: dict[str, str]) -> tuple[str, str]:
    """A page in the layout of man-pages(7); `below` has a sentence for each subcommand."""
    name = ctx.command_path.replace(" ", "-")
    usage = " ".join(ctx.command.collect_usage_pieces(ctx))
    groups = list(option_groups(ctx.command, ctx))
    options = [
        line
        for title, records in groups
        for line in [
            *([f'.SS "{title}"'] if len(groups) > 1 else []),
            *chain.from_iterable(_item(*record) for record in records),
        ]
    ]
    example = re.sub(r"^[\b\s]*Examples?:\s*", "", ctx.command.epilog or "")
    also = [f"{name}-{each}(1)" for each in below] + ([] if ctx.parent is None else ["corewise(1)"])
    parts = {
        "NAME": [rf"{_text(name)} \- {_text(sentence.rstrip('.'))}"],
        "SYNOPSIS": [rf"\fB{_text(ctx.command_path)}\fR {_text(usage)}"],
        "DESCRIPTION": _paragraphs(ctx.command.help or ""),
        "OPTIONS": options,
        "COMMANDS": [line for row in below.items() for line in _item(*row)],
        "EXAMPLE": _as_written(example.split("\n")) if example else [],
        "SEE ALSO": [_text(", ".join(also))],
    }
    title = f'.TH "{_text(name.upper())}" 1 "" "corewise {__version__}" "corewise"'
    lines = [line for head, text in parts.items() if text for line in (f'.SH "{head}"', *text)]
    return f"{name}.1", "\n".join([title, ".nh", ".ad l", *lines]) + "\n"


def _item(names: str, text: str) -> list[str]:
    return [".TP", rf"\fB{_text(names)}\fR", _text(" ".join(text.split()))]


def _paragraphs(help: str) -> list[str]:
    """A help text in roff. Paragraphs that Click does not wrap (marked `\\b`) keep their line breaks."""
    lines: list[str] = []
    for paragraph in inspect.cleandoc(help).split("\n\n"):
        first, *rest = paragraph.split("\n")
        lines += [".PP", *(_as_written(rest) if first == "\b" else [_text(" ".join(paragraph.split()))])]
    return lines


def _as_written(lines: list[str]) -> list[str]:
    text = "\n".join(lines).rstrip("\n")
    return [".RS 4", ".nf", *map(_text, inspect.cleandoc(text).split("\n")), ".fi", ".RE"]


def _text(line: str) -> str:
    """Escapes a line for roff, so that `-` can be copied into a shell and no line starts a roff request."""
    escaped = line.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    return rf"\&{escaped}" if escaped.startswith(".") else escaped


def main() -> None:
    """Writes the pages; for the tool also the completion scripts."""
    folder, package = sys.argv[1:]
    files = {f"man/man1/{name}": text for name, text in pages(package)}
    if package == "corewise.cli":
        files |= {path: completion_script(shell) for shell, path in COMPLETIONS.items()}
    for name, text in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
