"""Long work of the core from Python: others run meanwhile, Ctrl-C is heard, and the caller is told of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import corewise
import numpy as np
import pytest
from corewise.interrupts import interruptible
from corewise.model import MappingProblem, SolverOptions, solve


def test_a_search_lets_other_threads_run():
    drawn = np.random.default_rng(0).integers(0, 1000, (64, 64))
    traffic, machine = corewise.read(drawn).traffic, corewise.machine("draco:8")
    ticks: list[float] = []
    searching = threading.Event()
    searching.set()

    def tick() -> None:
        while searching.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.monotonic()
    solve(MappingProblem(traffic, machine), "auto", SolverOptions(effort="default"))
    end = time.monotonic()
    searching.clear()
    ticker.join()
    seen = [begin, *(one for one in ticks if begin < one < end), end]
    assert max(np.diff(seen)) < (end - begin) / 2


INTERRUPTED = """
import sys, time
import corewise, numpy as np
drawn = np.random.default_rng(0).integers(0, 1000, (1024, 1024))
begin = time.monotonic()
try:
    corewise.VERB(drawn, "draco:128", effort="strong", progress=lambda *seen: print(*seen, flush=True))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("verb", ["map", "advise"])
def test_ctrl_c_ends_a_search_at_once(verb):
    job = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED.replace("VERB", verb)], stdout=subprocess.PIPE, text=True
    )
    assert job.stdout.readline().endswith("1024 ranks 0 1\n")
    time.sleep(0.5)  # the search takes far longer: by now it is inside the core
    job.send_signal(signal.SIGINT)
    out, _ = job.communicate(timeout=60)
    assert (job.returncode, out) == (0, "interrupted\n")


def test_after_ctrl_c_the_work_ends_with_the_call_that_it_is_in():
    ended = threading.Event()

    def work() -> None:
        try:
            while True:
                time.sleep(0.01)  # a short call of the core
        finally:
            ended.set()

    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(work)
    assert ended.is_set()


def test_progress_is_told_before_and_after():
    seen: list[tuple[str, int, int]] = []
    square, tell = [[0, 1], [1, 0]], lambda *step: seen.append(step)
    corewise.map(square, "draco:1", progress=tell)
    corewise.simulate(square, "draco:1", engine="estimate", progress=tell)
    assert seen == [("mapping 2 ranks", 0, 1), ("mapping 2 ranks", 1, 1), ("estimate", 0, 1)]


def test_what_the_work_raises_is_raised_and_other_threads_do_it_themselves():
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)
    who: list[threading.Thread] = []
    worker = threading.Thread(target=lambda: who.append(interruptible(threading.current_thread)))
    worker.start()
    worker.join()
    assert who == [worker] and interruptible(threading.current_thread) is not threading.current_thread()
