"""corewise report: what it takes, what it writes, and the sentences it refuses with."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli.report import command
from corewise.errors import InputError
from corewise.nouns.tune_result import NAME
from report_cases import REPEATS, tune_result

LOG = Path(__file__).parents[2] / "fixtures" / "steer" / "idleness.steer-log"


def report(*arguments: str):
    return CliRunner().invoke(command, arguments, catch_exceptions=True)


@pytest.fixture
def folder(tmp_path):
    """A tune's folder with two run files beside it."""
    result = tune_result(times_s=REPEATS)
    result.write(tmp_path / NAME)
    for label in ("default", "best"):
        (tmp_path / f"{label}.json").write_text(json.dumps(result.candidate(label).runs[0].to_json()))
    return tmp_path


def test_a_tune_becomes_a_page_and_json_stays_alone_on_standard_output(folder):
    page = folder / "page.html"
    outcome = report(str(folder), "-o", str(page), "--json")
    assert json.loads(outcome.stdout) == {"report": str(page), "inputs": [str(folder)]}
    assert "The placement found is faster than the default" in page.read_text()


def test_run_files_are_set_side_by_side(folder):
    page = folder / "page.html"
    outcome = report(str(folder / "default.json"), str(folder / "best.json"), "-o", str(page))
    assert outcome.exit_code == 0
    assert "runs: default, best" in page.read_text()


@pytest.mark.parametrize("names", [[], ["default.json", "best.json"], ["."]])
def test_a_steering_log_is_drawn_with_its_decisions(folder, names):
    page = folder / "page.html"
    outcome = report(*[str(folder / name) for name in names], str(LOG), "-o", str(page))
    assert outcome.exit_code == 0
    text = page.read_text()
    (section,) = re.findall('<section id="steering-1".*?</section>', text, re.S)
    assert section.count('src="data:image/png;base64,iVBOR') == 1
    cells = re.findall("<td[^>]*>(.*?)</td>", section)
    assert cells[:3] == ["0.400", "idleness", "swap, rank 1 and 0"]
    assert cells[3].startswith("rank 1 waits 471.4 %") and cells[4].startswith("kept: an iteration took")
    assert ('id="times"' in text) == bool(names)


def test_a_steering_log_without_intervals_has_no_picture(folder):
    log, page = folder / "empty.steer-log", folder / "page.html"
    log.write_text(LOG.read_text().partition("tick ")[0])
    assert report(str(log), "-o", str(page)).exit_code == 0
    text = page.read_text()
    assert "nothing to draw" in text and "decisions 0, swaps 0" in text and "<img" not in text


@pytest.mark.parametrize(
    "names, sentence",
    [
        (["broken.steer-log", "best.json"], "broken.steer-log line 1: found 'broken'"),
        (["absent.json"], "absent.json: could not be read (No such file or directory)"),
        ([".", "best.json"], "among 2 inputs; expected one tune, or several run files"),
        (["empty.json"], "empty.json: not JSON"),
        (["list.json"], "list.json: holds no JSON object"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(folder, names, sentence):
    (folder / "empty.json").write_text("")
    (folder / "list.json").write_text("[]")
    (folder / "broken.steer-log").write_text("broken\n")
    page = folder / "page.html"
    outcome = report(*[str(folder / name) for name in names], "-o", str(page))
    assert isinstance(outcome.exception, InputError)
    assert sentence in str(outcome.exception)
    assert not page.exists()
