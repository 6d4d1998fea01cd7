"""Runs test suites written by others with and without corewise, and lists the differences.

    PYTHONPATH=tests .venv/bin/python -m suites FOLDER... [--mpi mpich,openmpi5] [--modes events,run]

FOLDER is `test/mpi` of MPICH's source, mpi4py's source, or a folder of MPI programs of one file each. Nothing
is downloaded; README.md says where the suites are. Verdicts are stored in a journal, so an interrupted run
continues. Exits with code 1 if a program behaves differently in every repeat.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from mpis_here import EVERY_MPI, Mpi  # noqa: E402

from suites import modes, starting, table  # noqa: E402
from suites.comparing import Verdict, compare  # noqa: E402
from suites.folder_suite import FolderSuite  # noqa: E402
from suites.journal import Entry, Journal  # noqa: E402
from suites.mpi4py_suite import Mpi4pySuite  # noqa: E402
from suites.mpich_suite import MpichSuite  # noqa: E402
from suites.programs import Program, Suite  # noqa: E402

Work = tuple[Suite, str, Mpi, Program, list[str]]


def suite_of(folder: Path) -> Suite:
    """The suite in a folder, recognized by files that only this suite has."""
    if (folder / "util" / "mtest.c").exists():
        return MpichSuite(folder)
    if any((folder / place / "mpiunittest.py").exists() for place in ("", "test")):
        return Mpi4pySuite(folder)
    return FolderSuite(folder)


def here() -> str:
    """Names of the MPIs of this machine, separated by commas."""
    return ",".join(name for name, mpi in EVERY_MPI.items() if mpi is not None)


def arguments() -> argparse.Namespace:
    """Parses the command line."""
    raw = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(prog="suites", description=__doc__, formatter_class=raw)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--mpi", default=here(), help="of: %(default)s")
    guest = ",".join(mode for mode in modes.MODES if mode != modes.PLAIN)
    parser.add_argument("--modes", default=guest, help="of: %(default)s")
    parser.add_argument("--only", default="*", help="names of programs, with * and commas")
    parser.add_argument("--except", default="", dest="without", help="names to leave out, with * and commas")
    parser.add_argument("--most-ranks", type=int, default=16, help="leave out programs on more")
    parser.add_argument("--limit", type=float, default=float("inf"), help="most seconds of a plain start")
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=1, help="programs at a time")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin nothing after this time")
    parser.add_argument(
        "--work", type=Path, default=Path("build/suites"), help="for programs and the journal"
    )
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def work(asked: argparse.Namespace, journal: Journal) -> Iterator[Work]:
    """Programs without a verdict, those with few ranks first, because they give most verdicts per time."""
    todo = []
    for folder in asked.folders:
        suite = suite_of(folder.resolve())
        for name in asked.mpi.split(","):
            mpi = EVERY_MPI.get(name)
            if mpi is None:
                raise SystemExit(
                    f"suites: --mpi names '{name}', which isn't here; expected some of: {here()}"
                )
            for program in suite.programs(mpi):
                missing = journal.missing(suite.name, name, program.name, asked.modes.split(","))
                wanted = _matches(program.name, asked.only) and not _matches(program.name, asked.without)
                wanted = wanted and program.n_ranks <= asked.most_ranks
                if missing and wanted:
                    limited = replace(program, limit_s=min(program.limit_s, asked.limit))
                    todo.append((suite, name, mpi, limited, missing))
    return iter(sorted(todo, key=lambda item: item[3].n_ranks))


def _matches(name: str, patterns: str) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns.split(","))


def prepare() -> None:
    """Prepares a process that compares programs. It runs with low priority."""
    os.nice(10)
    starting.prepare()


def verdicts(item: Work, folder: Path) -> list[Entry]:
    """Compares one program. Runs in its own process, and ends all processes that it starts."""
    suite, name, mpi, program, wanted = item
    try:
        found = compare(suite, program, mpi, wanted, folder / suite.name / name)
    except Exception as error:  # one program must not end a run of hours, so the error is listed
        found = dict.fromkeys(wanted, Verdict("not built", f"{type(error).__name__}: {error}"))
    return [Entry(suite.name, name, program.name, mode, verdict) for mode, verdict in found.items()]


def run(asked: argparse.Namespace, journal: Journal) -> None:
    """Fills the journal, with at most `jobs` programs at a time, until all are done or the time is up."""
    end = time.monotonic() + asked.seconds
    todo, running = work(asked, journal), set()
    with ProcessPoolExecutor(asked.jobs, initializer=prepare) as pool:
        while True:
            while len(running) < asked.jobs and time.monotonic() < end and (item := next(todo, None)):
                running.add(pool.submit(verdicts, item, asked.work.resolve()))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                entries = future.result()
                journal.add(entries)
                if sys.stderr.isatty() or any(entry.verdict.verdict in table.DIFFER for entry in entries):
                    found = ", ".join(f"{entry.mode} {entry.verdict.verdict}" for entry in entries)
                    print(f"{entries[0].program} [{entries[0].mpi}]: {found}", file=sys.stderr, flush=True)


def main() -> int:
    """Runs missing programs, then prints all of the journal."""
    asked = arguments()
    asked.work.mkdir(parents=True, exist_ok=True)
    journal = Journal(asked.work / "journal.jsonl")
    run(asked, journal)
    found = table.document(journal)
    print(json.dumps(found, indent=1) if asked.json else table.text(found))
    return int(any(row["verdict"] == "different" for row in found["differences"]))


if __name__ == "__main__":
    sys.exit(main())
