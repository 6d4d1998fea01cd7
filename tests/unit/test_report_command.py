"""corewise report: its inputs and its outputs."""

import base64
import gzip
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise import reporting
from corewise.cli.advise import command as advise
from corewise.cli.map import command as map_command
from corewise.cli.report import command
from corewise.cli.simulate import command as simulate
from corewise.model import read_events
from corewise.nouns.advice import Gain
from corewise.nouns.timeline import TIMELINE, Timeline
from corewise.nouns.tune_result import NAME
from corewise.text.quantities import percent_text, seconds_text
from profile_cases import send_and_wait
from report_cases import REPEATS, tune_result

FIXTURES = Path(__file__).parents[2] / "fixtures"
LOG = FIXTURES / "steer" / "idleness.steer-log"


def report(*arguments: str):
    return CliRunner().invoke(command, arguments, catch_exceptions=True)


@pytest.fixture
def folder(tmp_path):
    """The folder of a tune, with two run files next to it."""
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


def test_the_timeline_of_a_tune_is_shown_again(folder):
    page = folder / "page.html"
    log = read_events(str(send_and_wait(folder / "events.profile")))
    Timeline.of(log).write(folder / TIMELINE)
    for source in (folder, folder / NAME):
        assert report(str(source), "-o", str(page)).exit_code == 0
        assert "3 MPI calls of 2 ranks and 1 messages in" in page.read_text()


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
    assert section.count("<img ") == 1
    cells = re.findall("<td[^>]*>(.*?)</td>", section)
    # The picture as a table: rank 0 is on core 0 until the swap.
    assert cells[:4] == ["0", "0", "0.000", "0.400"]
    first = cells.index("idleness") - 2
    assert cells[first : first + 4] == ["1", "0.400", "idleness", "swap, rank 1 and 0"]
    assert cells[first + 4].startswith("rank 1 on core 1 waits 4.71 times as long")
    assert cells[first + 5].startswith("kept: an iteration took")
    assert ('id="times"' in text) == bool(names)


def test_a_steering_log_without_intervals_has_no_picture(folder):
    log, page = folder / "empty.steer-log", folder / "page.html"
    log.write_text(LOG.read_text().partition("tick ")[0])
    assert report(str(log), "-o", str(page)).exit_code == 0
    text = page.read_text()
    assert "nothing to draw" in text and "decisions 0, swaps 0" in text and "<figure>" not in text


MATRIX = str(FIXTURES / "matrices" / "npb" / "mg.C.64.npz")
MACHINE = ("--machine", "jaguar-xt5:6", "--effort", "fast")


def test_a_matrix_becomes_a_page_of_what_is_predicted_for_it(tmp_path):
    page = tmp_path / "page.html"
    outcome = report(MATRIX, *MACHINE, "-o", str(page))
    assert outcome.exit_code == 0, outcome.output
    text = page.read_text()
    assert "<h1><code>mg.C.64.npz on jaguar-xt5:6 (predicted)</code></h1>" in text
    assert "read from mg.C.64.npz" in text and "no\nprogram was given" in text
    assert f"corewise map {MATRIX} --machine jaguar-xt5:6 -o best.json" in text
    # The prediction equals that of `corewise advise`.
    advice = json.loads(CliRunner().invoke(advise, [MATRIX, *MACHINE, "--json"]).stdout)
    assert f"<strong>{percent_text(advice['gain']['expected'])}</strong>" in text


def test_a_machine_without_os_indices_is_no_file_of_the_page(tmp_path):
    page = tmp_path / "page.html"
    for spec, is_file in (("jaguar-xt5:6", True), ("tree:8:8@1:10", False)):
        assert report(MATRIX, "--machine", spec, "--effort", "fast", "-o", str(page)).exit_code == 0
        packed = re.search(r'id="page-data">([^<]*)<', page.read_text())[1]
        files = json.loads(gzip.decompress(base64.b64decode(packed)))["files"]
        assert ("machine.toml" in files) is is_file


def test_searches_among_very_many_pairs_have_a_deadline_and_the_page_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(reporting, "MANY_PAIRS", 4)
    matrix, page = tmp_path / "ring.csv", tmp_path / "page.html"
    matrix.write_text("src,dst,bytes\n0,1,10\n1,2,10\n2,3,10\n3,0,10\n")
    machine = ["--machine", "synthetic:2:core:2 pu:1", "-o", str(page)]
    assert report(str(matrix), *machine).exit_code == 0
    assert "With 4 pairs of ranks that exchange data, the searches" in page.read_text()
    assert report(str(matrix), *machine, "--deadline", "60").exit_code == 0
    assert "the searches for the best" not in page.read_text()


def test_simulations_of_the_compared_placements_stand_next_to_the_prediction(tmp_path):
    page, simulation = tmp_path / "page.html", tmp_path / "simulation.json"
    for label in ("default", "best"):
        worst_of = ["--solver", "block"] if label == "default" else []
        CliRunner().invoke(map_command, [MATRIX, *MACHINE, *worst_of, "-o", str(tmp_path / f"{label}.json")])
    placements = [
        word for label in ("default", "best") for word in ("--placement", str(tmp_path / f"{label}.json"))
    ]
    simulated = CliRunner().invoke(
        simulate, ["--machine", "jaguar-xt5:6", "--engine", "estimate", *placements, MATRIX, "--json"]
    )
    simulation.write_text(simulated.stdout)
    runs = {run["repeats"][0]["label"]: run["makespan_s"] for run in json.loads(simulated.stdout)["runs"]}
    assert report(MATRIX, str(simulation), *MACHINE, "-o", str(page)).exit_code == 0
    text = page.read_text()
    assert "(predicted and estimated)" in text
    gain = percent_text(1 - runs["best"] / runs["default"])
    assert f"Estimated: {seconds_text(runs['best'])} under the best placement instead of" in text
    assert f"gain = 1 - t_best / t_default: {gain}." in text


def test_several_machines_are_compared_with_the_gain_and_interval_of_each(tmp_path):
    page = tmp_path / "page.html"
    outcome = report(MATRIX, *MACHINE, "--machine", "draco:8", "-o", str(page))
    assert outcome.exit_code == 0, outcome.output
    text = page.read_text()
    for machine in ("jaguar-xt5:6", "draco:8"):
        advised = CliRunner().invoke(advise, [MATRIX, "--machine", machine, "--effort", "fast", "--json"])
        gain = Gain(**json.loads(advised.stdout)["gain"])
        assert text.count(f">{gain.text()}<") == 1, machine
    assert text.count(">mg.C.64.npz on draco:8<") == 2  # table, panel


def test_tunes_are_compared_by_what_was_measured(folder):
    other = folder / "other"
    other.mkdir()
    result = tune_result(n_nodes=2, n_ranks=16, times_s=REPEATS)
    result.write(other / NAME)
    page = folder / "page.html"
    assert report(str(folder), str(other), "-o", str(page)).exit_code == 0
    text = page.read_text()
    assert result.gain is not None and text.count(f">{result.gain.text()}<") == 2


def test_the_terminal_shows_the_same_without_colours(folder):
    outcome = report(str(folder), "--text")
    assert outcome.exit_code == 0, outcome.output
    assert "\x1b" not in outcome.stdout
    assert "The placement found is faster than the default: 9.03 s instead of 10.1 s" in outcome.stdout
    assert "measured gain of the run: 10.9 %" in outcome.stdout
    assert "node 0  best       0-7" in outcome.stdout
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize("style", ["page", "paper"])
@pytest.mark.parametrize("figure", ["gains", "links", "machine-best", "matrix", "times"])
def test_each_figure_is_a_file_by_itself(folder, figure, style):
    begins = {"png": b"\x89PNG", "svg": b"<", "pdf": b"%PDF-"}
    words = [word for form in begins for word in ("--picture", f"{folder / figure}.{form}")]
    outcome = report(str(folder), *words, "--style", style)
    assert outcome.exit_code == 0, outcome.output
    for form, begin in begins.items():
        assert (folder / f"{figure}.{form}").read_bytes().startswith(begin)
