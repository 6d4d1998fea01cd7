"""What tracing adds to an MPI call, compared with its lower limits and with other tools, on every MPI here.

    python laboratory/benchmarks/tracing/call_cost.py [--starts 5] [--tool mpiP=/path/libmpiP.so]

Each line is one case. `empty` is a wrapper that only forwards. `count` and `time` are the modes of `trace`.
`monitoring` is Open MPI's own (it counts sends, without their time). --tool adds another preloaded library.
Each time is in ns, the least of all starts. The line ends with the time that `count` and `time` add to
`empty`. To time a call takes a pair of rdtsc. The first two cases measure the wrapper alone, with a PMPI_Send
that does nothing; the others measure real calls. Compare only figures of one line. Needs an idle machine.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from traced_start import Tool, corewise_tool, families, monitoring_tool, preloaded_tool, start

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A program of this folder, started on `n_ranks` ranks with one argument."""

    name: str
    source: str
    n_ranks: int
    word: str
    needs_tool: bool = False


CASES = [
    Case("wrapper alone, world", "wrapper_cost.c", 1, "world", needs_tool=True),
    Case("wrapper alone, duplicate", "wrapper_cost.c", 1, "duplicate", needs_tool=True),
    Case("to itself, a call", "call_cost.c", 1, "world"),
    Case("to itself, duplicate", "call_cost.c", 1, "duplicate"),
    Case("two ranks, a message", "call_cost.c", 2, "world"),
]


def chosen(name: str | None) -> list[Case]:
    """The case of that name, or all."""
    return [case for case in CASES if name in (None, case.name)]


def compiled(family: str, folder: str) -> dict[str, str]:
    """The programs and the empty wrapper, by the names of their sources."""
    built = {}
    for source, flags in (
        ("call_cost.c", []),
        ("wrapper_cost.c", ["-rdynamic"]),
        ("empty_wrapper.c", ["-shared", "-fPIC"]),
    ):
        built[source] = f"{folder}/{family}-{source}.out"
        command = [f"mpicc.{family}", "-O2", "-w", *flags, str(FOLDER / source), "-o", built[source]]
        subprocess.run(command, check=True)
    return built


def measure(family: str, case: Case, program: str, tools: list[Tool], n_starts: int) -> dict[str, float]:
    """The least time of each tool in ns, by name, and of `rdtsc` pairs. The tools take turns."""
    least: dict[str, float] = {}
    for _ in range(n_starts):
        for tool in tools:
            call_ns, pair_ns = start(family, case.n_ranks, [program, case.word], tool).split()
            for name, ns in ((tool.name, float(call_ns)), ("rdtsc pair", float(pair_ns))):
                least[name] = min(least.get(name, ns), ns)
    return least


def line(
    family: str, case: Case, least: dict[str, float], compared: tuple[str, ...] = ("count", "time")
) -> str:
    """The line of one case. For the tools in `compared` also the time that they add to `empty`."""
    text = f"{family:8} {case.name:24}"
    for name, ns in least.items():
        added = f" (+{ns - least['empty']:.1f})" if name in compared else ""
        text += f"  {name} {ns:.1f}{added}"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=LIBRARY")
    parser.add_argument("--case", choices=[case.name for case in CASES], help="this alone")
    options = parser.parse_args()
    others = [preloaded_tool(*word.split("=", 1)) for word in options.tool]
    with tempfile.TemporaryDirectory() as folder:
        for family in families():
            built = compiled(family, folder)
            tools = [preloaded_tool("empty", built["empty_wrapper.c"])]
            tools += [corewise_tool(family, mode) for mode in ("count", "time")] + others
            for case in chosen(options.case):
                real = [] if case.needs_tool else [Tool("no tool"), *monitoring_tool(family)]
                least = measure(family, case, built[case.source], real[:1] + tools + real[1:], options.starts)
                print(line(family, case, least), flush=True)


if __name__ == "__main__":
    main()
