"""Ranks bound to boards, sockets and domains by Hydra and Open MPI on two packages (numa-vm, emulated).

The machine starts the words of the launcher's plan, on cores of two hardware threads. Hydra's ranks are
observed: the preload library reads the mask of every rank and thread, and the test compares it. Open MPI's
ranks are bound only by a rankfile, as with an exported command.
"""

from __future__ import annotations

import base64
import io
import re
import shlex
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from corewise.launchers import LAUNCHERS, Injection, Job, parse_command
from corewise.machines import load
from corewise.mapping.process_binding import binding_file
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.observe.runs import reported, run_of
from corewise.start.programs import BINDER
from corewise.start.wanted import Wanted
from numa_vm import ROOT, TIMEOUT_S, NumaVm, compile_with_affinity, native_file
from openmpi_parts import PREPARE, openmpi_parts
from plan_cases import indices

pytestmark = pytest.mark.timeout(TIMEOUT_S + 60)

PROGRAM = Path(__file__).parent / "programs" / "init.c"
PRELOAD = "libcorewise_pmpi_mpich.so"
MPICH = ("mpiexec.hydra", "hydra_pmi_proxy", "mpicc.mpich")
# Each rank prints its number and its mask from the kernel.
SHOW = 'echo "${OMPI_COMM_WORLD_RANK:-$PMI_RANK} $(grep Cpus_allowed_list /proc/self/status | cut -f2)"\n'


# A rank of `run --binding numa --membind`, which waits until it was examined from outside.
HOLD = """\
text=$(head -c 2000000 /dev/zero | tr '\\0' x)
echo "$PMI_RANK $$" >>/tmp/held
while [ ! -e /tmp/looked-at ]; do sleep 1; done
"""
# Prints for each rank its mask, its memory policies, and how many of its private pages (heap, stack) are on
# nodes 0 and 1. The pages of a program file are shared by all that have it open.
LOOK = """\
while [ "$(cat /tmp/held 2>/dev/null | wc -l)" -lt 2 ]; do sleep 1; done
while read -r rank pid; do
  echo "$rank $(grep Cpus_allowed_list /proc/$pid/status | cut -f2) $(awk '
    / anon=/ && !/ file=/ {
      policy[$2] = 1
      for (i = 3; i <= NF; ++i) if (split($i, n, "=") == 2) pages[n[1]] += n[2]
    }
    END { for (p in policy) printf "%s ", p; print pages["N0"] + 0, pages["N1"] + 0 }' /proc/$pid/numa_maps)"
done </tmp/held
touch /tmp/looked-at
"""


# The settings of two steered ranks: the first rank's core has half the speed. The test checks the memory that
# follows, not the gain of swaps, because an emulated CPU is often disturbed.
STEER = """\
corewise-steer-log 1
core id=0 pus=0,1 numa=0 package=0 capability=500
core id=1 pus=2,3 numa=0 package=0
core id=2 pus=4,5 numa=1 package=1
core id=3 pus=6,7 numa=1 package=1
settings interval_ns=20000000 window_ns=200000000 windows_in_a_row=1 watched_windows=0 memory_pages={pages} \
low_idleness=1000 high_idleness=1000
monitor schedstat confidence=0
monitor irqtime confidence=0
monitor softnet confidence=0
"""
STEERED_PAGES = 2000


@dataclass(frozen=True)
class Bound:
    """Two or more ranks that start in the machine, and the masks (OS indices) that they must have."""

    binding: str
    masks: tuple[str, ...]
    share: bool = False

    @property
    def name(self) -> str:
        return f"{self.binding}-{len(self.masks)}" + ("-share" if self.share else "")

    @property
    def wanted(self) -> Placement:
        return binding_file(NODE, self.binding, len(self.masks), self.share)

    def plan(self, launcher: str, words: list[str], folder: str, injection: Injection) -> LaunchPlan:
        """The plan of a launcher, with its files in a folder below the machine's /lab."""
        command = parse_command(words, LAUNCHERS[launcher].options)
        return LAUNCHERS[launcher].plan(self.wanted, Job(command, ["localhost"], f"/lab/{folder}", injection))


BY_SOCKET = Bound("socket", ("0-3", "4-7"))
# Ranks that wait for each other poll. More than two would be too many for emulated CPUs.
OBSERVED = [
    BY_SOCKET,
    Bound("board", ("0-3", "4-7")),
    Bound("board", ("0-7", "0-7"), share=True),
    Bound("numa", ("0-3", "4-7")),
]
STARTS = [*OBSERVED, Bound("socket", ("0-1", "2-3", "4-5", "6-7")), Bound("numa", ("0-1", "2-3", "4-7"))]
NODE = load("synthetic:1:pack:2 [numa] core:2 pu:2")
POLICIES = ("default", "singlified", "topology")
UNOBSERVED = Injection("/lab/corewise-bind")


def add_memory_bound(vm: NumaVm) -> None:
    """Adds a section that examines the ranks of `run --binding numa --membind` from another process."""
    for name, text in {"hold": HOLD, "look": LOOK}.items():
        (vm.folder / name).write_text(text)
        vm.added.append(vm.folder / name)
    injection = Injection("/lab/corewise-bind", settings=("memory domains",))
    plan = Bound("numa", ("0-3", "4-7")).plan("hydra", ["mpiexec.hydra", "sh", "hold"], "membind", injection)
    vm.section("membind", f"{add_start(vm, 'membind', plan)} & sh look; wait")


def add_steered(vm: NumaVm, most_pages: int) -> None:
    """Adds a section: steering swaps two ranks across packages; up to `most_pages` follow per interval.

    The kernel's NUMA balancing is off: it would move pages too, and hides the pages that it samples.
    """
    name = f"steered{most_pages}"
    (vm.folder / name).mkdir()
    (vm.folder / name / "settings").write_text(STEER.format(pages=most_pages))
    vm.added.append(vm.folder / name)
    env = {"LD_PRELOAD": f"/lab/{PRELOAD}", "COREWISE_OBSERVE": "steer", "COREWISE_STEER": f"/tmp/{name}"}
    env |= {"COREWISE_STEER_SHARED": "/tmp", "COREWISE_JOB": name}
    given = [word for key, value in env.items() for word in ("-genv", key, value)]
    program = ["./steered_memory", "6", str(STEERED_PAGES)]
    job = shlex.join(["mpiexec.hydra", "-bind-to", "none", *given, "-n", "2", *program])
    told = f"grep -h -e ^settings -e '^decision [^n]' /tmp/{name}/*.steer-log"
    vm.section(name, f"echo 0 >/proc/sys/kernel/numa_balancing; cp -r {name} /tmp && {job} && {told}")


def observed(name: str) -> Injection:
    """In the machine, the preload library writes its profile below /tmp."""
    env = {"COREWISE_DIR": f"/tmp/{name}", "COREWISE_OBSERVE": "trace,verify", "COREWISE_JOB": name}
    return Injection("/lab/corewise-bind", f"/lab/{PRELOAD}", env)


def add_start(vm: NumaVm, name: str, plan: LaunchPlan) -> str:
    """Adds the plan's files to the machine; returns the command."""
    folder = vm.folder / name
    folder.mkdir()
    for path, text in plan.files.items():
        (folder / Path(path).name).write_text(text)
    vm.added.append(folder)
    return shlex.join(plan.argv)


@pytest.fixture(scope="session")
def by_hydra(tmp_path_factory) -> dict[str, tuple[int, list[str]]]:
    if missing := [name for name in (*MPICH, "qemu-system-x86_64") if shutil.which(name) is None]:
        pytest.skip(f"{', '.join(missing)} not found")
    vm = NumaVm(tmp_path_factory.mktemp("hydra"), options=["--smt"])
    vm.added = [Path(shutil.which(name)) for name in MPICH[:2]]
    vm.added += [native_file(BINDER), native_file(PRELOAD), vm.folder / "init"]
    subprocess.run(["mpicc.mpich", str(PROGRAM), "-o", str(vm.added[-1])], check=True, timeout=60)
    for start in OBSERVED:
        plan = start.plan("hydra", ["mpiexec.hydra", "init"], start.name, observed(start.name))
        packed = f"tar c -C /tmp/{start.name} . | gzip | base64"
        vm.section(
            start.name, f"{add_start(vm, start.name, plan)} >log 2>&1 || {{ cat log; exit 1; }}; {packed}"
        )
    add_memory_bound(vm)
    vm.added.append(vm.folder / "steered_memory")
    words = ["mpicc.mpich", str(PROGRAM.with_name("steered_memory.c")), "-o", str(vm.added[-1])]
    subprocess.run(words, check=True, timeout=60)
    for most_pages in (64, 0):
        add_steered(vm, most_pages)
    example = ROOT / "examples" / "affinity" / "pthread.c"
    vm.added.append(compile_with_affinity(example, vm.folder / "pthread"))
    for policy in POLICIES:
        injection = Injection("/lab/corewise-bind", env={"COREWISE_AFFINITY": f"policy={policy}"})
        words = ["mpiexec.hydra", "-prepend-rank", "pthread"]
        vm.section(policy, add_start(vm, policy, BY_SOCKET.plan("hydra", words, policy, injection)))
    return vm.boot()


@pytest.fixture(scope="session")
def by_openmpi(tmp_path_factory) -> dict[str, tuple[int, list[str]]]:
    if shutil.which("qemu-system-x86_64") is None:
        pytest.skip("qemu-system-x86_64 is not installed (scripts/setup --lab)")
    vm = NumaVm(tmp_path_factory.mktemp("openmpi"), options=["--smt"], added=openmpi_parts())
    (vm.folder / "show").write_text(SHOW)
    vm.added += [vm.folder / "show", native_file(BINDER)]
    vm.section("prepare", PREPARE)
    for start in STARTS:
        plan = start.plan("openmpi4", ["orterun", "sh", "show"], start.name, UNOBSERVED)
        vm.section(start.name, f". ./openmpi.env; {add_start(vm, start.name, plan)}")
    return vm.boot()


def run_in(folder: Path, start: Bound, lines: list[str]) -> Run:
    """The Run that `corewise run` would make of the profile sent by the machine."""
    packed = io.BytesIO(base64.b64decode("".join(lines)))
    with tarfile.open(fileobj=packed, mode="r:gz") as archive:
        for member in filter(tarfile.TarInfo.isfile, archive):
            (folder / Path(member.name).name).write_bytes(archive.extractfile(member).read())
    return run_of(start.name, LaunchPlan([]), (0, 0.0), reported(folder), Wanted(["numa-vm"], start.wanted))


@pytest.mark.parametrize("start", OBSERVED, ids=lambda start: start.name)
def test_every_rank_and_thread_has_its_board_socket_or_domain(by_hydra, tmp_path, start):
    code, lines = by_hydra[start.name]
    assert code == 0, lines
    run = run_in(tmp_path, start, lines)
    assert run.verified
    assert [rank.host for rank in run.ranks] == ["numa-vm"] * len(start.masks)
    assert [rank.os_pus_seen for rank in run.ranks] == [sorted(indices(mask)) for mask in start.masks]


def test_memory_bound_ranks_have_their_pages_in_their_own_domain_as_seen_from_outside(by_hydra):
    code, lines = by_hydra["membind"]
    assert code == 0, lines
    seen = sorted(line.split() for line in lines)
    assert [words[:3] for words in seen] == [["0", "0-3", "bind:0"], ["1", "4-7", "bind:1"]]
    pages = [[int(n) for n in words[3:]] for words in seen]
    assert pages[0][0] > 400 and pages[0][1] == 0  # two million bytes are 489 pages
    assert pages[1][1] > 400 and pages[1][0] == 0


def ranks_and_decisions(lines: list[str]) -> tuple[dict[int, tuple[int, ...]], list[str]]:
    """For each rank its NUMA node and its pages on nodes 0 and 1; and the actions of steering."""
    found = re.findall(r"^rank (\d) cpu \d node (\d) pages (\d+) (\d+)$", "\n".join(lines), re.MULTILINE)
    actions = [line.split()[1] for line in lines if line.startswith("decision")]
    return {int(rank): tuple(map(int, rest)) for rank, *rest in found}, actions


def test_memory_follows_two_steered_ranks_into_each_others_domain(by_hydra):
    code, lines = by_hydra["steered64"]
    assert code == 0, lines
    ranks, actions = ranks_and_decisions(lines)
    assert actions[:2] == ["swap", "keep"], lines
    assert ranks == {0: (1, 0, STEERED_PAGES), 1: (0, STEERED_PAGES, 0)}


def test_where_memory_may_not_follow_steered_ranks_stay_in_their_domains(by_hydra):
    code, lines = by_hydra["steered0"]
    assert code == 0, lines
    ranks, actions = ranks_and_decisions(lines)
    assert actions == [], lines
    assert ranks == {0: (0, STEERED_PAGES, 0), 1: (1, 0, STEERED_PAGES)}


@pytest.mark.parametrize("policy", POLICIES)
def test_threads_of_a_bound_rank_are_planned_inside_its_socket(by_hydra, policy):
    code, lines = by_hydra[policy]
    assert code == 0, lines
    for rank, mask in enumerate(BY_SOCKET.masks):
        said = [line.removeprefix(f"[{rank}] ") for line in lines if line.startswith(f"[{rank}] ")]
        assert f"mask     {mask} (2 cores, 4 PUs)" in said
        assert said[-1] == "every thread is bound as planned"


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_a_rankfile_alone_binds_to_both_hardware_threads_of_every_core(by_openmpi, start):
    code, lines = by_openmpi[start.name]
    assert code == 0, lines
    assert sorted(lines) == [f"{rank} {mask}" for rank, mask in enumerate(start.masks)]
