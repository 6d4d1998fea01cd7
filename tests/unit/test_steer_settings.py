"""Settings of steering: one table in C, printed by --list-settings, changed by --set."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.steering.replay import replay
from corewise.steering.run import CHOSEN, checked_settings, steer_settings

LOG = Path(__file__).parents[2] / "fixtures" / "steer" / "idleness.steer-log"
OF_A_RUN = ["node", "dry_run", "async_progress"]


def steer(*words: str):
    return CliRunner().invoke(cli, ["steer", *words], prog_name="corewise")


def test_the_list_has_every_setting_of_a_log_in_its_order():
    assert [*OF_A_RUN, *steer_settings()] == list(replay(LOG).settings)


def test_each_has_a_default_in_its_range_a_unit_a_meaning_and_a_source():
    for row in steer_settings().values():
        assert row.least <= row.default <= row.most
        assert row.unit in ("ns", "bytes", "count", "pages", "1/1000", "1/1000000")
        assert row.meaning.endswith(".") and row.source.partition(":")[0] in ("chosen", "measured")


def test_a_default_is_what_a_steered_run_has():
    """In the library targets_ns is 0, because the library has no solver. `corewise steer` sets it."""
    assert steer_settings()["targets_ns"].default == CHOSEN["targets_ns"] == 1_000_000_000
    assert steer_settings()["window_ns"].default == 200_000_000


def test_the_list_is_printed_as_text_and_as_one_document():
    done = steer("--list-settings")
    assert done.exit_code == 0
    assert done.stdout.startswith("interval_ns=50000000  (ns)\n    Least length of an interval")
    (row,) = [
        row
        for row in json.loads(steer("--list-settings", "--json").stdout)["settings"]
        if row["name"] == "keep_gain"
    ]
    assert (row["default"], row["least"], row["most"], row["unit"]) == (10, 0, 1000, "1/1000")


def test_values_are_numbers():
    assert checked_settings({"keep_gain": "20", "backoff_ns": 5}) == {"keep_gain": 20, "backoff_ns": 5}
    with pytest.raises(InputError, match=r"found settings=\['keep_gain=20'\]; expected a dict of whole num"):
        checked_settings(["keep_gain=20"])
