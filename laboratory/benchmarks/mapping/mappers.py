"""The compared mapping programs: `corewise map` with each effort, and its peers.

A program that is missing is listed with the reason. Every program reads the same METIS file and reports the
CPU time of the mapping itself, without start-up and reading, and the leaf of each rank.
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
class Wheel:
    """A peer from PyPI. `name`_map.py runs it."""

    name: str
    package: str
    version: str
    modes: tuple[str, ...]


WHEELS = (
    Wheel("sharedmap", "chszlablib", "0.5.27", ("fast", "eco", "strong")),
    Wheel("kahip", "kahip", "3.25", ("eco", "strong")),
    Wheel("kaminpar", "kaminpar", "3.7.3", ("default", "strong")),
    Wheel("mtkahypar", "mtkahypar", "1.7.post1", ("default", "quality")),
)


@dataclass(frozen=True)
class Mapped:
    """The result of one run of a mapper."""

    cpu_s: float
    leaf_of_rank: np.ndarray
    bound: float | None = None  # a lower limit for all mappings; None if the mapper proves nothing


@dataclass(frozen=True)
class Mapper:
    """A mapper in one mode. `missing` is the reason why it can't run here; empty if it can."""

    name: str
    command: tuple[str, ...]
    style: str
    missing: str = ""
    where_shared: bool = False  # only for instances in which ranks share cores

    def run(self, graph: Path, instance: Instance, seed: int) -> Mapped:
        """Maps `graph`. Raises subprocess.CalledProcessError or TimeoutExpired when the mapper fails."""
        if self.style == "corewise":
            arguments = [str(graph), "--machine", instance.tree, "--seed", str(seed)]
            arguments += ["--oversubscribe"] if instance.ranks_per_core > 1 else []
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


def all_mappers(build: Path, without: list[str]) -> list[Mapper]:
    """corewise and its peers, but those with a word of `without` in their name.

    The first call builds Scotch's program and the environment of the other peers in `build`.
    """
    scotch = [] if "scotch" in without else _scotch(build)
    wheels = [mapper for wheel in WHEELS if wheel.name not in without for mapper in _from_wheel(build, wheel)]
    found = [*_corewise(), *scotch, *wheels]
    return [mapper for mapper in found if not any(word in mapper.name for word in without)]


def _corewise() -> list[Mapper]:
    program = Path(sys.executable).parent / "corewise"
    missing = "" if program.exists() else f"{program} not found: run make setup and use .venv/bin/python"
    fixed = ("--objective", "hop-bytes", "--json")
    mappers = [
        Mapper(f"corewise-{effort}", (str(program), "map", *fixed, "--effort", effort), "corewise", missing)
        for effort in ("fast", "default", "strong")
    ]
    for effort in ("fast", "default"):
        command = (str(program), "map", *fixed, "--effort", effort, "--solver", "kaminpar")
        mappers.append(Mapper(f"corewise-kaminpar-{effort}", command, "corewise", missing, where_shared=True))
    return mappers


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


def _from_wheel(build: Path, wheel: Wheel) -> list[Mapper]:
    python = build / "peers-venv" / "bin" / "python"
    if not python.exists():
        venv.create(python.parent.parent, with_pip=True)
    missing = ""
    found = f"__import__('importlib.metadata').metadata.version('{wheel.package}')"
    if not _succeeds(python, "-c", f"assert {found} == '{wheel.version}'"):
        wanted = f"{wheel.package}=={wheel.version}"
        if not _succeeds(python, "-m", "pip", "install", "-q", wanted, "numpy"):
            missing = f"PyPI's {wanted} could not be installed"
    if not missing and not _succeeds(python, "-c", f"import {wheel.package}"):
        missing = f"PyPI's {wheel.package} can't be imported: delete {python.parent.parent} and try again"
    command = (str(python), str(HERE / f"{wheel.name}_map.py"))
    return [Mapper(f"{wheel.name}-{mode}", command, "peer", missing) for mode in wheel.modes]


def _succeeds(python: Path, *arguments: str) -> bool:
    return subprocess.run([str(python), *arguments], capture_output=True).returncode == 0
