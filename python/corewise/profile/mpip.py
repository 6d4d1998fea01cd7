"""Reads mpiP's reports: text files with times and bytes of each rank, but without receivers."""

from __future__ import annotations

import math
import re
from pathlib import Path

from corewise.errors import InputError
from corewise.nouns.input_summary import CallTotals, MpipSummary, RankTimes
from corewise.text.escaping import printable

_FIRST_LINE = re.compile(rb"^@ mpiP\b", re.MULTILINE)  # may follow output of the job
_TASK = re.compile(r"@ MPI Task Assignment\s*:\s*(\d+)\s+(\S+)$")
_HEADING = re.compile(r"@--- (.+?) -*$")
_END = "End of Report"
_TIMES = "MPI Time (seconds)"
_CONCISE = "Task Time Statistics (seconds)"
# Titles of sections with a row for each call site and rank; the row of rank * sums over the ranks. Source:
# report.c of mpiP 3.5.
_SITE_TIMES = "Callsite Time statistics (all, milliseconds)"
_SITE_BYTES = (
    "Callsite Message Sent statistics (all, sent bytes)",
    "Callsite I/O statistics (all, I/O bytes)",
    "Callsite RMA statistics (all, origin bytes)",
)


def is_mpip(path: Path) -> bool:
    """Whether the existing file is a report of mpiP."""
    with path.open("rb") as file:
        return _FIRST_LINE.search(file.read(2**16)) is not None


def refuse_mpip(path: Path) -> None:
    """Raises InputError if the file is a report of mpiP, which names no receivers.

    Option -p of mpiP adds a histogram of point-to-point messages by call, communicator size and message size,
    but not by pair (source: mpiP 3.5's user guide, "mpiP Output").
    """
    if is_mpip(path):
        raise InputError(
            "a report of mpiP, which has times and sizes by call site and never who sends to whom; "
            "expected a file with pairs of ranks: record one with corewise trace (`corewise show` lists what "
            "the report has)",
            path=path,
        )


def read_mpip(path: Path) -> MpipSummary:
    """Reads a report of mpiP 3.x in its verbose form, the default. Raises InputError naming file and line."""
    report = _Reader(path)
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            report.take(line.rstrip())
    return report.result()


class _Reader:
    """Takes the lines of a report and collects its tables."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        self.section = ""
        self.hosts: list[str] = []
        self.times: list[tuple[float, float]] = []
        self.calls: dict[str, CallTotals] = {}

    def take(self, line: str) -> None:
        self.number += 1
        heading, task = _HEADING.match(line), _TASK.match(line)
        if heading:
            self.section = heading[1]
            if self.section == _CONCISE:
                raise self._error("expected the verbose report, with times of each rank: mpiP without its -c")
        elif task:
            self._take_task(int(task[1]), printable(task[2]))
        elif self.section == _TIMES:
            self._take_times(self._words(line, "Task", 4))
        elif self.section.startswith(_SITE_TIMES):
            self._take_site(self._words(line, "Name", 9), of_time=True)
        elif self.section in _SITE_BYTES:
            self._take_site(self._words(line, "Name", 8), of_time=False)

    def result(self) -> MpipSummary:
        if self.section != _END:
            raise self._error(f"the file ends before its section '{_END}'")
        if not self.times or len(self.times) != len(self.hosts):
            raise self._error(f"{len(self.hosts)} tasks, and the times of {len(self.times)}")
        ranks = [
            RankTimes(rank, host, app_s, mpi_s)
            for rank, (host, (app_s, mpi_s)) in enumerate(zip(self.hosts, self.times, strict=True))
        ]
        calls = sorted(self.calls.values(), key=lambda row: (-row.time_s, row.call))
        return MpipSummary(printable(self.path.name), ranks, calls)

    def _take_task(self, rank: int, host: str) -> None:
        if rank != len(self.hosts):
            raise self._error(f"task {rank}; expected task {len(self.hosts)}")
        self.hosts.append(host)

    def _take_times(self, words: list[str]) -> None:
        if not words or words[0] == "*":
            return
        if words[0] != str(len(self.times)):
            raise self._error(
                f"times of task {printable(words[0])}; expected those of task {len(self.times)}"
            )
        self.times.append((self._number(words[1]), self._number(words[2])))

    def _take_site(self, words: list[str], of_time: bool) -> None:
        """Takes only the sum over all ranks, because mpiP may omit rows of ranks that took little time."""
        if not words or words[2] != "*":
            return
        name = f"MPI_{printable(words[0])}"
        count, n_bytes, time_s = 0, 0, 0.0
        if of_time:  # after the count: max, mean and min, in ms
            count = round(self._number(words[3]))
            time_s = count * self._number(words[5]) / 1e3
        else:
            n_bytes = round(self._number(words[7]))
        if before := self.calls.get(name):
            count, n_bytes, time_s = before.count + count, before.bytes + n_bytes, before.time_s + time_s
        self.calls[name] = CallTotals(call=name, count=count, bytes=n_bytes, time_s=time_s)

    def _words(self, line: str, first_head: str, n: int) -> list[str]:
        """The cells of a row; empty for headings and lines of dashes."""
        words = line.split()
        if not words or words[0] == first_head or set(words[0]) == {"-"}:
            return []
        if len(words) != n:
            raise self._error(f"{len(words)} words in '{self.section}'; expected {n}")
        return words

    def _number(self, word: str) -> float:
        try:
            number = float(word)
        except ValueError:
            number = -1
        if not 0 <= number < math.inf:
            raise self._error(f"'{printable(word)}' in '{self.section}'; expected a number, 0 or more")
        return number

    def _error(self, what: str) -> InputError:
        return InputError(what, path=self.path, line=self.number)
