"""Ranks bound to boards, sockets and NUMA domains by MPICH's Hydra on two packages (lab/numa-vm, emulated).

What starts in there is the launcher's plan, word by word; what the preload library reads in every rank and
thread is compared with it.
"""

from __future__ import annotations

import base64
import io
import shlex
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from corewise.execute.observe import read_profile, run_of
from corewise.execute.programs import BINDER, native
from corewise.launchers import LAUNCHERS, Injection, Job, parse_command
from corewise.machines import load
from corewise.placement_file import PlacementFile
from corewise.process_binding import binding_file
from corewise.records import LaunchPlan, Run
from numa_vm import ROOT, TIMEOUT_S, NumaVm, compile_with_affinity

pytestmark = pytest.mark.timeout(TIMEOUT_S + 60)

PROGRAM = Path(__file__).parent / "programs" / "init.c"
PRELOAD = "libcorewise_pmpi_mpich.so"
MPICH = ("mpiexec.hydra", "hydra_pmi_proxy", "mpicc.mpich")


@dataclass(frozen=True)
class Bound:
    """A start of two or more ranks in the machine, and the masks (OS indices) that they must have."""

    binding: str
    masks: tuple[str, ...]
    share: bool = False

    @property
    def name(self) -> str:
        return f"{self.binding}-{len(self.masks)}" + ("-share" if self.share else "")

    @property
    def wanted(self) -> PlacementFile:
        machine = load("synthetic:1:pack:2 [numa] l3:1 core:4 pu:1")
        return binding_file(machine, self.binding, len(self.masks), self.share)

    def plan(self, program: str, folder: str, injection: Injection) -> LaunchPlan:
        """What Hydra starts, with its files in a folder of the machine's /lab."""
        command = parse_command(["mpiexec.hydra", "-prepend-rank", program], LAUNCHERS["hydra"].options)
        return LAUNCHERS["hydra"].plan(self.wanted, Job(command, ["localhost"], f"/lab/{folder}", injection))


STARTS = [
    Bound("board", ("0-3", "4-7")),
    Bound("board", ("0-7", "0-7"), share=True),
    Bound("socket", ("0-3", "4-7")),
    Bound("socket", ("0-1", "2-3", "4-5", "6-7")),
    Bound("numa", ("0", "1", "2-3", "4", "5", "6-7")),
]
POLICIES = ("default", "singlified", "topology")
BY_SOCKET = STARTS[2]


def observed(name: str) -> Injection:
    """Inside the machine: the preload library writes its profile below /tmp."""
    env = {"COREWISE_DIR": f"/tmp/{name}", "COREWISE_OBSERVE": "trace,verify", "COREWISE_JOB": name}
    return Injection("/lab/corewise-bind", f"/lab/{PRELOAD}", env)


def add_start(vm: NumaVm, name: str, plan: LaunchPlan) -> str:
    """Adds the plan's files; answers the command."""
    folder = vm.folder / name
    folder.mkdir()
    for path, text in plan.files.items():
        (folder / Path(path).name).write_text(text)
    vm.added.append(folder)
    return shlex.join(plan.argv)


@pytest.fixture(scope="session")
def booted(tmp_path_factory) -> dict[str, tuple[int, list[str]]]:
    if missing := [name for name in (*MPICH, "qemu-system-x86_64") if shutil.which(name) is None]:
        pytest.skip(f"{', '.join(missing)} not found")
    vm = NumaVm(tmp_path_factory.mktemp("mpi"))
    vm.added = [Path(shutil.which(name)) for name in MPICH[:2]]
    vm.added += [Path(native(BINDER)), Path(native(PRELOAD)), vm.folder / "init"]
    subprocess.run(["mpicc.mpich", str(PROGRAM), "-o", str(vm.added[-1])], check=True, timeout=60)
    for start in STARTS:
        command = add_start(vm, start.name, start.plan("init", start.name, observed(start.name)))
        packed = f"tar c -C /tmp/{start.name} . | gzip | base64"
        vm.section(start.name, f"{command} >log 2>&1 || {{ cat log; exit 1; }}; {packed}")
    vm.added.append(
        compile_with_affinity(ROOT / "examples" / "affinity" / "pthread.c", vm.folder / "pthread")
    )
    for policy in POLICIES:
        injection = Injection("/lab/corewise-bind", env={"COREWISE_AFFINITY": f"policy={policy}"})
        plan = BY_SOCKET.plan("pthread", policy, injection)
        vm.section(policy, add_start(vm, policy, plan))
    return vm.boot()


def run_in(folder: Path, start: Bound, lines: list[str]) -> Run:
    """What `corewise run` would make of the profile that the machine sent."""
    packed = io.BytesIO(base64.b64decode("".join(lines)))
    with tarfile.open(fileobj=packed, mode="r:gz") as archive:
        for member in filter(tarfile.TarInfo.isfile, archive):
            (folder / Path(member.name).name).write_bytes(archive.extractfile(member).read())
    return run_of(start.name, LaunchPlan([]), (0, 0.0), read_profile(folder), start.wanted)


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_every_rank_and_thread_has_its_board_socket_or_domain(booted, tmp_path, start):
    code, lines = booted[start.name]
    assert code == 0, lines
    run = run_in(tmp_path, start, lines)
    assert run.verified
    assert [rank.host for rank in run.ranks] == ["numa-vm"] * len(start.masks)
    seen = [rank.os_pus_seen for rank in run.ranks]
    ends = [[int(end) for end in mask.split("-")] for mask in start.masks]
    assert seen == [list(range(first, last + 1)) for first, *_, last in (e * 2 for e in ends)]


@pytest.mark.parametrize("policy", POLICIES)
def test_threads_of_a_bound_rank_are_planned_inside_its_socket(booted, policy):
    code, lines = booted[policy]
    assert code == 0, lines
    for rank, mask in enumerate(BY_SOCKET.masks):
        said = [line.removeprefix(f"[{rank}] ") for line in lines if line.startswith(f"[{rank}] ")]
        assert f"mask     {mask} (4 cores, 4 PUs)" in said
        assert said[-1] == "every thread is bound as planned"
