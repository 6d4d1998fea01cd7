"""`corewise steer explain`: explains the decisions of a log, and refuses a damaged log in one sentence."""

import json
import re
import subprocess

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.files.table import Table
from corewise.nouns.steered_run import CoreSample, Decision, RankSample, SteeredLog, WaitTime
from corewise.plots.picture_file import SIGNATURE
from corewise.plots.steered_run import mark_of, stays, wait_shares
from corewise.start.programs import native
from corewise.steering.replay import PROGRAM, intervals, replay
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs
from steer_cases import LOG, steered_log


def decision(action: str, outcome: str, time_s: float = 0.4) -> Decision:
    """The first decision of LOG, with another action, outcome and time."""
    return structs.replace(steered_log().decisions[0], action=action, outcome=outcome, time_s=time_s)


def explain(*words) -> tuple[int, str]:
    done = CliRunner().invoke(
        cli, ["steer", "explain", *map(str, words)], prog_name="corewise", standalone_mode=False
    )
    if done.exception:
        raise done.exception
    return done.return_value, done.stdout


def test_a_swap_is_told_with_its_evidence_and_its_outcome():
    code, text = explain(LOG)
    assert code == 0
    assert "swaps 1, undone 0" in text
    assert "0.400 s  swap, rank 1 and 0   idleness, confidence 0.80" in text
    assert re.search(r"because  rank 1 on core 1 waits 4\.71 times as long as it computes", text)
    assert "outcome  kept: an iteration took 5.714 ms before the swap and 4.000 ms after it" in text
    assert text.endswith("all 24 recorded decisions are reproduced\n")


def test_json_has_the_contract_s_fields():
    code, text = explain(LOG, "--json")
    replayed = json.loads(text)
    assert (code, replayed["swaps"], replayed["rollbacks"], replayed["differs"]) == (0, 1, 0, None)
    (decision,) = replayed["decisions"]
    contract = {"time_s", "metric", "confidence", "action", "because", "outcome"}
    assert contract <= decision.keys()
    assert (decision["metric"], decision["action"], decision["ranks"]) == ("idleness", "swap", [1, 0])
    assert (decision["time_s"], decision["confidence"]) == (0.4, 0.8)
    assert SteeredLog.from_table(Table(LOG, "", replayed)) == steered_log()


def test_a_decision_that_does_not_come_out_again_is_exit_code_1(tmp_path):
    log = tmp_path / "log"
    log.write_text(LOG.read_text().replace("confidence=800 gain", "confidence=801 gain", 1))
    code, text = explain(log)
    assert code == 1
    assert "is decided differently now: recorded 'decision swap idleness" in text


def test_explain_has_a_help_of_its_own():
    code, text = explain("--help")
    assert (code, text.splitlines()[0]) == (0, "Usage: corewise steer explain [OPTIONS] LOG")
    assert explain("-h") == (code, text)


def test_options_before_explain_work_and_show_their_new_place():
    done = CliRunner().invoke(
        cli, ["steer", "--json", "explain", str(LOG)], prog_name="corewise", standalone_mode=False
    )
    assert json.loads(done.stdout)["swaps"] == 1
    assert done.stderr == (
        "corewise: note: options follow the name of the command: `corewise steer explain --json ...`\n"
    )


def test_observations_alone_are_a_dry_run(tmp_path):
    log = tmp_path / "log"
    log.write_text(re.sub(r"^decision .*$", "decide", LOG.read_text(), flags=re.M))
    code, text = explain(log)
    assert code == 0
    assert "these are the decisions that steering would take" in text
    assert "kept: an iteration took" in text


def test_a_killed_job_s_log_ends_with_its_last_whole_interval(tmp_path):
    log = tmp_path / "log"
    log.write_text(LOG.read_text()[:-30])
    assert replay(log).intervals == replay(LOG).intervals - 1


def dry(text: str) -> str:
    """The log of a dry run with the same observations up to its first swap."""
    return text[: text.index("\nresult ") + 1].replace("dry_run=0", "dry_run=1")


def test_a_swap_of_a_dry_run_is_not_told_like_a_refused_one(tmp_path):
    log = tmp_path / "log"
    log.write_text(dry(LOG.read_text()))
    code, text = explain(log)
    assert code == 0 and "swaps 0, undone 0" in text and "outcome  not done: dry run\n" in text


def test_the_times_that_shares_are_made_of_are_told(tmp_path):
    """Rank 1 waits 37,714,285 ns of 45,714,285 in each of eight intervals; rank 0 doesn't wait."""
    replayed = replay(LOG)
    assert replayed.time_before == WaitTime(0.30171428, 0.73142856)
    assert replayed.wait_before == pytest.approx(0.30171428 / 0.73142856, abs=1e-4)
    assert replayed.time_after.wait_s > 0
    log = tmp_path / "log"
    log.write_text(dry(LOG.read_text()))
    assert replay(log).time_after is None


def test_the_run_is_drawn_by_the_file_s_ending(tmp_path):
    for ending, begin in ((".png", SIGNATURE), (".svg", b"<?xml")):
        picture = tmp_path / f"run{ending}"
        code, text = explain(LOG, "--picture", picture)
        assert code == 0 and text.startswith(f"{LOG}: node 0")
        assert picture.read_bytes().startswith(begin)
    explain(LOG, "--picture", tmp_path / "run.svg")  # replaced


def test_what_is_drawn_is_what_the_log_saw():
    """24 intervals of 50 ms.

    The ranks change cores after the eighth. Rank 1 waits 37,714,285 of 45,714,285 ns before, and 30,857,143
    of 48,000,000 ns after that.
    """
    seen = intervals(LOG)
    assert [stay[:4] for stay in stays(seen)] == [
        (0, 0, 0.0, pytest.approx(0.4)),
        (1, 1, 0.0, pytest.approx(0.4)),
        (0, 1, pytest.approx(0.4), 1.2),
        (1, 0, pytest.approx(0.4), 1.2),
    ]
    of_rank_1 = stays(seen)[1]
    assert of_rank_1.waited_s / of_rank_1.all_s == pytest.approx(37714285 / 45714285)
    ranks, shares = wait_shares(seen, 12)  # two intervals per column
    assert ranks == [0, 1] and shares.shape == (2, 12)
    assert shares[:, 0] == pytest.approx([0, 37714285 / 45714285])
    assert shares[:, -1] == pytest.approx([0, 30857143 / 48000000])


def test_a_swap_is_marked_by_what_became_of_it():
    outcomes = {
        "kept: an iteration took 2 ms before the swap and 1 ms after it": "swapped and kept",
        "kept, then undone": "swapped, undone later",
        "undone": "swapped, undone later",
        "not done": "not done",
        "not done: dry run": "not done",
        "on probation when the log ended": "swapped, no verdict",
        "no answer when the log ended": "swapped, no verdict",
    }
    for outcome, mark in outcomes.items():
        assert mark_of(decision("swap", outcome)) == mark
    assert mark_of(decision("undo", "done")) == "undone"
    assert mark_of(decision("assist", "advised")) == "advice"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 6000), st.binary(max_size=12)), min_size=1, max_size=4))
def test_any_damage_is_read_or_one_sentence(tmp_path, changes):
    content = bytearray(LOG.read_bytes()[:6000])
    for place, written in changes:
        content[place : place + len(written)] = written
    log = tmp_path / "log"
    log.write_bytes(bytes(content))
    try:
        assert replay(log).intervals <= 24
    except InputError as error:
        assert re.search(r"line \d+: found .*expected|line \d+: found more than", str(error), re.S)
        assert "\n" not in str(error)


def test_the_reader_knows_the_fields_that_steering_samples():
    words = [native(PROGRAM), "--intervals", str(LOG)]
    first = json.loads(subprocess.run(words, capture_output=True, check=True).stdout.splitlines()[0])
    for of, read in (("ranks", RankSample), ("cores", CoreSample)):
        assert list(read.__struct_fields__) == list(first[of][0])


def test_a_log_that_was_cut_off_before_its_swap_advises_nothing(tmp_path):
    log = tmp_path / "log"
    ticks = [match.start() for match in re.finditer("^tick ", LOG.read_text(), re.M)]
    log.write_text(LOG.read_text()[: ticks[5]])
    assert replay(log).intervals == 5
    assert replay(log).advice is None
