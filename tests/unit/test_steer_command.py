"""`corewise steer explain`: decisions told from a log, and one sentence for every log that is damaged."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli.steer import command
from corewise.errors import InputError
from corewise.execute.steer_replay import replay
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
    assert "0.200 s  swap, rank 1 and 0   idleness, confidence 0.80" in text
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
    assert (decision["time_s"], decision["confidence"]) == (0.2, 0.8)


def test_a_decision_that_does_not_come_out_again_is_exit_code_1(tmp_path):
    log = tmp_path / "log"
    log.write_text(LOG.read_text().replace("confidence=800 gain", "confidence=801 gain", 1))
    code, text = explain(log)
    assert code == 1
    assert "came out differently: recorded 'decision swap idleness" in text


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
