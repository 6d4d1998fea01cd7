"""Reads damaged files of one format by a command of corewise, under limits. test_fuzzed_files starts it.

Prints a line of JSON before it reads a file, and another one if a file causes a problem.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
import traceback
from pathlib import Path

import click
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import CorewiseError
from fuzz_cases import FORMATS, SQUARE, damaged

MOST_CPU_S = 10
MOST_BYTES = 2 * 2**30

# Words of Python's own messages. No error message for users may contain them.
PYTHON = re.compile(
    r"\b(NoneType|KeyError|TypeError|ValueError|IndexError|dict|tuple|ndarray|isinstance|codec|kwargs"
    r"|must be str|object has no|not subscriptable|not iterable|invalid literal|could not convert)\b"
    r"|unhashable|<class |'(int|str|float|list)'|\bobject at 0x"
)


def problem_of(words: list[str]) -> str | None:
    """What is wrong with how the command ended. None if it succeeded, or refused the file in one sentence."""
    begin = time.process_time()
    try:
        CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    except (CorewiseError, click.ClickException) as error:
        sentence = error.format_message() if isinstance(error, click.ClickException) else str(error)
        if PYTHON.search(sentence) or "\n" in sentence:
            return f"says {sentence!r:.300}"
    except Exception:
        return traceback.format_exc(limit=-4)
    cpu_s = time.process_time() - begin
    return None if cpu_s < MOST_CPU_S else f"took {cpu_s:.1f} s of CPU"


def main(form: str, first: int, n_files: int, folder: Path) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    entry = FORMATS[form]
    path = folder / entry.name
    path.parent.mkdir(exist_ok=True)
    (folder / "square.txt").write_text("\n".join(" ".join(map(str, row)) for row in SQUARE.tolist()))
    named = folder / Path(entry.name).parts[0]
    words = [str(named) if word == "FILE" else word for word in entry.command]
    for number in range(first, first + n_files):
        print(json.dumps({"reads": number}), flush=True)
        path.write_bytes(damaged(form, number))
        if (problem := problem_of(words)) is not None:
            print(json.dumps({"number": number, "problem": problem}), flush=True)


def start() -> None:
    """The command line: FORM FIRST N_FILES FOLDER."""
    form, first, n_files, folder = sys.argv[1:]
    os.chdir(folder)
    main(form, int(first), int(n_files), Path(folder))


if __name__ == "__main__":
    start()
