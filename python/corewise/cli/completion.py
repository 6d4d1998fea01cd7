"""corewise completion: the script for completion of commands in a shell."""

from __future__ import annotations

import click

from corewise.cli.help import GroupedCommand
from corewise.cli.options import json_option
from corewise.text.escaping import json_text

EXAMPLE = """\b
Example:
  corewise completion bash > ~/.local/share/bash-completion/completions/corewise
"""


@click.command("completion", cls=GroupedCommand, epilog=EXAMPLE)
@click.argument("shell", type=click.Choice(["bash", "fish", "zsh"]))
@json_option()
def command(shell: str, as_json: bool) -> None:
    """Print the script that lets a shell complete commands, options, machines and files.

    \b
    bash  corewise completion bash > ~/.local/share/bash-completion/completions/corewise
    fish  corewise completion fish > ~/.config/fish/completions/corewise.fish
    zsh   eval "$(corewise completion zsh)", a line of ~/.zshrc after compinit
    """
    script = completion_script(shell)
    click.echo(json_text({"shell": shell, "script": script}) if as_json else script, nl=as_json)


def completion_script(shell: str) -> str:
    """The script for bash, fish or zsh."""
    from click.shell_completion import get_completion_class

    from corewise.cli import cli

    kind = get_completion_class(shell)
    assert kind is not None  # one of click's own
    return kind(cli, {}, "corewise", "_COREWISE_COMPLETE").source()
