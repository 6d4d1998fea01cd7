"""Who is measured: `corewise map` at its efforts, Scotch, SharedMap; a missing one is listed with the reason.

Every mapper reads the same METIS file and says what CPU seconds the mapping itself took (start-up and reading
aside) and the leaf of each rank.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from families import Instance

HERE = Path(__file__).resolve().parent
TIMEOUT_S = 1800


@dataclass(frozen=True)
class Mapped:
    """What one run of a mapper gave."""

    cpu_s: float
    leaf_of_rank: np.ndarray
    bound: float | None = None  # no mapping has less; None where the mapper proves nothing


@dataclass(frozen=True)
class Mapper:
    """One mapper in one mode. `missing` is the reason why it can't run here, empty if it can."""

    name: str
    command: tuple[str, ...]
    style: str
    missing: str = ""

    def run(self, graph: Path, instance: Instance, seed: int) -> Mapped:
        """Maps `graph`. Raises subprocess.CalledProcessError or TimeoutExpired when the mapper fails."""
        if self.style == "corewise":
            arguments = [str(graph), "--machine", instance.tree, "--seed", str(seed)]
        else:
            arities, distances = (",".join(map(str, x)) for x in (instance.arities, instance.distances))
            arguments = [str(graph), str(seed), self.name.split("-")[1], arities, distances]
        done = subprocess.run(
            [*self.command, *arguments], capture_output=True, text=True, check=True, timeout=TIMEOUT_S
        )
        if self.style == "corewise":
            answer = json.loads(done.stdout)
            bound = answer["value"] if answer["proven"] else answer["bound"]
            return Mapped(answer["cpu_s"], np.array(answer["placement"]["core"]), bound)
        cpu_s, *leaves = done.stdout.split()[-instance.n_ranks - 1 :]
        return Mapped(float(cpu_s), np.array(leaves, dtype=np.int64))


def all_mappers(build: Path) -> list[Mapper]:
    """Ours and the peers; builds Scotch's program and SharedMap's environment in `build` the first time."""
    return [*_corewise(), *_scotch(build), *_sharedmap(build)]


def _corewise() -> list[Mapper]:
    program = Path(sys.executable).parent / "corewise"
    missing = "" if program.exists() else f"{program} not found: run make setup and use .venv/bin/python"
    fixed = ("--objective", "hop-bytes", "--json")
    return [
        Mapper(f"corewise-{effort}", (str(program), "map", *fixed, "--effort", effort), "corewise", missing)
        for effort in ("fast", "default", "strong")
    ]


def _scotch(build: Path) -> list[Mapper]:
    program = build / "scotch_map"
    missing = ""
    if shutil.which("cc") is None:
        missing = "no C compiler"
    elif not program.exists():
        include = ["-I/usr/include/scotch"]
        source = [str(HERE / "scotch_map.c"), "-o", str(program)]
        libraries = ["-lscotch", "-lscotcherr", "-lm", "-lz"]
        built = subprocess.run(["cc", "-O2", *include, *source, *libraries], capture_output=True, text=True)
        if built.returncode:
            missing = "Scotch's headers or library not found: apt-get install libscotch-dev"
    return [Mapper(f"scotch-{mode}", (str(program),), "peer", missing) for mode in ("default", "quality")]


def _sharedmap(build: Path) -> list[Mapper]:
    python = build / "peers-venv" / "bin" / "python"
    missing = ""
    if not python.exists():
        venv.create(python.parent.parent, with_pip=True)
        install = [str(python), "-m", "pip", "install", "-q", "chszlablib==0.5.27"]
        if subprocess.run(install, capture_output=True).returncode:
            missing = "PyPI's chszlablib could not be installed"
    importing = [str(python), "-c", "import chszlablib"]
    if not missing and subprocess.run(importing, capture_output=True).returncode:
        missing = f"PyPI's chszlablib can't be imported: delete {python.parent.parent} and try again"
    command = (str(python), str(HERE / "sharedmap_map.py"))
    return [Mapper(f"sharedmap-{mode}", command, "peer", missing) for mode in ("fast", "eco", "strong")]
