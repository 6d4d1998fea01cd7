"""Thread policies, examples and the binder on two packages and NUMA nodes (numa-vm, emulated).

Tests results only, no times. Each fixture is one boot, which runs all of its cases.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from corewise.machines import load
from corewise.mapping.process_binding import binding_file
from corewise.start.programs import BINDER
from numa_vm import ROOT, TIMEOUT_S, NumaVm, compile_with_affinity, native_file
from plan_cases import PLAIN, POLICIES, SMT, WITH_PLACES, Case, Outcome, cases, indices

# The first test of a fixture waits for the boot.
pytestmark = pytest.mark.timeout(TIMEOUT_S + 60)

PROGRAM = Path(__file__).parent / "programs" / "thread_masks.c"
EXAMPLES = {"openmp": "-fopenmp", "pthread": "-pthread"}

# Masks: the whole machine, the package away from the card, one with holes, one core. Overrides: defaults; as
# many threads as the machine has cores, more than the other masks have; a few threads with bound memory.
PLAIN_CASES = cases(
    ("0-7", "0-3", "0-1,3,5-6", "6"), ("", "workers=5;helpers=2", "workers=2;helpers=1;memory=local")
)
PARTS = [Case("0-7", policy, f"part={part}/3") for policy in POLICIES for part in range(3)]
SMT_CASES = cases(("0-7", "0-2,5,7"), ("", "workers=5;helpers=2;memory=local"))
OFFLINE = (2, 5)

# masks in one package, in the other, and across both
FOLLOWED = ("1-2", "5,7", "3-4")
BINDINGS = {"board": 1, "socket": 2, "numa": 4}  # binding -> ranks


@pytest.fixture(scope="session")
def program(tmp_path_factory) -> Path:
    if shutil.which("qemu-system-x86_64") is None:
        pytest.skip("qemu-system-x86_64 is not installed (scripts/setup --lab)")
    return compile_with_affinity(PROGRAM, tmp_path_factory.mktemp("lab") / "thread_masks")


def add_cases(vm: NumaVm, name: str, asked: list[Case]) -> None:
    vm.section(name, "thread_masks", "".join(f"{case}\n" for case in asked))


def add_binder(vm: NumaVm) -> None:
    """Adds a section for each binding, which prints the mask that the binder gave each rank's process."""
    machine = load("synthetic:1:pack:2 [numa] l3:1 core:4 pu:1")
    vm.added.append(native_file(BINDER))
    for binding, n_ranks in BINDINGS.items():
        masks = binding_file(machine, binding, n_ranks).os_pus
        lines = [f"rank {rank} {','.join(map(str, mask))}" for rank, mask in enumerate(masks)]
        settings = vm.folder / f"{binding}.txt"
        settings.write_text("\n".join(["corewise-bind 1", *lines]) + "\n")
        vm.added.append(settings)
        bound = f"corewise-bind {binding}.txt -- grep Cpus_allowed_list /proc/self/status"
        vm.section(f"bind-{binding}", f"for rank in $(seq 0 {n_ranks - 1}); do PMI_RANK=$rank {bound}; done")


def add_what_follows_a_mask(vm: NumaVm) -> None:
    """Adds a section that prints each rank's places, and the kernel's policy and NUMA nodes of its stack."""
    settings = vm.folder / "follow.txt"
    masks = [f"rank {rank} {mask}" for rank, mask in enumerate(FOLLOWED)]
    settings.write_text("\n".join(["corewise-bind 1", *masks, "places cores", "memory domains"]) + "\n")
    of_stack = "/stack/ { print $2; for (i = 3; i <= NF; ++i) if ($i ~ /^N/) print substr($i, 1, 2) }"
    script = vm.folder / "follow.sh"
    script.write_text(f"echo $OMP_PLACES $(awk '{of_stack}' /proc/self/numa_maps)\n")
    vm.added += [settings, script]
    vm.section("follow", "for r in 0 1 2; do PMI_RANK=$r corewise-bind follow.txt -- sh follow.sh; done")


def add_examples(vm: NumaVm) -> None:
    for name, flag in EXAMPLES.items():
        source = ROOT / "examples" / "affinity" / f"{name}.c"
        vm.added.append(compile_with_affinity(source, vm.folder / name, flag))
        vm.section(f"example-{name}", f"taskset 0xf6 {name}")


def add_pages_that_follow(vm: NumaVm) -> None:
    """Adds a section: 2,000 pages, touched in one package, follow their process to the other, 256 a step."""
    steer = ROOT / "preload" / "steer"
    program = vm.folder / "pages_follow"
    sources = [Path(__file__).parent / "programs" / "pages_follow.c", steer / "act" / "pages.c"]
    words = ["cc", "-std=gnu11", "-O1", f"-I{steer}", *map(str, sources), "-o", str(program)]
    subprocess.run(words, check=True, timeout=100)
    vm.added.append(program)
    vm.section("pages", "pages_follow 0 4 2000 256")


@pytest.fixture(scope="session")
def plain(program, tmp_path_factory) -> dict[str, tuple[int, list[str]]]:
    vm = NumaVm(tmp_path_factory.mktemp("plain"), added=[program])
    add_cases(vm, "plain", PLAIN_CASES)
    add_cases(vm, "parts", PARTS)
    add_binder(vm)
    add_what_follows_a_mask(vm)
    add_examples(vm)
    add_pages_that_follow(vm)
    hidden = " && ".join(f"echo 0 >/sys/devices/system/cpu/cpu{cpu}/online" for cpu in OFFLINE)
    vm.section("hide", hidden)
    add_cases(vm, "offline", [Case("0-7", policy) for policy in POLICIES])
    return vm.boot()


@pytest.fixture(scope="session")
def smt(program, tmp_path_factory) -> list[Outcome]:
    vm = NumaVm(tmp_path_factory.mktemp("smt"), options=["--smt"], added=[program])
    add_cases(vm, "smt", SMT_CASES)
    return outcomes(vm.boot(), "smt")


def outcomes(sections: dict[str, tuple[int, list[str]]], name: str) -> list[Outcome]:
    code, lines = sections[name]
    assert code == 0, lines[-3:]
    return [Outcome(line) for line in lines]


def paired(found: list[Outcome], asked: list[Case], *policies: str) -> list[tuple[Case, Outcome]]:
    """The cases of these policies with their outcomes."""
    assert len(found) == len(asked)
    return [pair for pair in zip(asked, found, strict=True) if pair[0].policy in policies]


def test_every_thread_may_run_where_the_plan_says_by_the_kernels_own_word(plain):
    for name, asked in {"plain": PLAIN_CASES, "parts": PARTS}.items():
        for _, outcome in paired(outcomes(plain, name), asked, *POLICIES):
            outcome.check_as_planned()


def test_places_are_inside_the_mask_disjoint_and_grouped_by_package(plain):
    for case, outcome in paired(outcomes(plain, "plain"), PLAIN_CASES, *WITH_PLACES):
        assert outcome.mask == indices(case.mask)
        outcome.check_places(PLAIN)
        if case.policy != "balanced":
            outcome.check_each_package_entered_once()


def test_the_comm_server_is_near_a_real_card(plain):
    for _, outcome in paired(outcomes(plain, "plain"), PLAIN_CASES, *WITH_PLACES):
        outcome.check_near_the_card()


def test_balanced_gives_each_l3_a_helper(plain):
    # 5 workers, 2 helpers and the comm_server use all 8 cores, so each package has workers and one helper.
    case = Case("0-7", "balanced", "workers=5;helpers=2")
    outcome = outcomes(plain, "plain")[PLAIN_CASES.index(case)]
    assert {min(seen) // 4 for seen in outcome.seen_of("worker")} == {0, 1}
    assert {min(seen) // 4 for seen in outcome.seen_of("helper")} == {0, 1}


def test_policies_without_places_share_the_mask_or_ignore_it(plain):
    found = outcomes(plain, "plain")
    for case, outcome in paired(found, PLAIN_CASES, "default", "singlified"):
        assert outcome.seen == [indices(case.mask)] * len(outcome.seen)  # one hardware thread per core
    for _, outcome in paired(found, PLAIN_CASES, "pin"):
        assert outcome.seen == [{thread % 8} for thread in range(len(outcome.seen))]


def test_bound_memory_lies_where_the_plan_says(plain, smt):
    for case, outcome in paired(outcomes(plain, "plain"), PLAIN_CASES, *POLICIES):
        if "memory" in case.more:
            outcome.check_memory()
    for case, outcome in paired(smt, SMT_CASES, *POLICIES):
        if "memory" in case.more:
            outcome.check_memory()


def test_memory_that_is_inherited_lies_where_it_was_touched(plain):
    # The program touches memory from the other package, so this test shows what memory=local prevents.
    outcome = outcomes(plain, "plain")[PLAIN_CASES.index(Case("0-3", "topology"))]
    assert [set(thread["pages"]) for thread in outcome.threads] == [{1}] * len(outcome.threads)


def test_places_and_memory_follow_the_mask_by_the_kernels_own_word(plain):
    code, lines = plain["follow"]
    assert code == 0, lines
    assert lines[:2] == ["{1},{2} bind:0 N0", "{5},{7} bind:1 N1"]
    assert lines[2].startswith("{3},{4} bind:0-1 N")


def test_ranks_divide_the_machine_into_parts_that_fill_it(plain):
    found = outcomes(plain, "parts")
    for first in range(0, len(PARTS), 3):
        masks = [outcome.mask for outcome in found[first : first + 3]]
        assert sorted(sum(map(sorted, masks), [])) == list(range(8))


def test_hidden_cpus_are_left_out(plain):
    asked = [Case("0-7", policy) for policy in POLICIES]
    online = set(range(8)) - set(OFFLINE)
    for case, outcome in paired(outcomes(plain, "offline"), asked, *POLICIES):
        assert outcome.mask == online
        if case.policy == "pin":  # refused by the system: pin uses CPU numbers that don't exist
            assert not outcome.verified
            continue
        outcome.check_as_planned()
        assert set().union(*outcome.seen) <= online


def test_a_thread_has_a_core_with_both_its_hardware_threads_while_cores_suffice(smt):
    for _, outcome in paired(smt, SMT_CASES, *POLICIES):
        outcome.check_as_planned()
    for case, outcome in paired(smt, SMT_CASES, *WITH_PLACES):
        outcome.check_places(SMT)
        outcome.check_near_the_card()
        if case.policy != "balanced":
            outcome.check_each_package_entered_once()


def test_singlified_takes_one_hardware_thread_of_each_core_of_the_mask(smt):
    for case, outcome in paired(smt, SMT_CASES, "singlified"):
        expected = {min(core) for core in SMT.cores_in(indices(case.mask))}
        assert outcome.seen == [expected] * len(outcome.seen)


@pytest.mark.parametrize("binding", BINDINGS)
def test_the_binder_gives_each_rank_its_board_socket_or_domain(plain, binding):
    code, lines = plain[f"bind-{binding}"]
    assert code == 0, lines
    seen = [line.split()[1] for line in lines]
    assert seen == {"board": ["0-7"], "socket": ["0-3", "4-7"], "numa": ["0-1", "2-3", "4-5", "6-7"]}[binding]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_binds_its_threads_on_a_mask_with_holes(plain, name):
    code, lines = plain[f"example-{name}"]
    assert code == 0, lines
    said = {"openmp": "6 threads, 0 not bound as planned", "pthread": "every thread is bound as planned"}
    assert said[name] in lines[-1]


def test_pages_follow_their_process_to_another_numa_node_some_at_a_time(plain):
    code, lines = plain["pages"]
    assert code == 0, lines
    before, after, n_before, n_after, n_steps, most, n_refused = map(int, lines[0].split())
    assert (before, after, n_before, n_after) == (0, 1, 0, 2000), f"{n_refused} pages refused"
    assert most == 256 and n_steps >= 2000 / 256
