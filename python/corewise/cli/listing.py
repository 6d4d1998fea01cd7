"""What `--list` prints: the rows of a register, each with its sentence."""

from __future__ import annotations

import click

from corewise.text.escaping import json_text


def print_rows(sentences: dict[str, str], as_json: bool) -> None:
    """Prints name and sentence of each row; with `as_json` one object, {name: sentence}."""
    if as_json:
        click.echo(json_text(sentences))
        return
    width = max(map(len, sentences))
    for name, sentence in sentences.items():
        click.echo(f"{name:<{width}}  {sentence}")
