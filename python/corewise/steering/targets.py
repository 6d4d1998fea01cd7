"""The solver of a steered job: reads the bytes of pairs so far, and writes cores for ranks."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from corewise import model
from corewise.errors import CorewiseError
from corewise.files.whole_file import write_whole

PAIRS_FIRST_LINE = "corewise-steer-pairs 1"
TARGETS_FIRST_LINE = "corewise-steer-targets 1"
PAIRS_ENDING, TARGETS_ENDING = ".pairs", ".targets"

_RANK = re.compile(r"rank id=(\d+) core=(\d+)")
_PEER = re.compile(r"peer rank=(\d+) peer=(\d+) bytes=(\d+)")


@dataclass(frozen=True)
class Pairs:
    """`core_of` [world rank] is the logical core on the node; `sent_bytes` [rank, peer] are total bytes."""

    core_of: dict[int, int] = field(default_factory=dict)
    sent_bytes: dict[tuple[int, int], int] = field(default_factory=dict)


def pairs_of(text: str) -> Pairs | None:
    """The contents of a file of pairs; None if it is no such file."""
    first, *lines = text.splitlines() or [""]
    if first != PAIRS_FIRST_LINE:
        return None
    pairs = Pairs()
    for line in lines:
        if rank := _RANK.fullmatch(line):
            pairs.core_of[int(rank[1])] = int(rank[2])
        elif peer := _PEER.fullmatch(line):
            pairs.sent_bytes[int(peer[1]), int(peer[2])] = int(peer[3])
        else:
            return None
    return pairs


def targets_text(core_of: Mapping[int, int]) -> str:
    """The text of a file of targets; `core_of` [world rank] is the wanted core."""
    lines = [f"target rank={rank} core={core}" for rank, core in sorted(core_of.items())]
    return "\n".join([TARGETS_FIRST_LINE, *lines]) + "\n"


TARGETS_NS = 1_000_000_000  # interval at which the job writes its pairs
LEAST_GAIN = 0.05  # least gain of the objective, because each swap is first tried for some time
LONGEST_CPU_S = 0.5
_LOOK_S = 0.25


def targets_of(machine: model.Machine, pairs: Pairs) -> dict[int, int]:
    """World rank -> core for every rank of a node, better by at least LEAST_GAIN; {} if none is found.

    Uses only cores that have a rank now, one rank each. The search starts from the present placement, so that
    it doesn't exchange equivalent places. Traffic with ranks on other nodes is ignored, because all cores of
    this node are equally near to them.
    """
    ranks = sorted(pairs.core_of)
    cores = [pairs.core_of[rank] for rank in ranks]
    if len(ranks) < 3 or len(set(cores)) < len(cores) or max(cores) >= machine.n_cores_on(0):
        return {}  # exchanging two ranks changes nothing
    number = {rank: index for index, rank in enumerate(ranks)}
    kept = [
        (number[a], number[b], n) for (a, b), n in pairs.sent_bytes.items() if a in number and b in number
    ]
    if not kept:
        return {}
    traffic = _traffic(len(ranks), kept)
    objective = model.default_objective(machine)
    used = np.isin(np.arange(machine.n_cores), cores).astype(int).tolist()
    constraints = model.Constraints(core_capacity=used)
    problem = model.MappingProblem(traffic, machine, objective, constraints=constraints)
    now = model.Assignment.from_cores(cores)
    options = model.SolverOptions(effort="fast", deadline_cpu_s=LONGEST_CPU_S)
    found = model.improve(problem, now, 0.0, options)
    if not found.score[0] < (1 - LEAST_GAIN) * model.evaluate(objective, traffic, machine, now)[0]:
        return {}
    return dict(zip(ranks, found.placement.core_of_rank.tolist(), strict=True))


def _traffic(n_ranks: int, entries: list[tuple[int, int, int]]) -> model.Traffic:
    """Traffic from (src, dst, bytes) of each pair; assumes one message, because numbers are unknown."""
    src, dst, sent = (np.array(column) for column in zip(*entries, strict=True))
    messages = np.ones(len(entries), np.uint64)
    return model.Traffic.of(model.CommMatrix.from_columns(n_ranks, src, dst, sent, messages))


@contextmanager
def solved_targets(
    folder: Path, machine: model.Machine, machine_of: Mapping[str, model.Machine] | None = None
) -> Iterator[None]:
    """While the block runs, answers each file of pairs that a steered job writes to `folder`.

    A file's name is that of its node; `machine_of` has the machines of nodes that differ from `machine`. Runs
    in a thread with the lowest priority, so that the job's processes have precedence.
    """
    ended = threading.Event()
    thread = threading.Thread(target=_answer, args=(folder, machine, machine_of or {}, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _answer(
    folder: Path, machine: model.Machine, machine_of: Mapping[str, model.Machine], ended: threading.Event
) -> None:
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)  # on Linux, for this thread only
    seen: dict[Path, int] = {}
    while not ended.wait(_LOOK_S):
        for path in folder.glob(f"*{PAIRS_ENDING}"):
            # An error must not end the job, which continues without an answer.
            with suppress(OSError, ValueError, CorewiseError):
                changed_ns = path.stat().st_mtime_ns
                if seen.get(path) != changed_ns:
                    seen[path] = changed_ns
                    _answer_one(path, machine_of.get(path.name.removesuffix(PAIRS_ENDING), machine))


def _answer_one(path: Path, machine: model.Machine) -> None:
    pairs = pairs_of(path.read_text(encoding="ascii"))
    if pairs is not None:
        write_whole(path.with_suffix(TARGETS_ENDING), targets_text(targets_of(machine, pairs)))
