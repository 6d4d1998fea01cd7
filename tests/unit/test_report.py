"""The page: it loads nothing, escapes every value and scales; its text is in tests/golden/test_pages.py."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from corewise.errors import InputError
from corewise.model import Assignment, read_events
from corewise.nouns.run import Run
from corewise.nouns.timeline import Timeline
from corewise.page import comparison, results_page, runs_page, tune_page, write_page
from corewise.page.data import gain_text
from msgspec import structs
from profile_cases import send_and_wait
from report_cases import REPEATS, machine_of, run_of, tune_result

SLOWER = REPEATS | {"best": REPEATS["worst"]}
VOID = {"meta", "link", "br", "img", "input", "hr", "col"}


class Page(HTMLParser):
    """Text, tags and attributes of a page. Fails on tags that are not nested properly."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open, self.attributes, self.text = [], [], ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.attributes.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += " " + " ".join(data.split()) if self.open[-1:] not in (["style"], ["script"]) else ""

    def of(self, wanted: str) -> list[dict]:
        return [attributes for tag, attributes in self.attributes if tag == wanted]


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", Page(html).text)


@pytest.mark.parametrize(
    ("best_s", "colour"), [(9.0, "verdict-yes"), (14.0, "verdict-no"), (None, "verdict-unsure")]
)
def test_the_verdict_has_the_colour_of_what_was_measured_else_predicted(best_s, colour):
    times_s = REPEATS | {"best": [best_s + extra / 100 for extra in range(6)]} if best_s else {}
    page = Page(tune_page(tune_result(times_s=times_s, matters="unsure")))
    assert [box["class"] for box in page.of("div") if "verdict" in box.get("class", "")] == [
        f"verdict {colour}"
    ]


def test_a_program_named_like_markup_stays_text():
    html = tune_page(tune_result(command=("mpirun", "./<script>alert(1)</script>&\"'"), times_s=REPEATS))
    assert html.count("<script") == 2  # the page's script, and its data
    assert "<script>alert" not in html
    assert "./<script>alert(1)</script>&\"'" in Page(html).text.replace("'\"'\"'", "'")


@pytest.mark.parametrize("n_nodes, n_ranks", [(1, 2), (1, 8), (128, 1000)])
def test_the_page_loads_nothing_and_stays_small(n_nodes, n_ranks):
    html = tune_page(tune_result(n_nodes=n_nodes, n_ranks=n_ranks, times_s=REPEATS))
    page = Page(html)
    for tag, attributes in page.attributes:
        for name in ("src", "href", "xlink:href", "srcset", "data"):
            reference = attributes.get(name, "#")
            assert reference.startswith(("#", "data:")), (tag, reference)
    assert page.of("link") == []
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    assert "url(" not in style and "@import" not in style
    assert len(html) < 2_000_000


def test_the_only_script_that_may_run_is_the_page_s_own():
    html = tune_page(tune_result(times_s=REPEATS))
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    (policy,) = [meta["content"] for meta in Page(html).of("meta") if "http-equiv" in meta]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    sources = [value for tag, attributes in Page(html).attributes for name, value in attributes.items()]
    assert not any(name.startswith("on") for _, attributes in Page(html).attributes for name in attributes)
    assert not any(str(value).startswith("javascript:") for value in sources)


def test_a_page_of_runs_has_the_script_and_no_data():
    machine, place = machine_of(1), Assignment.from_cores([0, 1])
    html = runs_page([run_of(machine, place, "mine", 1.0, ["./a"])], "today")
    assert html.count("<script") == 1 and 'id="page-data"' not in html


def test_figures_have_texts_and_tables_have_headers():
    page = Page(tune_page(tune_result(times_s=REPEATS)))
    images = page.of("img")
    assert images and all(image.get("alt") for image in images)
    headers = page.of("th")
    assert headers and all(header.get("scope") in ("col", "row") for header in headers)


def test_a_gain_whose_interval_contains_0_is_not_distinguishable():
    near = {"default": REPEATS["default"], "best": REPEATS["default"][::-1], "worst": REPEATS["worst"]}
    near, far = (comparison.shown(tune_result(times_s=of))["table"].rows[0] for of in (near, REPEATS))
    assert re.fullmatch(r"\S+ %, not distinguishable", near[-2]) and "not" not in near[-1]
    assert re.fullmatch(r"\d+\.\d %", far[-2])


def test_a_list_is_compared_from_the_top_down_and_the_deciding_value_is_named():
    # link-load, top down: best has less between packages. Worst loses only at a lower level, which is named.
    result = tune_result(times_s=REPEATS)
    for label, values in {"default": [9.0, 1.0], "best": [5.0, 7.0], "worst": [5.0, 8.0]}.items():
        result.candidate(label).scores["link-load"] = values
    text = text_of(tune_page(result))
    assert "best is lower, by package to node best is lower, by l2 to package" in text


def test_a_page_without_runs_is_refused():
    with pytest.raises(InputError, match="found no run"):
        runs_page([], "today")


def test_a_page_that_can_not_be_written_leaves_nothing(tmp_path):
    with pytest.raises(InputError, match="could not be written"):
        write_page("x", tmp_path / "missing" / "report.html")
    write_page("x", tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_file_that_is_no_report_is_left_alone(tmp_path):
    notes = tmp_path / "notes.html"
    notes.write_text("<p>mine</p>")
    with pytest.raises(InputError, match="exists and is no report"):
        write_page(tune_page(tune_result()), notes)
    assert notes.read_text() == "<p>mine</p>"


def test_a_timeline_is_read_back_from_its_file_and_a_damaged_one_is_refused(tmp_path):
    found = Timeline.of(read_events(str(send_and_wait(tmp_path / "events.profile"))))
    found.write(tmp_path / "t.json")
    assert Timeline.read(tmp_path / "t.json") == found
    for damage, sentence in (
        ({"ends_s": [1.0]}, "ends_s is 1; expected 3 values"),
        ({"call": [0, 0, 99]}, f"call is 99; expected numbers below {len(found.calls)}"),
    ):
        (tmp_path / "t.json").write_text(json.dumps(found.to_json() | damage))
        with pytest.raises(InputError, match=re.escape(sentence)):
            Timeline.read(tmp_path / "t.json")


def test_a_default_that_is_best_moves_nothing():
    result = tune_result()
    default = result.candidate("default").placement
    same = [structs.replace(one, placement=default) for one in result.candidates]
    assert "What moves" not in tune_page(structs.replace(result, candidates=same))


@pytest.mark.parametrize(
    ("measured", "answer"),
    [
        ([REPEATS, REPEATS], "The best placement is faster than the default in 2 of 2 results, by 10.9 %"),
        ([{}, {}], "The best placement is predicted to be faster than the default in 2 of 2 results"),
        ([SLOWER, SLOWER], "In none of the 2 results the interval of the gain lies above 0."),
    ],
)
def test_the_answer_on_several_results_counts_measured_gains_first(measured, answer):
    results = [tune_result(times_s=times_s) for times_s in measured]
    assert answer in text_of(results_page(results, "today"))


def test_computed_times_are_named_by_their_source_and_no_measured_gain_is_claimed():
    result = tune_result()
    candidates = [
        structs.replace(one, runs=[Run(one.label, [], "simulated", [], time_s, None, None, 0)])
        for one, time_s in zip(result.candidates, (2.0, 1.5, 3.0), strict=True)
    ]
    result = structs.replace(result, candidates=candidates)
    default, best, worst = (gain_text(result, one) for one in result.candidates)
    assert default == "the placement that others are compared with"
    assert best == "simulated: 25.0 % faster than the default (no interval)"  # 1 - 1.5 / 2
    assert worst == "simulated: 50.0 % slower than the default (no interval)"
    said = result.headline
    assert said.conclusion == "not measured"
    assert said.reasons[1] == (
        "Simulated: 1.50 s under the best placement instead of 2.00 s, gain = 1 - t_best / t_default: 25.0 %."
    )
