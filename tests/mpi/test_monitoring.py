"""Open MPI's monitoring files of a new job, one per rank and aggregated: both give the same matrix."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from corewise.errors import MissingError
from corewise.profile import patterns
from corewise.profile.inputs import read_input
from corewise_laboratory.microbench import bench_command
from mpis_here import EVERY_MPI

RANKS, SIZE, RUNS = 4, 3000, 5  # 2 warm-ups and 3 repeats


@pytest.fixture(scope="module", params=["openmpi", "openmpi5"])
def prefix(request, tmp_path_factory) -> str:
    """The prefix of the .prof files of a binomial broadcast on four ranks, as programs name them by phase."""
    target = tmp_path_factory.mktemp("monitoring") / "phase_1"
    options = ["--sizes", str(SIZE), "--repeats", "3"]
    if EVERY_MPI[request.param] is None:
        pytest.skip(f"{request.param} is not installed (scripts/setup --test)")
    try:
        _, *rest = bench_command("binomial", "openmpi", RANKS, options)
    except MissingError as missing:
        pytest.skip(str(missing))
    monitoring = {"enable": "2", "enable_output": "3", "filename": str(target)}
    settings = [
        word for name, value in monitoring.items() for word in ("--mca", f"pml_monitoring_{name}", value)
    ]
    launcher = [EVERY_MPI[request.param].mpirun, *settings]
    subprocess.run([*launcher, *rest], check=True, timeout=60, capture_output=True)
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
    # Between the runs are barriers and a reduction of the times, which the program doesn't send as messages.
    collectives = read_input(prefix, "coll").traffic.folded()
    assert collectives.n_ranks == RANKS
    assert collectives.messages > 0
    assert read_input(prefix, "rma").traffic.folded().messages == 0


def aggregated(prefix: str, *, n_phases: int, tmp_path) -> str:
    """aggregate_profile.pl's output for a phase (the ranks' files in sequence), repeated for each phase."""
    files = sorted(Path(prefix).parent.glob(f"{Path(prefix).name}.*.prof"))
    assert len(files) == RANKS
    target = tmp_path / "phase_1.prof"
    target.write_text("".join(file.read_text() for file in files) * n_phases)
    return str(target)


@pytest.mark.parametrize("n_phases", [1, 2])
@pytest.mark.parametrize("layer", ["p2p", "coll"])
def test_an_aggregated_file_is_the_same_matrix_and_phases_add_up(prefix, tmp_path, layer, n_phases):
    by_rank, joined = (
        [column.tolist() for column in read_input(path, layer).traffic.folded().columns()]
        for path in (prefix, aggregated(prefix, n_phases=n_phases, tmp_path=tmp_path))
    )
    assert joined[:2] == by_rank[:2]
    assert joined[2:] == [[n_phases * amount for amount in column] for column in by_rank[2:]]
