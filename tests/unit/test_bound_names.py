"""Every name that the extension module binds is used. Remove unused bindings."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

import pytest
from corewise import _core

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def readers() -> str:
    """All Python sources that may use the extension: the package except model.py, laboratory, tests."""
    files = [
        path
        for folder in ("python/corewise", "laboratory", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "model.py" and path != Path(__file__)
    ]
    return "\n".join(path.read_text() for path in files)


def members_of(bound: type) -> list[str]:
    """The public members of a class; none of an enumeration, because its values come from files."""
    return [] if issubclass(bound, Enum) else [name for name in vars(bound) if not name.startswith("_")]


def test_every_bound_function_and_member_is_read(readers: str) -> None:
    bound = {name: value for name, value in vars(_core).items() if not name.startswith("_")}
    unread = [
        name
        for name, value in bound.items()
        if not isinstance(value, type) and not re.search(rf"\b{name}\b", readers)
    ]
    unread += [
        f"{name}.{member}"
        for name, value in bound.items()
        if isinstance(value, type)
        for member in members_of(value)
        if not re.search(rf"\.{member}\b|[\"']{member}[\"']", readers)
    ]
    assert unread == [], "remove from bindings/ what nobody reads"
