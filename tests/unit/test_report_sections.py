"""Sections of the page, worked out by hand: activity, moved ranks, compared results, computed times."""

import json
import re

import pytest
from corewise.errors import InputError
from corewise.model import read_events
from corewise.nouns.input_summary import CallTotals, InputSummary, RankTimes
from corewise.nouns.page_data import PageGain, PageTimeline
from corewise.nouns.run import Run
from corewise.page import moved, program, several
from corewise.page.data import page_data
from corewise.page.program_tables import program_tables
from corewise.page.timeline import page_timeline
from msgspec import structs
from profile_cases import send_and_wait
from report_cases import REPEATS, tune_result

SUMMARY = InputSummary(
    name="app",
    kind="profile",
    layer="p2p",
    n_ranks=2,
    bytes=0,
    messages=0,
    self_bytes=0,
    ratio=None,
    phases=[],
    complete=True,
    top_pairs=[],
    calls=[
        CallTotals(call="MPI_Send", layer="p2p", count=1, bytes=8, time_s=3.0),
        CallTotals(call="MPI_Allreduce", layer="coll", count=1, bytes=8, time_s=1.0),
    ],
    ranks=[RankTimes(0, "n0", 10.0, 2.0), RankTimes(1, "n0", 10.0, 4.0)],
    faults=[],
)


def test_shares_and_imbalance_are_those_of_the_ranks():
    # Outside MPI: 8 and 6 s, 7 s on average; 8 / 7 - 1 = 14.3 %. Inside MPI: 3 of 10 s. Collectives: 1 of 4
    # s.
    found = program.context(structs.replace(tune_result(), summary=SUMMARY))
    assert found is not None
    assert [sentence.partition(" (")[0] for sentence in found.sentences] == [
        "A rank is inside MPI for 3.00 s of 10.0 s, 30.0 %",
        "Imbalance: rank 0 is longest outside MPI, 8.00 s, 14.3 % more than the mean",
        "Collectives take 25.0 % of the time of all MPI calls.",
    ]
    calls, ranks = program_tables(SUMMARY)
    assert [column.values[0] for column in calls.columns] == ["MPI_Send", "p2p", 1, 8, 3.0, 3.0, 0.75]
    assert [column.values[0] for column in ranks.columns][:6] == [1, "n0", 10.0, 4.0, 0.4, 6.0]
    assert ranks.columns[6].values[1] == pytest.approx(8 / 7 - 1)


def test_without_a_profile_nothing_is_said_of_calls():
    assert program.context(tune_result()) is None


def test_what_moves_is_counted_by_rank_and_by_how_near_pairs_are():
    # A ring. Default: ranks 0-7 on cores 0 2 4 6 1 3 5 7; best: on cores 0-7. Two cores share an l2, four a
    # package. Default: 4 pairs share a package, 4 only the node. Best: 4 pairs share an l2, 2 a package, 2
    # the node.
    found = moved.context(tune_result())
    assert found is not None
    assert found.sentence == ("6 of 8 ranks move: 0 to another node, 6 to another core of the same node.")
    assert found.levels.rows == [
        ["in one l2", "0 B", "0 %", "4.00 MiB", "50.0 %"],
        ["in one package", "4.00 MiB", "50.0 %", "2.00 MiB", "25.0 %"],
        ["in one node", "4.00 MiB", "50.0 %", "2.00 MiB", "25.0 %"],
    ]


def test_a_default_that_is_best_moves_nothing():
    result = tune_result()
    default = result.candidate("default").placement
    same = [structs.replace(one, placement=default) for one in result.candidates]
    assert moved.context(structs.replace(result, candidates=same)) is None


def test_a_timeline_has_each_call_and_message_and_which_calls_wait(tmp_path):
    found = page_timeline(read_events(str(send_and_wait(tmp_path / "events.profile"))), None)
    assert found is not None
    calls = [found.calls[call] for call in found.call]
    shown = list(zip(found.rank, calls, found.begins_s, found.ends_s, found.waits, strict=True))
    assert shown == [
        (0, "MPI_Send", 1.0, 1.5, False),
        (1, "MPI_Irecv", 0.25, 0.25, False),
        (1, "MPI_Wait", 0.5, 2.0, True),
    ]
    messages = list(
        zip(found.src, found.dst, found.sent_s, found.received_s, found.message_bytes, strict=True)
    )
    assert messages == [(0, 1, 1.0, 2.0, 8)]
    assert (found.begin_s, found.end_s, found.left_out) == (0.0, 2.0, 0)


def test_a_timeline_is_read_back_from_its_file_and_a_damaged_one_is_refused(tmp_path):
    found = page_timeline(read_events(str(send_and_wait(tmp_path / "events.profile"))), None)
    found.write(tmp_path / "t.json")
    assert PageTimeline.read(tmp_path / "t.json") == found
    for damage, sentence in (
        ({"ends_s": [1.0]}, "ends_s is 1; expected 3 values"),
        ({"call": [0, 0, 99]}, f"call is 99; expected numbers below {len(found.calls)}"),
    ):
        (tmp_path / "t.json").write_text(json.dumps(found.to_json() | damage))
        with pytest.raises(InputError, match=re.escape(sentence)):
            PageTimeline.read(tmp_path / "t.json")


def test_the_answer_on_several_results_counts_measured_gains_first():
    # Measured: 10.9 % (8.8 % to 14.6 %). The other result has only a prediction: 11 % (4 % to 18 %).
    tuned, predicted = tune_result(times_s=REPEATS), tune_result(command=("mpirun", "-n", "8", "./b"))
    found = several.context([tuned, predicted])
    assert found.answer == (
        "The best placement is, or is predicted to be, faster than the default in 2 of 2 results, by 11.0 % "
        "(4.0 % to 18.0 %) at most: mpirun -n 8 ./b, predicted."
    )
    for results, verb in ([tuned, tuned], "is"), ([predicted, predicted], "is predicted to be"):
        assert several.context(results).answer.startswith(f"The best placement {verb} faster than")
    slower = tune_result(times_s=REPEATS | {"best": REPEATS["worst"]})
    assert several.context([slower, slower]).answer.startswith("In none of the 2 results the interval")
    assert several.names_of([predicted, predicted]) == ["mpirun -n 8 ./b (1)", "mpirun -n 8 ./b (2)"]


def test_computed_times_are_named_by_their_source_and_no_measured_gain_is_claimed():
    result = tune_result()
    candidates = [
        structs.replace(one, runs=[Run(one.label, [], "simulated", [], time_s, None, None, 0)])
        for one, time_s in zip(result.candidates, (2.0, 1.5, 3.0), strict=True)
    ]
    result = structs.replace(result, candidates=candidates)
    gains = {one.name: one.gain for one in page_data(result).placements}
    assert gains["best"] == PageGain(source="simulated", expected=0.25)  # 1 - 1.5 / 2
    assert gains["worst"] == PageGain(source="simulated", expected=-0.5)
    said = result.headline
    assert said.conclusion == "not measured"
    assert said.reasons[1] == (
        "Simulated: 1.50 s under the best placement instead of 2.00 s, gain = 1 - t_best / t_default: 25.0 %."
    )
