"""Random commands with narrow masks: each must succeed, or fail with an error of one sentence.

    python fuzzed_masks.py FOLDER NUMBER SEED MPIRUN PROGRAM

Runs NUMBER commands `corewise run`, `tune` and `check`, each inside a random fence (taskset, a cgroup, both,
or none). hwloc shows a random node: this one, or a synthetic or recorded one with offline hardware threads,
fast and slow cores, or numbers in any order. PROGRAM uses MPI. A shell before each rank reads the rank's mask
from /proc, so the test doesn't depend on corewise's own report.

Prints a JSON line for each command with a wrong outcome, and a last line with the counts of all outcomes.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corewise import machines
from corewise.model import Assignment
from corewise.nouns.placement import Placement

COREWISE = str(Path(sys.executable).with_name("corewise"))
FIXTURES = Path(__file__).parents[2] / "fixtures"
SHOW = (
    'echo "rank ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} has $(grep Cpus_allowed_list /proc/self/status | cut -f2)"'
    '; exec "$@"'
)
LINE = re.compile(r"rank (\d+) has ([0-9,-]+)")
TIMEOUT_S = 100
# Nodes that have only hardware threads 0 and 1, so that programs can run with them.
POSSIBLE = [
    "core:2 pu:1",
    "core:2 pu:1(indexes=1,0)",
    "core:1 pu:2",
    "core:1 pu:2(indexes=1,0)",
    "pack:2 core:1 pu:1",
    "pack:2 [numa] core:1 pu:1(indexes=1,0)",
]
RECORDED = [
    "affinity/offline.xml",
    "affinity/hybrid.xml",
    "topologies/hybrid.xml",
    "topologies/smt-interleaved.xml",
    "topologies/cpuset-holes.xml",
    "topologies/core-kinds.xml",
    "topologies/two-memories.xml",
]
BINDINGS = ("core", "l3", "node", "numa", "package")


@dataclass(frozen=True)
class Case:
    """A command inside a fence.

    `shown` is the node that hwloc shows, None for this one. `mask` (taskset) and `cpuset` (a cgroup) are
    the allowed hardware threads (os_index); None without such a fence.
    """

    number: int
    words: tuple[str, ...]
    shown: str | None
    mask: frozenset[int] | None
    cpuset: frozenset[int] | None

    @property
    def allowed(self) -> frozenset[int]:
        """The hardware threads that the command's processes may use."""
        usable = frozenset(os.sched_getaffinity(0))
        return usable & (self.cpuset or usable) & (self.mask or usable)

    @property
    def is_stale(self) -> bool:
        """Whether the placement was made without the fence."""
        return "--placement" in self.words

    @property
    def runs(self) -> bool:
        """Whether ranks start with corewise's masks."""
        return self.words[0] == "run" and "--dry-run" not in self.words


def random_cases(number: int, seed: int, job: list[str], cgroups: bool) -> Iterator[Case]:
    """`number` random cases; `job` is the launcher's name and the program."""
    rng = random.Random(seed)
    here = sorted(os.sched_getaffinity(0))
    for i in range(number):
        kind = rng.choices(["run", "stale", "dry", "check", "tune"], [6, 2, 2, 2, 1])[0]
        shown = None if kind == "stale" else rng.choice([None, None, None, *POSSIBLE, *RECORDED])
        cpuset = frozenset(rng.sample(here, rng.randint(1, len(here)))) if rng.random() < 0.5 else None
        cpuset = cpuset if cgroups and shown is None else None
        inside = sorted(cpuset or here)
        mask = frozenset(rng.sample(inside, rng.randint(1, len(inside)))) if rng.random() < 0.5 else None
        yield Case(i, _words(kind, rng, job), shown, mask, cpuset)


def _words(kind: str, rng: random.Random, job: list[str]) -> tuple[str, ...]:
    ranks = ("-n", str(rng.choice([1, 1, 2, 2, 3])))
    launched = ("--", job[0], *ranks, "bash", "-c", SHOW, "bash", *job[1:])
    if kind == "check":
        return ("check", "--json", *(launched if rng.random() < 0.7 else ()))
    if kind == "tune":
        return ("tune", "--json", "--repeats", "1", "-o", "tune", *launched)
    if kind == "stale":
        return ("run", "--json", "--placement", "placement.json", "--", job[0], *launched[4:])
    options = ["--binding", rng.choice(BINDINGS)]
    options += ["--share"] if rng.random() < 0.5 else []
    options += rng.sample(["--omp-places", "--membind"], rng.randint(0, 2))
    return ("run", "--json", *(("--dry-run",) if kind == "dry" else ()), *options, *launched)


def outcome(case: Case, folder: Path) -> tuple[str, str | None]:
    """How a case ended, in one word, and what is wrong; None if nothing is."""
    if case.is_stale:
        here = machines.load("local")
        Placement.of(Assignment.from_cores(list(range(here.n_cores))), here).write(folder / "placement.json")
    with _inside(case.cpuset) as enter:
        taskset = ["taskset", "-c", ",".join(map(str, sorted(case.mask)))] if case.mask else []
        try:
            done = subprocess.run(
                [*enter, *taskset, COREWISE, *case.words],
                cwd=folder,
                env=os.environ | _shown(case.shown, folder),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            return "late", "not done in time"
    if "Traceback" in done.stderr or done.returncode not in (0, 1, 2, 3):
        return "crash", f"exit code {done.returncode}: {done.stderr[-900:]}"
    if done.returncode in (2, 3):
        said = done.stderr.splitlines()
        fine = done.stdout == "" and said and said[-1].startswith("corewise: ")
        return "refused", None if fine else f"no sentence: {done.stderr[-900:]}"
    if case.words[0] == "tune":
        nothing = {"verified": False, "headline": {"conclusion": ""}}
        document = json.loads(done.stdout) if done.returncode == 0 else nothing
        # A single rank sends no messages, so nothing runs and nothing is verified.
        right = (
            document["verified"] or document["headline"]["conclusion"] == "no messages" and "1" in case.words
        )
        return "ended", None if right else f"not verified: {done.stderr[-900:]}"
    return "ended", _narrowed(case, done) if case.runs else None


def _narrowed(case: Case, done: subprocess.CompletedProcess) -> str | None:
    """Compares the ranks' own lines with the document; returns the first difference."""
    document = json.loads(done.stdout)
    seen = {int(rank): _indices(mask) for rank, mask in LINE.findall(done.stderr)}
    wanted = {rank["rank"]: frozenset(rank["os_pus_wanted"]) for rank in document["ranks"]}
    if wanted != seen or not document["verified"] or done.returncode != 0:
        return f"wanted {wanted}, found {seen}, verified {document['verified']}: {done.stderr[-900:]}"
    if not frozenset().union(*wanted.values()) <= case.allowed:
        return f"outside {sorted(case.allowed)}: {wanted}"
    whole_node = "node" in case.words and ("--share" in case.words or len(wanted) == 1)
    if case.shown is None and whole_node and any(mask != case.allowed for mask in wanted.values()):
        return f"narrower than {sorted(case.allowed)}: {wanted}"
    if case.is_stale and case.allowed != frozenset(os.sched_getaffinity(0)):
        return f"a placement for more than {sorted(case.allowed)} was not refused"
    return None


def _indices(text: str) -> frozenset[int]:
    ends = [part.split("-") for part in text.split(",")]
    return frozenset(index for part in ends for index in range(int(part[0]), int(part[-1]) + 1))


def _shown(shown: str | None, folder: Path) -> dict[str, str]:
    """The environment in which hwloc reads another node."""
    if shown is None:
        return {}
    path = FIXTURES / shown
    if not shown.endswith(".xml"):
        path = folder / "shown.xml"
        words = ["lstopo-no-graphics", "--input", shown, "--of", "xml", str(path)]
        subprocess.run(words, check=True, capture_output=True, timeout=60)
    return {"HWLOC_XMLFILE": str(path), "HWLOC_THISSYSTEM": "1"}


def cpuset_mount() -> Path | None:
    """The folder where cgroups with cpusets can be created, version 1 or 2. None if that isn't allowed."""
    for mount, name in (
        (Path("/sys/fs/cgroup/cpuset"), "cpuset.cpus"),
        (Path("/sys/fs/cgroup"), "cgroup.procs"),
    ):
        is_version2 = name == "cgroup.procs" and "cpuset" in _text(mount / "cgroup.subtree_control").split()
        if os.access(mount, os.W_OK) and (mount / name).exists() and (is_version2 or name != "cgroup.procs"):
            return mount
    return None


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


@contextmanager
def made_cpuset(cpuset: frozenset[int]) -> Iterator[Path]:
    """Creates a cgroup with these hardware threads, and removes it afterwards."""
    mount = cpuset_mount()
    folder = Path(tempfile.mkdtemp(prefix="corewise-test-", dir=mount))
    try:
        memory = _text(mount / "cpuset.mems") or _text(mount / "cpuset.mems.effective")
        (folder / "cpuset.mems").write_text(memory)
        (folder / "cpuset.cpus").write_text(",".join(map(str, sorted(cpuset))))
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """A cgroup can be removed only after its last process: a launcher's helper may run a little longer."""
    for _ in range(100):
        try:
            return folder.rmdir()
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"{folder}: processes {_text(folder / 'cgroup.procs')} were left behind")


def entering(cgroup: Path) -> list[str]:
    """The words that run a command inside a cgroup."""
    return ["sh", "-c", f'echo $$ >{cgroup}/cgroup.procs && exec "$@"', "sh"]


@contextmanager
def _inside(cpuset: frozenset[int] | None) -> Iterator[list[str]]:
    if cpuset is None:
        yield []
        return
    with made_cpuset(cpuset) as folder:
        yield entering(folder)


def main(folder: Path, number: int, seed: int, job: list[str]) -> None:
    """Every case in a separate folder."""
    counts: Counter[str] = Counter()
    for case in random_cases(number, seed, job, cpuset_mount() is not None):
        own = folder / str(case.number)
        own.mkdir()
        word, why = outcome(case, own)
        counts[word] += 1
        counts["in a cgroup"] += case.cpuset is not None
        counts["wrong"] += why is not None
        if why:
            print(json.dumps({"case": repr(case), "why": why}), flush=True)
    print(json.dumps(counts), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
