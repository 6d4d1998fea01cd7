"""Golden files: the expected text of a test, kept in a file; CW_UPDATE_GOLDEN=1 rewrites it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path


def compare_with_golden(text: str, golden: Path) -> None:
    """Fails if `golden` is missing or has another text.

    With CW_UPDATE_GOLDEN=1, writes `text` there first.
    """
    if os.environ.get("CW_UPDATE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text)
    assert golden.exists(), (
        f"{golden.name} is missing: run this test once with CW_UPDATE_GOLDEN=1, then read it"
    )
    assert text == golden.read_text()


def goldens_are_of(folder: Path, names: Iterable[str]) -> None:
    """Fails unless the folder's .txt files have exactly these names."""
    assert {path.stem for path in folder.glob("*.txt")} == set(names)


def compare_answers(golden: Path, answer: Callable[[str], str]) -> None:
    """Fails unless answer(QUESTION) follows each line "$ QUESTION" of the file; lines with "# " are notes.

    A new case is a new question; CW_UPDATE_GOLDEN=1 writes its answer.
    """
    texts = []
    for line in golden.read_text().splitlines():
        if line.startswith("$ "):
            texts.append(f"{line}\n{answer(line[2:])}")
        elif line.startswith("# "):
            texts.append(line)
    compare_with_golden("\n".join(texts) + "\n", golden)
