"""The micro-benchmarks on every MPI: they send the messages of their Python patterns, and time them."""

from __future__ import annotations

import json
import shutil
from functools import partial

import pytest
import scogland_patterns
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError, MissingError
from corewise.profile import patterns
from corewise.profile.inputs import read_input
from corewise_laboratory.microbench import FAMILIES, MICROBENCHES, bench_command

SIZE = 1000


def corewise(*arguments: str) -> str:
    """The output of the command; errors are raised."""
    result = CliRunner().invoke(cli, arguments, standalone_mode=False)
    if result.exception:
        raise result.exception
    return result.stdout


def bench(*arguments: str) -> dict:
    """The JSON document of `corewise bench`."""
    return json.loads(corewise("bench", "--json", *arguments))


@pytest.fixture(params=FAMILIES)
def family(request) -> str:
    try:
        bench_command("ring", request.param, None, [])
    except MissingError as missing:
        pytest.skip(str(missing))
    return request.param


@pytest.mark.parametrize("name", sorted(MICROBENCHES))
def test_every_one_runs_on_four_ranks_and_prints_a_row_a_size(family, name):
    document = bench(
        name, "--mpi", family, "-n", "4", "--sizes", "64,1000", "--repeats", "2", "--warmup", "1"
    )
    seen = [(row["benchmark"], row["size_bytes"], row["ranks"]) for row in document["rows"]]
    assert seen == [(name, 64, 4), (name, 1000, 4)]
    assert [len(row["samples_s"]) for row in document["rows"]] == [2, 2]


@pytest.mark.parametrize("name", sorted(MICROBENCHES))
def test_every_one_tells_its_own_options(family, name):
    text = corewise("bench", name, "--mpi", family, "-n", "1", "--", "--help")
    assert text.startswith(f"{name}: ") and "--sizes LIST" in text


CASES = [
    ("ring -n 3", partial(patterns.ring, 3, SIZE)),
    ("recursive-doubling -n 4", partial(patterns.recursive_doubling, 4, SIZE)),
    ("binomial -n 5", partial(patterns.binomial, 5, SIZE)),
    ("binomial -n 6 --order mpich", partial(patterns.binomial, 6, SIZE, "mpich")),
    (
        "random -n 8 --ranks-per-node 3 --intra-node 2 --ratio 0.9 --seed 7",  # the last node has two ranks
        partial(patterns.random, 8, 3, 2, 0.9, SIZE, 7),
    ),
    ("idleness -n 4 --messages 3 --load-ms 0.1", partial(scogland_patterns.idleness, 4, SIZE, 5, 3)),
    ("out-of-sync -n 2 --load-ms 0.1", partial(scogland_patterns.out_of_sync, 2, SIZE)),
    (
        "cache-locality -n 6 --talkers 1 --talkers-at last --load 0",
        partial(scogland_patterns.cache_locality, 6, SIZE, 1, 5, "last"),
    ),
]


@pytest.mark.parametrize(("arguments", "twin"), CASES, ids=[arguments for arguments, _ in CASES])
def test_what_is_sent_is_what_the_twin_says(family, arguments, twin):
    rows = bench(*arguments.split(), "--mpi", family, "--sizes", str(SIZE), "--pattern")["pattern"]
    sent = [(row["src"], row["dst"], row["bytes"], row["messages"]) for row in rows]
    assert sent == list(zip(*(column.tolist() for column in twin().columns()), strict=True))


@pytest.mark.parametrize(("arguments", "twin"), CASES, ids=[arguments for arguments, _ in CASES])
def test_what_the_tracer_sees_is_what_the_twin_says(family, arguments, twin, tmp_path):
    name, _, n_ranks, *options = arguments.split()
    once = ["--sizes", str(SIZE), "--warmup", "1", "--repeats", "1"]  # two runs: one to check, one to time
    argv = bench_command(name, family, int(n_ranks), [*options, *once])
    corewise("trace", "-o", str(tmp_path / "profile"), "--", *argv)
    seen = [column.tolist() for column in read_input(str(tmp_path / "profile")).traffic.folded().columns()]
    src, dst, sent_bytes, messages = (column.tolist() for column in twin().columns())
    assert seen == [src, dst, [2 * n for n in sent_bytes], [2 * n for n in messages]]


def test_times_come_with_their_samples(family):
    document = bench("pingpong", "--mpi", family, "--sizes", "0,5000", "--repeats", "3", "--rounds", "5")
    assert document["source"] == "measured"
    assert [row["size_bytes"] for row in document["rows"]] == [0, 5000]
    for row in document["rows"]:
        samples = sorted(row["samples_s"])
        assert (row["ranks"], row["repeats"], row["warmup"]) == (2, 3, 2)
        assert samples == [row["min_s"], row["median_s"], row["max_s"]]
        assert samples[0] > 0


def test_runs_may_go_on_for_some_time_instead_of_a_number_of_them(family):
    document = bench(
        "ring", "--mpi", family, "-n", "2", "--sizes", "8", "--seconds", "0.05", "--repeats", "1"
    )
    (row,) = document["rows"]
    assert row["repeats"] == len(row["samples_s"])
    # On a busy machine a single run may use all of the time.
    assert row["repeats"] > 1 or row["samples_s"][0] >= 0.05


def test_the_order_of_computation_turns_round_after_the_steps_asked_for(family):
    """One of two ranks computes for 60 ms, the other for 1 ms. A step always takes the longer time."""
    options = ["--unlike", "ranks", "--ratio", "60", "--load-ms", "60", "--steps", "1", "--change", "1"]
    options += ["--warmup", "1", "--repeats", "2"]
    (row,) = bench("idleness", "--mpi", family, "-n", "2", *options)["rows"]
    assert min(row["samples_s"]) > 0.02


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("idleness -n 3", "idleness: 3 ranks; expected an even number: ranks i and i . p/2 are a pair"),
        ("idleness -n 2", "idleness: one pair of ranks; expected two pairs or more, or --unlike ranks"),
        ("idleness -n 4 --ratio 0.5", "idleness: --ratio 0.5; expected 1 or more"),
        ("cache-locality -n 6 --talkers 2", "cache-locality: 2 of the 3 ranks of a node talk"),
    ],
)
def test_what_the_paper_s_benchmarks_cannot_do_is_refused(family, arguments, sentence):
    with pytest.raises(InputError, match=f"^{sentence}"):
        bench(*arguments.split(), "--mpi", family)


def test_a_refusal_is_the_programs_own_sentence(family):
    with pytest.raises(InputError, match="^recursive-doubling: 3 ranks; expected a power of two$"):
        bench("recursive-doubling", "--mpi", family, "-n", "3")


def test_an_unknown_option_names_those_there_are(family):
    with pytest.raises(InputError, match="^binomial: no option '--ordr'; expected --sizes.*--order$"):
        bench("binomial", "--mpi", family, "-n", "2", "--ordr", "mpich")


def test_a_wrong_name_gets_the_nearest():
    with pytest.raises(InputError, match="did you mean 'ring'"):
        bench("rin")


def test_without_a_launcher_that_is_said(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(MissingError, match="install openmpi|was not built here"):
        bench("ring", "--mpi", "openmpi")
