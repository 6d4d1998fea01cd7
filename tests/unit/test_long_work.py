"""Long work of the core from Python: other threads run, Ctrl-C ends it, and progress is reported."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import corewise
import numpy as np
import pytest
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
import signal, time
import corewise, numpy as np

def interrupt(*_):
    global at_s
    at_s = time.process_time()
    raise KeyboardInterrupt

signal.signal(signal.SIGINT, interrupt)
drawn = np.random.default_rng(0).integers(0, 1000, (512, 512))
try:
    corewise.VERB(drawn, "draco:64", effort="strong", progress=lambda *seen: print(*seen, flush=True))
except KeyboardInterrupt:
    ended_s = time.process_time()
    time.sleep(0.3)
    print(ended_s - at_s, time.process_time() - ended_s, flush=True)
"""


@pytest.mark.parametrize("verb", ["map", "advise"])
def test_ctrl_c_stops_the_search_itself(verb):
    job = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED.replace("VERB", verb)], stdout=subprocess.PIPE, text=True
    )
    assert job.stdout.readline().endswith("512 ranks 0 1\n")
    time.sleep(0.5)  # the search takes far longer, so it is inside the core now
    job.send_signal(signal.SIGINT)
    out, _ = job.communicate(timeout=60)
    until_it_ended_s, afterwards_s = map(float, out.split())  # CPU time, because this machine may be busy
    assert until_it_ended_s < 1
    assert afterwards_s < 0.1
    assert job.returncode == 0


def test_progress_is_told_before_and_after():
    seen: list[tuple[str, int, int]] = []
    square, tell = [[0, 1], [1, 0]], lambda *step: seen.append(step)
    corewise.map(square, "draco:1", progress=tell)
    corewise.simulate(square, "draco:1", engine="estimate", progress=tell)
    assert seen == [(what, n_done, 1) for what in ("mapping 2 ranks", "estimate") for n_done in (0, 1)]
