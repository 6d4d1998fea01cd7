"""Compares one program with one MPI: a plain run, one in each mode, and repeats if an outcome differs."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from mpis_here import Mpi

from suites import modes, starting
from suites.outcomes import Outcome, difference, outcome, same
from suites.programs import NotBuilt, Program, Suite

REPEATS = 3  # runs without and with the mode, after a difference
SLOWER = 4.0  # a mode may take this many times as long as the plain run, plus START_S
START_S = 30.0  # for corewise's commands on a busy machine, where Python alone takes seconds to start


@dataclass(frozen=True)
class Verdict:
    """The verdict on a program in one mode.

    `verdict`: same; fails alike, with and without corewise; different, in every repeat; flaky, in some
    repeats; refused by corewise; or the reason why the program was not tried: not built, hangs plainly.

    In `differed` of `repeats` runs in the mode the outcome differed from every plain run's.
    """

    verdict: str
    detail: str = ""
    differed: int = 0
    repeats: int = 0
    steered: bool = False


Runner = Callable[[str, Path], Outcome]


def compare(
    suite: Suite, program: Program, mpi: Mpi, wanted: Sequence[str], built: Path
) -> dict[str, Verdict]:
    """The verdict of each mode. A program that isn't tried has the same verdict in all modes."""
    try:
        words = suite.build(program, mpi, built)
    except NotBuilt as why:
        return dict.fromkeys(wanted, Verdict("not built", str(why)))
    home = (built / program.executable).parent

    def begin(mode: str, scratch: Path, limit_s: float) -> tuple[Outcome, float]:
        return _started(mode, program, mpi, words, home, scratch, limit_s)

    with _scratch() as folder:
        plain, wall_s = begin(modes.PLAIN, folder, program.limit_s)
    if plain.timed_out:
        return dict.fromkeys(wanted, Verdict("hangs plainly"))
    alike = "same" if plain.passed(program) else "fails alike"
    limit_s = SLOWER * wall_s + START_S
    verdicts = {}
    for mode in wanted:
        with _scratch() as folder:
            first, _ = begin(mode, folder, limit_s)
            steered = any(folder.glob("log*"))
        verdict = Verdict(alike, steered=steered)
        if not same(plain, first):
            verdict = _again(plain, first, lambda mode, folder: begin(mode, folder, limit_s)[0], mode)
        verdicts[mode] = replace(verdict, verdict=alike) if verdict.verdict == "same" else verdict
    return verdicts


def _again(plain: Outcome, first: Outcome, begin: Runner, mode: str) -> Verdict:
    """Repeats both: whether the difference stays, and whether plain runs differ as well."""
    if first.refused:
        return Verdict("refused", first.refused)
    plains, others = [plain], [first]
    for _ in range(REPEATS):
        for which, outcomes in ((modes.PLAIN, plains), (mode, others)):
            with _scratch() as folder:
                outcomes.append(begin(which, folder))
    differed = sum(not any(same(one, other) for one in plains) for other in others)
    detail = difference(plain, first)
    if differed == len(others):
        return Verdict("different", detail, differed, len(others))
    return Verdict("flaky" if differed else "same", detail if differed else "", differed, len(others))


@contextmanager
def _scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="suites-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _started(
    mode: str, program: Program, mpi: Mpi, words: list[str], home: Path, scratch: Path, limit_s: float
) -> tuple[Outcome, float]:
    """Runs it in its own folder, with links to the files next to the executable. No process is left."""
    folder = scratch / "here"
    folder.mkdir()
    for path in home.iterdir() if home.is_dir() else ():
        (folder / path.name).symlink_to(path)
    before = {path.name for path in folder.iterdir()}
    begun = modes.start(mode, program, mpi, words, scratch)
    with open(scratch / "stdout", "wb+") as out, open(scratch / "stderr", "wb+") as err:
        begin_s = time.monotonic()
        status = starting.run(begun.argv, folder, begun.environment, out, err, limit_s)
        wall_s = time.monotonic() - begin_s
        out.seek(0), err.seek(0)
        files = [path.name for path in folder.iterdir() if path.name not in before]
        return outcome(mode, status, out.read(), err.read(), files), wall_s
