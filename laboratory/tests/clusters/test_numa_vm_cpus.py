"""corewise if a kernel takes CPUs away: cgroup v2, offline CPUs, SMT off, cores of two kinds.

All in one boot of numa-vm (--smt: CPUs 2i and 2i + 1 are core i; cores 0-1 and 2-3 are one package each).
Tests results only, because everything is emulated. Fast and slow cores are files mounted over sysfs, because
the emulated CPUs are all of one kind. The masks are always the kernel's own.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from corewise.machines import load
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from numa_vm import TIMEOUT_S, NumaVm, native_file
from plan_cases import indices
from python_parts import NATIVE, python_parts

pytestmark = pytest.mark.timeout(TIMEOUT_S + 60)

PROGRAMS = Path(__file__).parent / "programs"
MPICH = ("mpiexec.hydra", "hydra_pmi_proxy", "mpicc.mpich")
CGROUPS = "/sys/fs/cgroup"
JOB, STEP = f"{CGROUPS}/job/all", f"{CGROUPS}/job/step"
BY_SOCKET = ["run", "--json", "--binding", "socket", "--", "mpiexec.hydra", "-n", "2", "init"]
WHOLE_CORES = ["run", "--json", "--placement", "whole.json", "--", "mpiexec.hydra", "-n", "2", "init"]
CHECK = ["check", "--json"]

TAKE_AWAY = f"""
for cpu in 2 5; do echo 0 >/sys/devices/system/cpu/cpu$cpu/online; done
mount -t cgroup2 none {CGROUPS} && cd {CGROUPS} && echo +cpuset >cgroup.subtree_control
mkdir job && echo +cpuset >job/cgroup.subtree_control && echo 1,4-6 >job/cpuset.cpus
mkdir {JOB} {STEP} && echo 4-5 >{STEP}/cpuset.cpus
"""
SMT_OFF = """
for cpu in 2 5; do echo 1 >/sys/devices/system/cpu/cpu$cpu/online; done
echo off >/sys/devices/system/cpu/smt/control
"""
# P and E cores: cores 0-1 with two hardware threads, cores 2-3 with one and half of the capacity.
TWO_KINDS = """
echo on >/sys/devices/system/cpu/smt/control
for cpu in 5 7; do echo 0 >/sys/devices/system/cpu/cpu$cpu/online; done
cp -r /sys/devices/system/cpu /tmp/cpu 2>/dev/null
for cpu in 0 1 2 3 4 6; do
  if [ $cpu -lt 4 ]; then echo 1024; else echo 512; fi >/tmp/cpu/cpu$cpu/cpu_capacity
done
mount --bind /tmp/cpu /sys/devices/system/cpu
"""

# section -> cgroup, and the arguments of corewise or a shell command
SECTIONS: dict[str, tuple[str | None, list[str]]] = {
    "take-away": (None, [TAKE_AWAY]),
    "left-run": (JOB, BY_SOCKET),
    "left-refused": (JOB, WHOLE_CORES),
    "left-check": (STEP, CHECK),
    "switch-smt-off": (None, [SMT_OFF]),
    "smt-run": (None, BY_SOCKET),
    "make-two-kinds": (None, [TWO_KINDS]),
    "kinds-check": (None, CHECK),
}


def whole_cores() -> Placement:
    """Two ranks with both hardware threads of a core each: 2 and 3, 4 and 5."""
    machine = load("synthetic:1:pack:2 [numa] core:2 pu:2")
    return Placement.of(Assignment.from_cores([1, 2]), machine)


@pytest.fixture(scope="session")
def found(tmp_path_factory) -> dict[str, tuple[int, list[str]]]:
    if missing := [name for name in (*MPICH, "qemu-system-x86_64") if shutil.which(name) is None]:
        pytest.skip(f"{', '.join(missing)} not found")
    for name in NATIVE:
        native_file(name)
    folder = tmp_path_factory.mktemp("cpus")
    vm = NumaVm(folder, options=["--smt"])
    added, python = python_parts(folder)
    vm.added = [*added, *(Path(shutil.which(name)) for name in MPICH[:2]), folder / "init"]
    words = ["mpicc.mpich", str(PROGRAMS / "init.c"), "-o", str(folder / "init")]
    subprocess.run(words, check=True, timeout=60)
    whole_cores().write(folder / "whole.json")
    steps = [(name, cgroup, words) for name, (cgroup, words) in SECTIONS.items()]
    (folder / "cases.json").write_text(json.dumps(steps))
    vm.added += [folder / "whole.json", folder / "cases.json", PROGRAMS / "corewise_cases.py"]
    vm.sections["start"] = f"{python} corewise_cases.py cases.json"
    return vm.boot()


def document(found: dict[str, tuple[int, list[str]]], name: str, code: int = 0) -> dict:
    """The JSON document that a section printed at its end."""
    seen, lines = found[name]
    assert seen == code, lines
    text = "\n".join(lines)
    return json.loads(text[text.index("{") :])  # after the characters that erase the status line


def masks(run: dict) -> list[list[int]]:
    """Each rank's hardware threads according to the kernel. The run must be verified."""
    assert run["verified"] is True
    assert all(rank["os_pus_seen"] == rank["os_pus_wanted"] for rank in run["ranks"])
    return [rank["os_pus_seen"] for rank in run["ranks"]]


@pytest.mark.parametrize("change", ["take-away", "switch-smt-off", "make-two-kinds"])
def test_the_kernel_takes_the_change(found, change):
    assert found[change] == (0, [])
    assert found["end"] == (0, [])


@pytest.mark.parametrize(("case", "expected"), [("left", ["1", "4,6"]), ("smt", ["0,2", "4,6"])])
def test_ranks_have_exactly_what_is_left_of_their_socket(found, case, expected):
    assert masks(document(found, f"{case}-run")) == [sorted(indices(text)) for text in expected]


def test_a_placement_of_cores_that_are_gone_is_refused_with_the_reason(found):
    code, lines = found["left-refused"]
    assert (code, len(lines)) == (3, 1)
    assert "rank 0 needs hardware thread 2 (os_index), which is offline (0-1,3-4,6-7 run)" in lines[0]


@pytest.mark.parametrize(
    ("case", "traps"),
    [("left", {"cgroup-cpuset"}), ("kinds", {"hybrid-cores"})],
)
def test_check_names_what_was_changed(found, case, traps):
    findings = document(found, f"{case}-check", code=1)["findings"]
    assert traps <= {finding["id"] for finding in findings}
