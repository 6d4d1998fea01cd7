"""Prints the results of commands, and the registers that `--list` shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.nouns.codec import Noun


def print_noun(noun: Noun, as_json: bool, lines: Callable[[], list[str]], indent: int | None = None) -> None:
    """Prints a result: its JSON document, or `lines` for people."""
    click.echo(json_text(noun.to_json(), indent) if as_json else "\n".join(lines()))


def print_rows(sentences: dict[str, str], as_json: bool) -> None:
    """Prints name and sentence of each row; with `as_json` one object, {name: sentence}."""
    if as_json:
        click.echo(json_text(sentences))
        return
    width = max(map(len, sentences))
    for name, sentence in sentences.items():
        click.echo(f"{name:<{width}}  {sentence}")
