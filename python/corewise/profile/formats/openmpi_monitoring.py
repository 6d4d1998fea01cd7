"""Reads files of Open MPI's component monitoring (ompi/mca/common/monitoring): PREFIX.RANK.prof per rank.

aggregate_profile.pl concatenates the files of all ranks, and its manual says to concatenate those of several
phases. A file can therefore have a section for each rank and phase. Phases are added up.

The reader uses the lines E (point-to-point messages of the program), I (messages of collectives), S and R
(one-sided, sent and received by the writer), each with `writer peer N bytes N msgs sent [histogram]`. The
line `D MPI_COMM_WORLD procs: 0,1,...` gives the number of ranks, and the line O2A after it the writer of the
section. The other lines repeat this traffic per communicator. With `pml_monitoring_enable 1` instead of 2,
messages of collectives are E lines as well; the file doesn't show which setting was used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from corewise.errors import InputError
from corewise.model import CommMatrix, Layer
from corewise.profile.dense import MOST_AMOUNT, MOST_RANKS
from corewise.text.escaping import printable

KINDS = {Layer.p2p: "E", Layer.coll: "I", Layer.rma: "SR"}
_PAIR = re.compile(r"(\d{1,8})\s+(\d{1,8})\s+(\d{1,19}) bytes\s+(\d{1,19}) msgs sent(\s|$)", re.ASCII)


@dataclass
class _Job:
    entries: list[tuple[int, int, int, int]] = field(default_factory=list)
    n_ranks: int = 0  # from the lines for MPI_COMM_WORLD; without one, the greatest rank + 1
    n_sections: int = 0
    sections_of: Counter[int] = field(default_factory=Counter)  # by writer

    @property
    def is_whole(self) -> bool:
        """Whether every rank has the same number of sections; one each if some name no writer."""
        if self.sections_of.total() != self.n_sections:
            return self.n_sections == self.n_ranks
        return len(self.sections_of) == self.n_ranks and len(set(self.sections_of.values())) == 1


def read_openmpi_monitoring(paths: Sequence[Path], layer: Layer = Layer.p2p) -> CommMatrix:
    """The files of one job: one for each rank in any order, or one aggregated file.

    Layer p2p is the program's messages, coll the messages inside collectives, rma one-sided transfers from
    the rank that has the data to the rank that gets it. Raises InputError with file and line, or if the
    number of files is not the number of ranks.
    """
    job = _Job()
    for path in paths:
        _read_file(path, KINDS.get(layer, ""), job)
    if not job.is_whole:
        raise InputError(
            f"{job.n_sections} files of a job of {job.n_ranks} ranks; expected one PREFIX.RANK.prof for each "
            "rank, of several phases as many of each",
            path=paths[0],
        )
    columns = np.array(job.entries, np.uint64).reshape(-1, 4).T
    if (columns[2:].astype(float).sum(axis=1) >= MOST_AMOUNT).any():
        raise InputError("more than 2^62 bytes or messages in all; expected fewer", path=paths[0])
    return CommMatrix.from_columns(job.n_ranks, *columns)


def _read_file(path: Path, kinds: str, job: _Job) -> None:
    n_sections, recognised, after_world = 0, False, False
    with path.open(encoding="utf-8", errors="surrogateescape") as lines:
        for number, line in enumerate(lines, 1):
            kind, _, rest = line.strip().replace("\t", " ").partition(" ")
            if kind == "#":
                recognised = True
                n_sections += rest.startswith("POINT")
            elif kind == "D":
                after_world = rest.startswith("MPI_COMM_WORLD procs: ")
                job.n_ranks = max(job.n_ranks, rest.count(",") + 1 if after_world else 0)
            elif kind == "O2A" and after_world:
                job.sections_of[_writer(path, number, rest)] += 1
                after_world = False
            elif kind in ("E", "I", "S", "R"):
                entry = _entry(path, number, rest, kind)
                job.n_ranks = max(job.n_ranks, entry[0] + 1, entry[1] + 1)
                if kind in kinds:
                    job.entries.append(entry)
    job.n_sections += max(n_sections, 1)
    if not recognised:
        raise InputError("no '# POINT TO POINT' line; expected a file of Open MPI's monitoring", path=path)


def _writer(path: Path, number: int, rest: str) -> int:
    word = rest.split(" ", 1)[0]
    if not re.fullmatch(r"\d{1,8}", word, re.ASCII):
        raise InputError(f"found {printable(word)[:24]!r}; expected a rank", path=path, line=number)
    return int(word)


def _entry(path: Path, number: int, rest: str, kind: str) -> tuple[int, int, int, int]:
    """(src, dst, bytes, messages) of `writer peer N bytes N msgs sent`; ignores the histogram of sizes."""
    match = _PAIR.match(rest)
    if match is None or max(int(match[1]), int(match[2])) >= MOST_RANKS:
        raise InputError(
            f"found {printable(rest)[:40]!r}; expected 'RANK RANK N bytes N msgs sent', as Open MPI's "
            "monitoring writes it: is the file cut off?",
            path=path,
            line=number,
        )
    writer, peer, sent, messages = map(int, match.groups()[:4])
    src, dst = (peer, writer) if kind == "R" else (writer, peer)
    return src, dst, sent, messages
