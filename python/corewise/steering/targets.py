"""The solver of a steered job: from the bytes of each pair so far to cores for its ranks."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from corewise import model
from corewise.errors import CorewiseError
from corewise.files.whole_file import write_whole
from corewise.steering.pairs import PAIRS_ENDING, TARGETS_ENDING, Pairs, pairs_of, targets_text

TARGETS_NS = 1_000_000_000  # how often the job tells its pairs
LEAST_GAIN = 0.05  # of the objective: each of the swaps on the way there costs a probation
LONGEST_CPU_S = 0.5
_LOOK_S = 0.25


def targets_of(machine: model.Machine, pairs: Pairs) -> dict[int, int]:
    """World rank -> core, for every rank of one node, better by LEAST_GAIN at least; {} where none is found.

    Only cores that have a rank now are given, one rank each. The search begins at what is there, by the
    machine's default objective, so that like places are not exchanged for nothing. Traffic with ranks that
    `pairs` does not place (on other nodes) is left out: no core of this node is nearer to them.
    """
    ranks = sorted(pairs.core_of)
    cores = [pairs.core_of[rank] for rank in ranks]
    if len(ranks) < 3 or len(set(cores)) < len(cores) or max(cores) >= machine.n_cores_on(0):
        return {}  # two ranks of one node are as near to each other wherever they are
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
    now = model.Placement.from_cores(cores)
    options = model.SolverOptions(effort="fast", deadline_cpu_s=LONGEST_CPU_S)
    found = model.improve(problem, now, 0.0, options)
    if not found.score[0] < (1 - LEAST_GAIN) * model.evaluate(objective, traffic, machine, now)[0]:
        return {}
    return dict(zip(ranks, found.placement.core_of_rank.tolist(), strict=True))


def _traffic(n_ranks: int, entries: list[tuple[int, int, int]]) -> model.Traffic:
    """From (src, dst, bytes) of each pair; how many messages that were is not told."""
    src, dst, sent = (np.array(column) for column in zip(*entries, strict=True))
    messages = np.ones(len(entries), np.uint64)
    return model.Traffic.of(model.CommMatrix.from_columns(n_ranks, src, dst, sent, messages))


@contextmanager
def solved_targets(
    folder: Path, machine: model.Machine, machine_of: Mapping[str, model.Machine] | None = None
) -> Iterator[None]:
    """While the block runs, answers each file of pairs that a steered job writes into `folder`.

    A file belongs to the node that it is named after: `machine_of` has those that are not like `machine`.
    In a thread of this process at the lowest priority: the job's own processes go first.
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
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)  # Linux: of this thread alone
    seen: dict[Path, int] = {}
    while not ended.wait(_LOOK_S):
        for path in folder.glob(f"*{PAIRS_ENDING}"):
            # Without an answer the job continues unchanged: nothing here may end it.
            with suppress(OSError, ValueError, CorewiseError):
                changed_ns = path.stat().st_mtime_ns
                if seen.get(path) != changed_ns:
                    seen[path] = changed_ns
                    _answer_one(path, machine_of.get(path.name.removesuffix(PAIRS_ENDING), machine))


def _answer_one(path: Path, machine: model.Machine) -> None:
    pairs = pairs_of(path.read_text(encoding="ascii"))
    if pairs is not None:
        write_whole(path.with_suffix(TARGETS_ENDING), targets_text(targets_of(machine, pairs)))
