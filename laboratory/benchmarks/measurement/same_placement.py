"""Compares a program with itself: how many intervals of `corewise tune` find a gain although there is none.

    python laboratory/benchmarks/measurement/same_placement.py [--tunes 20] [--load changing] \
        -- mpirun -n 2 ./halo

Each experiment runs the command as two series, with the code, order, limits and interval of `corewise tune`.
Both series start in the same way, so the gain is 0. (`tune` itself runs equal masks only once.) Each line is
an experiment: gain, interval, pairs, load. `--load steady` keeps one busy process running; `--load changing`
starts and ends one every 1 to 5 s, at random times. The last line counts the 95 % intervals that exclude 0.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corewise.execute.conditions import LoadWatch
from corewise.execute.repeats import Limits, Series, Starter, run_repeats
from corewise.execute.standard_input import StandardInput
from corewise.nouns.gain import MeasuredGain, tells_enough
from corewise.nouns.tune_result import gain_between, paired_times
from corewise.plugin.execution import parse_application
from corewise.statistics import CONFIDENCE

LABELS = ("one", "same")
BUSY = [sys.executable, "-c", "while True: pass"]


@contextmanager
def busy(load: str) -> Iterator[None]:
    """Keeps a busy process running for the duration of the block, all the time or at random times."""
    end = threading.Event()

    def keep_busy() -> None:
        while not end.is_set():
            process = subprocess.Popen(BUSY)
            end.wait(random.uniform(1, 5) if load == "changing" else None)
            process.kill()
            process.wait()
            end.wait(random.uniform(1, 5) if load == "changing" else None)

    thread = threading.Thread(target=keep_busy) if load != "none" else None
    if thread:
        thread.start()
    try:
        yield
    finally:
        end.set()
        if thread:
            thread.join()


def experiment(argv: list[str], seconds: float) -> tuple[MeasuredGain | None, str]:
    """The gain of the command over itself, and the load during the runs."""
    application, watch = parse_application(argv), LoadWatch()
    limits = Limits(first_wall_s=1.0, time_s=seconds)
    starter = Starter(application, StandardInput(), limits.run_s)
    with tempfile.TemporaryDirectory() as folder:
        runs = run_repeats(
            starter,
            [Series(label) for label in LABELS],
            Path(folder),
            limits,
            lambda so_far: tells_enough(*paired_times(*(so_far[label] for label in LABELS))),
            lambda _: None,
        ).runs
    return gain_between(runs[LABELS[0]], runs[LABELS[1]], looked=True), watch.load().text


def main() -> None:
    """Prints a line for each experiment, then the count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tunes", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--load", choices=("none", "steady", "changing"), default="none")
    parser.add_argument("argv", nargs="+", metavar="-- LAUNCHER ... APP ...")
    options = parser.parse_args()
    n_claiming, n_wrong = 0, 0
    with busy(options.load):
        for number in range(options.tunes):
            gain, load = experiment(options.argv, options.seconds)
            if gain is None:
                print(f"{number + 1}: no pair of runs ended well; {load}", flush=True)
                continue
            n_claiming += gain.confidence >= CONFIDENCE
            n_wrong += gain.confidence >= CONFIDENCE and gain.excludes_zero
            print(
                f"{number + 1}: {gain.expected:+.3f} ({gain.low:+.3f} to {gain.high:+.3f}), "
                f"{gain.n_repeats} pairs, {gain.confidence:.1%}; {load}",
                flush=True,
            )
    print(f"load {options.load}: {n_wrong} of {n_claiming} intervals of 95 % exclude 0")


if __name__ == "__main__":
    main()
