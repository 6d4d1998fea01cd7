"""Errors in the words of a command, as one sentence like all other errors of corewise."""

from __future__ import annotations

import re
from typing import Any

import click

from corewise.errors import did_you_mean

_FOUND = re.compile(r"(?P<value>'.*'|\S+) is not (?:one of|in the range|a valid)")


def usage_sentence(error: click.ClickException) -> str:
    """What is wrong, and what was expected or where the help is."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    path = ctx.command_path.removeprefix(ctx.find_root().command_path).strip() if ctx else ""
    see = f"; `corewise {path} --help` shows all options" if path else ""
    if isinstance(error, click.NoSuchOption):
        near = did_you_mean(error.option_name, error.possibilities or ())
        return f"{path or 'corewise'} has no option '{error.option_name}'{near or see}"
    if isinstance(error, click.BadOptionUsage):
        return f"{error.option_name} needs a value{see}"
    if isinstance(error, click.MissingParameter) and error.param and ctx:
        return f"{path} needs {_needed(error.param, ctx)}"
    if isinstance(error, click.BadParameter) and error.param:
        return _bad_value(error)
    return error.format_message().removeprefix("corewise ").removesuffix(".") + see


def _needed(param: click.Parameter, ctx: click.Context) -> str:
    """The missing parameter as typed, and the first example of the command."""
    name = param.make_metavar(ctx)
    if isinstance(param, click.Option):
        name = f"{param.opts[0]} {name}, {(param.help or '').rstrip('.').lower()}"
    examples = re.findall(r"(?m)corewise .*$", ctx.command.epilog or "")
    return f"{name}, for example `{examples[0]}`" if examples else name


def _bad_value(error: click.BadParameter) -> str:
    param = error.param
    assert param is not None
    name = param.opts[0] if isinstance(param, click.Option) else param.human_readable_name
    found, expected = _FOUND.match(error.message), _expected(param.type)
    if not found or not expected:
        return f"{name}: {error.message.removesuffix('.')}"
    return f"{name} is {found['value']}; expected {expected}"


def _expected(kind: Any) -> str:
    if isinstance(kind, click.Choice):
        *others, last = map(str, kind.choices)
        return f"{', '.join(others)} or {last}" if others else last
    number = "a whole number" if isinstance(kind, (click.IntRange, type(click.INT))) else "a number"
    if isinstance(kind, (click.IntRange, click.FloatRange)):
        least = "" if kind.min is None else f"{'above' if kind.min_open else 'of at least'} {kind.min}"
        most = "" if kind.max is None else f"{'below' if kind.max_open else 'at most'} {kind.max}"
        return " ".join([number, " and ".join(filter(None, [least, most]))]).strip()
    return number if isinstance(kind, (type(click.INT), type(click.FLOAT))) else ""
