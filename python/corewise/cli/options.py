"""Options that several commands have: one definition each, so that a name means one thing everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from corewise.plots.picture_file import Form, Picture

Command = TypeVar("Command", bound=Callable[..., Any])

_OLD = "corewise.options.old"  # where a context keeps values of old spellings, by the new name


def old_spelling(name: str, new: str, **given: Any) -> Callable[[Command], Command]:
    """A hidden option of an earlier version: old_values() gives its value to the option `new`."""

    def keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
        if value is not None:
            click.echo(f"corewise: note: {name} is now {new}", err=True)
            ctx.meta.setdefault(_OLD, {}).setdefault(new.split()[0], []).append((name, value))

    return click.option(
        name,
        f"old_{name.strip('-')}",
        hidden=True,
        is_eager=True,
        expose_value=False,
        callback=keep,
        **given,
    )


def old_values(ctx: click.Context, new: str) -> list[tuple[str, Any]]:
    """(old spelling, value) of each that was given for the option `new`."""
    found: list[tuple[str, Any]] = ctx.meta.get(_OLD, {}).get(new, [])
    return found


def picture_option(
    what: str, forms: Sequence[Form] = ("png", "svg", "html"), old: Mapping[str, Form | None] | None = None
) -> Callable[[Command], Command]:
    """--picture FILE, the keyword `pictures`: Pictures whose files may be written.

    `what` says what is drawn. `old` are earlier spellings, with the form of the file whatever its ending.
    """

    def checked(ctx: click.Context, param: click.Parameter, paths: Iterable[Path]) -> list[Picture]:
        from corewise.plots.picture_file import Picture

        pictures = [Picture.by_ending(path, forms) for path in paths]
        for name, path in old_values(ctx, "--picture"):
            form = (old or {})[name]
            pictures.append(Picture(path, form) if form else Picture.by_ending(path, forms))
        for picture in pictures:
            picture.check()
        return pictures

    endings = [f".{form}" for form in forms]
    file = click.Path(path_type=Path)

    def add(command: Command) -> Command:
        for name, form in (old or {}).items():
            new = f"--picture FILE.{form}" if form else "--picture FILE"
            command = old_spelling(name, new, type=file, metavar="FILE")(command)
        help = f"Draw a picture, by the file's ending: {', '.join(endings)}. {what} Repeatable."
        return click.option(
            "--picture", "pictures", metavar="FILE", multiple=True, type=file, callback=checked, help=help
        )(command)

    return add
