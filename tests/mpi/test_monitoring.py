"""Open MPI's own monitoring files, freshly written by a real job, read as one matrix."""

from __future__ import annotations

import subprocess

import pytest
from corewise.errors import MissingError
from corewise.execute.microbench import bench_command
from corewise.profile import patterns
from corewise.profile.inputs import read_input

RANKS, SIZE, RUNS = 4, 3000, 5  # 2 warm-ups and 3 repeats


@pytest.fixture(scope="module")
def prefix(tmp_path_factory) -> str:
    """The prefix of the .prof files of a binomial broadcast on four ranks."""
    target = tmp_path_factory.mktemp("monitoring") / "job"
    options = ["--sizes", str(SIZE), "--repeats", "3"]
    try:
        launcher, *rest = bench_command("binomial", "openmpi", RANKS, options)
    except MissingError as missing:
        pytest.skip(str(missing))
    monitoring = {"enable": "2", "enable_output": "3", "filename": str(target)}
    settings = [
        word for name, value in monitoring.items() for word in ("--mca", f"pml_monitoring_{name}", value)
    ]
    subprocess.run([launcher, *settings, *rest], check=True, timeout=60, capture_output=True)
    return str(target)


def test_the_point_to_point_matrix_is_the_benchmarks_own(prefix):
    found = read_input(prefix)
    one_run = patterns.binomial(RANKS, SIZE)
    src, dst, sent_bytes, messages = (column.tolist() for column in found.traffic.folded().columns())
    wanted = [column.tolist() for column in one_run.columns()]
    assert [src, dst] == wanted[:2]
    assert sent_bytes == [RUNS * n for n in wanted[2]]
    assert messages == [RUNS * n for n in wanted[3]]


def test_collectives_are_a_layer_of_their_own(prefix):
    # Between the runs are barriers and a reduction of the times: traffic that the program didn't send itself.
    collectives = read_input(prefix, "coll").traffic.folded()
    assert collectives.n_ranks == RANKS
    assert collectives.messages > 0
    assert read_input(prefix, "rma").traffic.folded().messages == 0
