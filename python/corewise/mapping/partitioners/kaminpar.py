"""KaMinPar as a partitioner: shared-memory multilevel graph partitioning, a small package on PyPI."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from corewise.errors import MissingError, option
from corewise.mapping.partitioners.bisection import Bisect
from corewise.mapping.partitioners.task_graph import TaskGraph

# Fractions of the vertices by which a half may be too large. For exact halves, KaMinPar's cut is up to ten
# times as large as with some slack. The best slack varies, so more effort tries more values.
_ALL = [0.001, 0.003, 0.01, 0.03]
_SLACKS = {"fast": [0.003, 0.03], "default": _ALL, "strong": _ALL * 4}


def missing() -> str:
    """Why KaMinPar can't be used here; empty if it can."""
    try:
        import kaminpar  # noqa: F401
    except ImportError:
        return "KaMinPar is not installed: pip install 'corewise[kaminpar]'"
    return ""


def load(seed: int, effort: str) -> Bisect:
    """A bisection with 2, 4 or 16 attempts (fast, default, strong) on one thread; raises MissingError.

    Equal seeds give equal results.
    """
    if missing():
        raise MissingError(f"{missing()}, or take {option('solver', 'auto')}")
    import kaminpar

    def bisect(graph: TaskGraph, n_first: int) -> Iterator[np.ndarray]:
        with tempfile.TemporaryDirectory(prefix="corewise-") as folder:
            path = Path(folder) / "graph.parhip"
            _write(path, graph)
            loaded = kaminpar.load_graph(str(path), kaminpar.GraphFileFormat.PARHIP)
        for attempt, slack in enumerate(_SLACKS[effort]):
            kaminpar.reseed(int(np.random.SeedSequence([seed, attempt]).generate_state(1)[0]) >> 1)
            more = max(1, int(slack * graph.n / 2))
            partitioner = kaminpar.KaMinPar(1, kaminpar.context_by_name("strong"))
            most = [n_first + more, graph.n - n_first + more]
            yield np.array(partitioner.compute_partition(loaded, most))

    return bisect


def _write(path: Path, graph: TaskGraph) -> None:
    """Writes ParHIP's binary format, version 2: edge weights, no vertex weights, 64 bits.

    The Python package reads graphs only from files.
    """
    with path.open("wb") as out:
        np.array([2, graph.n, len(graph.peer)], dtype=np.uint64).tofile(out)
        first_byte = 8 * (3 + graph.n + 1)
        (first_byte + 8 * graph.start).astype(np.uint64).tofile(out)
        graph.peer.astype(np.uint64).tofile(out)
        graph.weight.astype(np.int64).tofile(out)
