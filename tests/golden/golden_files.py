"""Golden files: the expected text of a test, kept in a file; CW_UPDATE_GOLDEN=1 rewrites it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def compare_with_golden(text: str, golden: Path) -> None:
    """Fails where `golden` is missing or holds another text; with CW_UPDATE_GOLDEN=1, writes `text` there."""
    if os.environ.get("CW_UPDATE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text)
    assert golden.exists(), (
        f"{golden.name} is missing: run this test once with CW_UPDATE_GOLDEN=1, then read it"
    )
    assert text == golden.read_text()


def goldens_are_of(folder: Path, names: Iterable[str]) -> None:
    """Fails where a .txt file of the folder belongs to none of the names, or a name has none."""
    assert {path.stem for path in folder.glob("*.txt")} == set(names)
