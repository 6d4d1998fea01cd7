"""`corewise steer explain`: decisions told from a log, and one sentence for every log that is damaged."""

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from corewise.cli.steer import command
from corewise.errors import InputError
from corewise.execute.steer_advice import flow_steering_advice
from corewise.execute.steer_replay import intervals, replay
from corewise.files.steer_seen import SeenInterval, SeenRank
from corewise.plots.png import SIGNATURE
from corewise.plots.steered_run import mark_of, stays, wait_shares
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LOG = Path(__file__).parents[2] / "fixtures" / "steer" / "idleness.steer-log"


def explain(*words) -> tuple[int, str]:
    done = CliRunner().invoke(command, ["explain", *map(str, words)], standalone_mode=False)
    if done.exception:
        raise done.exception
    return done.return_value, done.stdout


def test_a_swap_is_told_with_its_evidence_and_its_outcome():
    code, text = explain(LOG)
    assert code == 0
    assert "swaps 1, taken back 0" in text
    assert "0.400 s  swap, rank 1 and 0   idleness, confidence 0.80" in text
    assert re.search(r"because  rank 1 waits 471\.4 % of its compute time on core 1", text)
    assert "outcome  kept: an iteration took 5.714 ms before the swap and 4.000 ms after it" in text
    assert text.endswith("all 24 recorded decisions came out again\n")


def test_json_has_the_contract_s_fields():
    code, text = explain(LOG, "--json")
    story = json.loads(text)
    assert (code, story["swaps"], story["rollbacks"], story["differs"]) == (0, 1, 0, None)
    (decision,) = story["decisions"]
    contract = {"time_s", "metric", "confidence", "action", "because", "outcome"}
    assert contract <= decision.keys()
    assert (decision["metric"], decision["action"], decision["ranks"]) == ("idleness", "swap", [1, 0])
    assert (decision["time_s"], decision["confidence"]) == (0.4, 0.8)


def test_a_decision_that_does_not_come_out_again_is_exit_code_1(tmp_path):
    log = tmp_path / "log"
    log.write_text(LOG.read_text().replace("confidence=800 gain", "confidence=801 gain", 1))
    code, text = explain(log)
    assert code == 1
    assert "came out differently: recorded 'decision swap idleness" in text


def test_explain_has_a_help_of_its_own():
    code, text = explain("--help")
    assert (code, text.splitlines()[0]) == (0, "Usage: corewise steer explain [OPTIONS] LOG")


@pytest.mark.parametrize("words", [[], [LOG, LOG], [LOG, "--dry"]])
def test_explain_takes_one_log(words):
    with pytest.raises(click.UsageError):
        explain(*words)


def test_observations_alone_are_a_dry_run(tmp_path):
    log = tmp_path / "log"
    log.write_text(re.sub(r"^decision .*$", "decide", LOG.read_text(), flags=re.M))
    code, text = explain(log)
    assert code == 0
    assert "these are the ones that steering would take" in text
    assert "kept: an iteration took" in text


def test_a_killed_job_s_log_ends_with_its_last_whole_interval(tmp_path):
    log = tmp_path / "log"
    log.write_text(LOG.read_text()[:-30])
    assert replay(log)["intervals"] == replay(LOG)["intervals"] - 1


def test_what_is_no_log_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match=r"missing: could not be read \(No such file or directory\)"):
        replay(tmp_path / "missing")
    with pytest.raises(InputError, match="expected 'corewise-steer-log 1'|expected a log"):
        replay(tmp_path)
    wrong = tmp_path / "wrong"
    wrong.write_text("corewise-steer-log 1\ncore id=0 pus=0 colour=3\n")
    with pytest.raises(InputError, match="wrong line 2: found 'colour=3'; expected NAME=NUMBER"):
        replay(wrong)


def test_the_run_is_drawn_by_the_file_s_ending_and_nothing_is_overwritten(tmp_path):
    for ending, begin in ((".png", SIGNATURE), (".svg", b"<?xml"), (".html", b"<!DOCTYPE html>")):
        picture = tmp_path / f"run{ending}"
        code, text = explain(LOG, "-o", picture)
        assert code == 0 and text.startswith(f"{LOG}: node 0")
        assert picture.read_bytes().startswith(begin)
    with pytest.raises(InputError, match="run.svg: is there already and stays as it is"):
        explain(LOG, "-o", tmp_path / "run.svg")
    with pytest.raises(InputError, match=r"ends in '.gif'; expected one of .html, .png, .svg"):
        explain(LOG, "-o", tmp_path / "run.gif")


def test_a_log_without_intervals_has_no_picture(tmp_path):
    log = tmp_path / "log"
    log.write_text("".join(LOG.read_text().partition("tick ")[:1]))
    with pytest.raises(InputError, match="nothing to draw"):
        explain(log, "-o", tmp_path / "run.png")


def test_what_is_drawn_is_what_the_log_saw():
    """24 intervals of 50 ms; the ranks change cores behind the eighth. Rank 1 waits 37,714,285 of
    45,714,285 ns before, and 30,857,143 of 48,000,000 after."""
    seen = intervals(LOG)
    assert stays(0, seen) == [
        (0, 0, 0.0, pytest.approx(0.4)),
        (1, 1, 0.0, pytest.approx(0.4)),
        (0, 1, pytest.approx(0.4), 1.2),
        (1, 0, pytest.approx(0.4), 1.2),
    ]
    ranks, shares = wait_shares(0, seen, 12)  # two intervals a column
    assert ranks == [0, 1] and shares.shape == (2, 12)
    assert shares[:, 0] == pytest.approx([0, 37714285 / 45714285])
    assert shares[:, -1] == pytest.approx([0, 30857143 / 48000000])


def test_a_swap_is_marked_by_what_became_of_it():
    outcomes = {
        "kept: an iteration took 2 ms before the swap and 1 ms after it": "swapped and kept",
        "kept, then taken back": "swapped, taken back later",
        "taken back": "swapped, taken back later",
        "not done": "not done",
        "on probation when the log ended": "swapped, no verdict",
        "no answer when the log ended": "swapped, no verdict",
    }
    for outcome, mark in outcomes.items():
        assert mark_of({"action": "swap", "outcome": outcome}) == mark
    assert mark_of({"action": "undo", "outcome": "done"}) == "taken back"
    assert mark_of({"action": "assist", "outcome": "advised"}) == "advice"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 6000), st.binary(max_size=12)), min_size=1, max_size=4))
def test_any_damage_is_read_or_one_sentence(tmp_path, changes):
    content = bytearray(LOG.read_bytes()[:6000])
    for place, written in changes:
        content[place : place + len(written)] = written
    log = tmp_path / "log"
    log.write_bytes(bytes(content))
    try:
        assert replay(log)["intervals"] <= 24
    except InputError as error:
        assert re.search(r"line \d+: found .*expected|line \d+: found more than", str(error), re.S)
        assert "\n" not in str(error)


def made_run(wait: float, packets: dict[int, int]) -> list[SeenInterval]:
    """Nine intervals of 50 ms: rank 0 on core 0 waits this share of its time, rank 1 on core 1 half of it."""
    ranks = [
        SeenRank(rank, 0, rank, 0.05 * (1 - share), 0.05 * share, 0, 0)
        for rank, share in ((0, wait), (1, 0.5))
    ]
    return [SeenInterval(0.05 * n, 0.05, ranks, packets) for n in range(1, 10)]


def test_packets_on_a_core_whose_rank_hardly_waits_are_a_case_for_receive_flow_steering():
    # 20,000 packets of 700 ns are 14 ms of 50.
    sentence = flow_steering_advice(0, made_run(0.05, {0: 20000, 1: 100}))
    assert sentence.startswith(
        "core 0 works on 100% of the node's packets, about 28% of its time, and rank 0"
    )
    assert flow_steering_advice(0, made_run(0.3, {0: 20000, 1: 100})) is None  # it waits: well placed
    assert flow_steering_advice(0, made_run(0.05, {0: 20000, 1: 20000})) is None  # spread over both
    assert flow_steering_advice(0, made_run(0.05, {0: 2000, 1: 0})) is None  # 3 % of a core
    assert flow_steering_advice(0, []) is None
