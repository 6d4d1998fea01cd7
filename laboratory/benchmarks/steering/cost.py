"""What steering adds to an MPI call, and to an application that steering can't improve, on every MPI here.

    .venv/bin/python laboratory/benchmarks/steering/cost.py calls [--starts 5]
    .venv/bin/python laboratory/benchmarks/steering/cost.py application [--rounds 20] [--ranks 2]
        [--interval-ms 1]

`calls` prints a line for each case of ../tracing/call_cost.py, with the time of a call in ns under `empty` (a
wrapper that only forwards), `count` (as with `trace --mode count`) and `steer`, which observes every call.
Each time is the least of all starts, which take turns. The line ends with the time that `count` and `steer`
add to `empty`. In these cases `steer` only observes: a single rank has no partner for a swap, and two ranks
on one core are not steered.

`application` runs the installed programs of ../tracing/overhead_programs.py (with Open MPI), and for each MPI
a halo exchange of two ranks that compute equally, bound to one core each. Each round runs them with steering,
without it, and without it again. It prints the median of the ratios steered / unsteered with its bootstrap
interval, and the same for unsteered / unsteered, which shows the noise of the machine. If the noise hides the
effect, use `--interval-ms 1`: steering then observes, decides and logs 50 times as often as by default.

Compare only figures of one line. Needs an idle machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TRACING = Path(__file__).parents[1] / "tracing"
sys.path.insert(0, str(TRACING))

from call_cost import CASES, chosen, compiled, line, measure  # noqa: E402
from corewise import machines  # noqa: E402
from corewise.statistics import median_interval  # noqa: E402
from corewise.steering.machine import steer_settings_text  # noqa: E402
from overhead_programs import PROGRAMS, Missing, Prepared  # noqa: E402
from traced_start import NATIVE, Tool, corewise_tool, families, preloaded_tool, start  # noqa: E402

HALO = Path(__file__).with_name("halo.c")
BIND = {"openmpi": ["--bind-to", "core", "--map-by", "core"], "mpich": ["-bind-to", "core"]}


@contextmanager
def steer_tool(family: str, interval_ms: float = 50) -> Iterator[Tool]:
    """The steer observer with the defaults of `corewise steer`. Its logs are deleted."""
    settings = steer_settings_text(machines.here(), {"interval_ns": int(interval_ms * 1e6)})
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory(dir="/dev/shm") as shared:
        (Path(folder) / "settings").write_text(settings)
        library = str(NATIVE / f"libcorewise_pmpi_{family}.so")
        given = {"LD_PRELOAD": library, "COREWISE_OBSERVE": "steer", "COREWISE_STEER": folder}
        yield Tool("steer", given | {"COREWISE_STEER_SHARED": shared, "COREWISE_JOB": f"job-{os.getpid()}"})


def calls(options: argparse.Namespace) -> None:
    """Prints a line for each MPI and case."""
    with tempfile.TemporaryDirectory() as folder:
        for family in families():
            built = compiled(family, folder)
            for case in chosen(options.case):
                with steer_tool(family) as steer:
                    tools = [
                        preloaded_tool("empty", built["empty_wrapper.c"]),
                        corewise_tool(family, "count"),
                    ]
                    least = measure(family, case, built[case.source], [*tools, steer], options.starts)
                print(line(family, case, least, ("count", "steer")), flush=True)


@dataclass(frozen=True)
class Ratios:
    """Ratios of each round: steered / unsteered, and a second unsteered run / the first."""

    steered: list[float]
    again: list[float]


def ratios(run: Callable[[Tool], float], family: str, options: argparse.Namespace) -> Ratios:
    """The ratios of all rounds. The three runs take turns to be first, so that drifts favour none."""
    found = Ratios([], [])
    for number in range(options.rounds):
        times: dict[str, float] = {}
        with steer_tool(family, options.interval_ms) as steer:
            tools = [Tool("once"), steer, Tool("again")]
            for tool in tools[number % 3 :] + tools[: number % 3]:
                times[tool.name] = run(tool)
        found.steered.append(times["steer"] / times["once"])
        found.again.append(times["again"] / times["once"])
    return found


def report(name: str, found: Ratios) -> None:
    def text(values: list[float]) -> str:
        interval = median_interval(values)
        return f"{interval.expected:.4f} ({interval.low:.4f}-{interval.high:.4f})"

    print(
        f"{name}, {len(found.steered)} rounds: steered over unsteered, median {text(found.steered)}; "
        f"unsteered again {text(found.again)} (load {os.getloadavg()[0]:.1f})",
        flush=True,
    )


def application(options: argparse.Namespace) -> None:
    """Prints a line for each application."""
    with tempfile.TemporaryDirectory() as folder:
        for family in families():
            program = f"{folder}/{family}-halo"
            subprocess.run([f"mpicc.{family}", "-O2", str(HALO), "-o", program], check=True)

            def halo_s(tool: Tool, family: str = family, program: str = program) -> float:
                return float(
                    start(family, options.ranks, [program, str(options.steps)], tool, options=BIND[family])
                )

            report(f"halo, {family}", ratios(halo_s, family, options))
        for name in options.program:
            try:
                prepared = PROGRAMS[name](Path(folder))
            except Missing as missing:
                print(f"{name}: {missing}", flush=True)
                continue

            def program_s(tool: Tool, prepared: Prepared = prepared) -> float:
                words = prepared.command
                return prepared.seconds(start("openmpi", options.ranks, words, tool, options=BIND["openmpi"]))

            report(f"{name}, openmpi", ratios(program_s, "openmpi", options))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("calls", "application"))
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20_000, help="of the halo")
    parser.add_argument("--interval-ms", type=float, default=50)
    parser.add_argument("--case", choices=[case.name for case in CASES], help="this call alone")
    parser.add_argument("--program", nargs="*", choices=list(PROGRAMS), default=list(PROGRAMS))
    options = parser.parse_args()
    (calls if options.what == "calls" else application)(options)


if __name__ == "__main__":
    main()
