"""Recognises files of unsupported formats (unread.toml) and refuses them with advice on what to do."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from corewise.files.document import read_toml
from corewise.profile.formats.format import HEAD_BYTES, InputFile
from corewise.text.escaping import printable

MOST_LOOKED_AT = 64  # files of a folder


@cache
def unread_formats() -> list[dict[str, Any]]:
    """The rows of unread.toml: name and instead, with head, name_is or both."""
    path = Path(__file__).with_name("unread.toml")
    return [row.values for row in read_toml(path, "formats that are not read").tables("format")]


def refuse_unread(file: InputFile) -> None:
    """Raises InputError if the file has a known but unsupported format."""
    for row in unread_formats():
        head, name = row.get("head"), row.get("name_is")
        if head and not re.search(head.encode("latin-1"), file.head, re.MULTILINE):
            continue
        if name and not re.search(name, file.shown.removesuffix(".gz"), re.IGNORECASE):
            continue
        raise file.error(f"is {row['name']}; expected a profile or a matrix: {row['instead']}")


def refuse_unread_folder(folder: Path) -> None:
    """Raises InputError if a folder without a profile contains a file of such a format."""
    names = sorted(path for path in folder.glob("*") if path.is_file())
    if any(path.suffix == ".cwprof" for path in names):
        return
    for path in names[:MOST_LOOKED_AT]:
        try:
            with path.open("rb") as content:
                head = content.read(HEAD_BYTES)
        except OSError:
            continue
        refuse_unread(InputFile(printable(str(path)), path, path.suffix.lower(), head))
