"""Runs a test suite written by others with and without corewise, and lists the differences.

    PYTHONPATH=tests .venv/bin/python -m suites FOLDER [--mpi mpich] [--modes events,run]

FOLDER is `test/mpi` of MPICH's source, built with its own make for this MPI, or a folder of MPI programs of
one C file each. Verdicts are stored in a journal, so an interrupted run continues. Exits with code 1 if a
program behaves differently in every repeat.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mpis_here import EVERY_MPI, Mpi

from suites import starting
from suites.outcomes import Outcome, difference, outcome, same
from suites.programs import NotBuilt, Program, built, programs
from suites.starting import MODES, PLAIN

REPEATS = 3  # runs without and with the mode, after a difference
SLOWER = 4.0  # a mode may take this many times as long as the plain run, plus START_S
START_S = 30.0  # for corewise's commands on a busy machine, where Python alone takes seconds to start
DIFFER = ("different", "flaky", "refused")

# Starts the program in a mode; returns the outcome.
Begin = Callable[[str], Outcome]


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


def verdict(program: Program, plain: Outcome, mode: str, begin: Begin) -> Verdict:
    """Compares a mode with the plain outcome. A difference is repeated before it counts."""
    alike = "same" if plain.passed(program) else "fails alike"
    first = begin(mode)
    if same(plain, first):
        return Verdict(alike)
    if first.refused:
        return Verdict("refused", first.refused)
    plains, others = [plain], [first]
    for _ in range(REPEATS):
        plains.append(begin(PLAIN))
        others.append(begin(mode))
    differed = sum(not any(same(one, other) for one in plains) for other in others)
    if not differed:
        return Verdict(alike, "", 0, len(others))
    found = "different" if differed == len(others) else "flaky"
    return Verdict(found, difference(plain, first), differed, len(others))


def verdicts(program: Program, mpi: Mpi, modes: list[str], folder: Path) -> Iterator[tuple[str, Verdict]]:
    """Each mode with its verdict. A program that isn't tried has the same verdict in all modes."""
    try:
        executable = built(program, mpi, folder)
    except NotBuilt as why:
        yield from ((mode, Verdict("not built", str(why))) for mode in modes)
        return
    begun_s = time.monotonic()
    plain = started(PLAIN, program, mpi, executable, program.limit_s)
    if plain.timed_out:
        yield from ((mode, Verdict("hangs plainly")) for mode in modes)
        return
    limit_s = SLOWER * (time.monotonic() - begun_s) + START_S
    for mode in modes:
        yield mode, verdict(program, plain, mode, lambda of: started(of, program, mpi, executable, limit_s))


def started(mode: str, program: Program, mpi: Mpi, executable: Path, limit_s: float) -> Outcome:
    """Runs it in its own folder, with links to the files next to the executable. No process is left."""
    with _scratch() as scratch:
        folder = scratch / "here"
        folder.mkdir()
        for path in executable.parent.iterdir():
            (folder / path.name).symlink_to(path)
        before = {path.name for path in folder.iterdir()}
        ranks, words = ["-n", str(program.n_ranks)], [str(executable), *program.arguments]
        argv = starting.command(mode, mpi, ranks, words, scratch)
        with open(scratch / "stdout", "wb+") as out, open(scratch / "stderr", "wb+") as err:
            status = starting.run(argv, folder, starting.environment(program.environment), out, err, limit_s)
            out.seek(0), err.seek(0)
            files = [path.name for path in folder.iterdir() if path.name not in before]
            return outcome(mode, status, out.read(), err.read(), files)


@contextmanager
def _scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="suites-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def journal_rows(path: Path) -> dict[tuple[str, ...], Verdict]:
    """The verdicts by (suite, mpi, program, mode). Of several lines about the same the last one counts."""
    found = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            key, row = json.loads(line)
            found[tuple(key)] = Verdict(**row)
        except (ValueError, TypeError):
            continue  # an incomplete line from an interrupted run
    return found


def document(rows: dict[tuple[str, ...], Verdict]) -> dict:
    """The number of programs by suite, MPI, mode and verdict, and the differences."""
    counts: dict[str, Counter[str]] = {}
    for (suite, mpi, _, mode), found in sorted(rows.items()):
        counts.setdefault(f"{suite} {mpi} {mode}", Counter())[found.verdict] += 1
    differences = [
        {"suite": suite, "mpi": mpi, "program": program, "mode": mode} | asdict(found)
        for (suite, mpi, program, mode), found in sorted(rows.items())
        if found.verdict in DIFFER
    ]
    return {"counts": counts, "differences": differences}


def arguments() -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(
        prog="suites", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    here = [name for name, mpi in EVERY_MPI.items() if mpi is not None]
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--mpi", choices=here, default="mpich")
    parser.add_argument("--modes", default=",".join(MODES), help="of: %(default)s")
    parser.add_argument("--only", default="*", help="names of programs, with *")
    parser.add_argument("--most-ranks", type=int, default=16, help="leave out programs on more")
    parser.add_argument(
        "--work", type=Path, default=Path("build/suites"), help="for programs and the journal"
    )
    return parser.parse_args()


def main() -> int:
    """Runs programs without a verdict, then prints all of the journal as JSON."""
    asked = arguments()
    folder, work = asked.folder.resolve(), asked.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    journal = work / "journal.jsonl"
    rows = journal_rows(journal)
    os.nice(10)
    starting.prepare()
    for program in programs(folder):
        keys = {mode: (folder.name, asked.mpi, program.name, mode) for mode in asked.modes.split(",")}
        missing = [mode for mode, key in keys.items() if key not in rows]
        chosen = fnmatch.fnmatch(program.name, asked.only) and program.n_ranks <= asked.most_ranks
        if not (chosen and missing):
            continue
        for mode, found in verdicts(program, EVERY_MPI[asked.mpi], missing, work / folder.name / asked.mpi):
            rows[keys[mode]] = found
            with journal.open("a") as file:  # starts a new line, also after a line that was cut off
                file.write("\n" + json.dumps([keys[mode], asdict(found)]))
            print(f"{program.name} [{asked.mpi}, {mode}]: {found.verdict}", file=sys.stderr, flush=True)
    print(json.dumps(document(rows), indent=1))
    return int(any(found.verdict == "different" for found in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
