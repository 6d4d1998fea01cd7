"""Cases for programs/thread_masks.c: the request, the program's answer, and rules for it."""

from __future__ import annotations

import json
from dataclasses import dataclass

WITH_PLACES = ("balanced", "hybrid", "new_pin", "topology")
POLICIES = (*WITH_PLACES, "default", "pin", "singlified")


@dataclass(frozen=True)
class Case:
    """A process mask (OS indices) and the options of a plan."""

    mask: str
    policy: str
    more: str = ""

    def __str__(self) -> str:
        return f"{self.mask} policy={self.policy}" + (f";{self.more}" if self.more else "")


def cases(masks: tuple[str, ...], overrides: tuple[str, ...]) -> list[Case]:
    """Every policy with every mask and every text of further options."""
    return [Case(mask, policy, more) for mask in masks for policy in POLICIES for more in overrides]


def indices(text: str) -> set[int]:
    """ "0-2,5" as a set."""
    ends = [part.split("-") for part in text.split(",")]
    return {index for part in ends for index in range(int(part[0]), int(part[-1]) + 1)}


@dataclass(frozen=True)
class Shape:
    """The virtual machine's cores by OS index. Packages 0-3 and 4-7 are NUMA nodes 0 and 1."""

    cores: tuple[frozenset[int], ...]

    def cores_in(self, pus: set[int]) -> list[set[int]]:
        """For each core its hardware threads in `pus`. Cores without any are left out."""
        return [set(core & pus) for core in self.cores if core & pus]


PLAIN = Shape(tuple(frozenset({pu}) for pu in range(8)))
SMT = Shape(tuple(frozenset({pu, pu + 1}) for pu in range(0, 8, 2)))


class Outcome:
    """One answer of the program: the plan, and the kernel's masks of the threads."""

    def __init__(self, line: str):
        document = json.loads(line)
        self.plan = document["plan"]
        self.threads = document["threads"]
        self.verified = document["verify_all"] == 0
        self.mask = indices(self.plan["mask"])
        self.seen = [indices(thread["cpus"]) for thread in self.threads]

    def seen_of(self, role: str) -> list[set[int]]:
        """The masks of the threads with this role, in order."""
        planned = self.plan["threads"]
        return [seen for seen, thread in zip(self.seen, planned, strict=True) if thread["role"] == role]

    def check_as_planned(self) -> None:
        """Checks that every thread has the mask of the plan, according to the kernel and to the library."""
        assert self.seen == [indices(thread["cpuset"]) for thread in self.plan["threads"]]
        assert self.verified
        assert all(thread["apply"] == thread["verify"] == 0 for thread in self.threads)

    def check_places(self, shape: Shape) -> None:
        """Checks that masks are inside the process mask.

        If there are enough cores, they are whole cores and disjoint.
        """
        homes = shape.cores_in(self.mask)
        if len(self.seen) > len(homes):
            homes = [{pu} for pu in self.mask]
        assert all(seen in homes for seen in self.seen)
        if len(self.seen) <= len(homes):
            assert sum(map(len, self.seen)) == len(set().union(*self.seen))

    def check_each_package_entered_once(self) -> None:
        """Checks that comm_server, helpers and workers, in this order, never return to a package.

        A package is one L3 and one NUMA node.
        """
        row = [seen for role in ("comm_server", "helper", "worker") for seen in self.seen_of(role)]
        packages = [min(seen) // 4 for seen in row]
        changes = sum(a != b for a, b in zip(packages, packages[1:], strict=False))
        assert changes == len(set(packages)) - 1
        assert all(max(seen) // 4 == min(seen) // 4 for seen in row)

    def check_near_the_card(self) -> None:
        """Checks that the comm_server is on package 1, where the card is, if the mask has cores there."""
        assert self.plan["device"] == "eth0"
        if self.mask & {4, 5, 6, 7}:
            assert all(seen <= {4, 5, 6, 7} for seen in self.seen_of("comm_server"))

    def check_memory(self) -> None:
        """Checks that local memory is on the thread's NUMA nodes, although a distant CPU touched it first."""
        for seen, thread, planned in zip(self.seen, self.threads, self.plan["threads"], strict=True):
            nodes = {pu // 4 for pu in seen}
            assert indices(planned["memory"]) == nodes
            assert set(thread["pages"]) <= nodes
