"""The report's page: what it says, that it loads nothing, that it escapes every value, and that it scales."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.machines import load
from corewise.model import Assignment
from corewise.nouns.tune_result import Candidate
from corewise.page import comparison, runs_page, tune_page, write_page
from msgspec import structs
from report_cases import REPEATS, machine_of, run_of, tune_result

TOPOLOGIES = Path(__file__).parents[2] / "fixtures" / "topologies"
VOID = {"meta", "link", "br", "img", "line", "rect", "circle", "path", "use", "input", "hr", "col"}


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


def test_the_verdict_comes_first_with_formula_interval_and_bindings():
    # Ratios of the pairs: .8911 .8750 .8990 .9118 .9000 .8538. The median of their means is .891: a gain of
    # 10.9 %.
    text = text_of(tune_page(tune_result(times_s=REPEATS)))
    verdict = text[text.index("Verdict", 200) : text.index("Lower is better")]
    assert (
        "The placement found is faster than the default: 9.03 s instead of 10.1 s (measured gain 10.9 %"
        in verdict
    )
    assert "Predicted gain of the run 11.0 % 4.0 % to 18.0 %" in verdict
    assert "Measured gain of the run 10.9 %" in verdict
    assert (
        "1 − t best / t default , 6 pairs of runs in random order, time from MPI_Init to MPI_Finalize"
        in verdict
    )
    assert "verified all 144 bindings asked for in 18 runs" in verdict
    assert "assumed" in verdict and "measured, traced in one run" in verdict


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


def test_every_rank_has_a_row_with_what_it_exchanges_and_its_places():
    # A ring of 16 on two nodes of 8: rank 7 sends to 8 on the other node and receives from 6, 1 MiB each.
    text = text_of(tune_page(tune_result(n_nodes=2, n_ranks=16)))
    # By default rank 7 is on core 14, which is core 6 of node 1, like ranks 6 and 9; rank 8 is on core 1.
    assert "7 2.00 MiB 20 2 node 1, core 6 1.00 MiB node 0, core 7 1.00 MiB node 1, core 3 2.00 MiB" in text


def test_without_the_script_the_first_rows_of_a_table_are_shown(monkeypatch):
    monkeypatch.setattr("corewise.page.ranks.MOST_ROWS", 3)
    html = tune_page(tune_result(n_nodes=2, n_ranks=16))
    table = html[html.index('data-live="table-ranks"') : html.index('data-live="table-pairs"')]
    assert "the first 3 of 16 rows" in table and table.count("<tr>") == 4


def squares(html: str) -> int:
    """The number of squares in strips. Legends have `swatch` elements instead."""
    return html.count('class="cell shade-') - html.count('class="swatch"')


def test_many_nodes_are_a_strip_with_the_most_loaded_ones_in_full():
    html = tune_page(tune_result(n_nodes=128, n_ranks=1000))
    text = text_of(html)
    assert squares(html) == 3 * 128
    assert text.count("node #") == 3 * 4
    assert "most loaded nodes: 0, 1, 2, 3" in text
    assert "like node" not in text and "of the shape of" not in text


def test_where_no_node_sends_to_another_that_is_said():
    result = tune_result(n_nodes=16, n_ranks=128)
    silent = [
        structs.replace(candidate, link_bytes=[[0.0] * len(level) for level in candidate.link_bytes])
        for candidate in result.candidates
    ]
    text = text_of(tune_page(structs.replace(result, candidates=silent)))
    assert "best: no node sends to another; nodes 0, 1, 2, 3" in text
    assert "most loaded nodes" not in text and "up to 0 B" not in text


def test_few_nodes_are_all_drawn_in_full():
    html = tune_page(tune_result(n_nodes=4, n_ranks=32))
    assert squares(html) == 0
    assert text_of(html).count("node #") == 3 * 4


def test_figures_have_texts_and_tables_have_headers():
    page = Page(tune_page(tune_result(times_s=REPEATS)))
    svgs = page.of("svg")
    assert svgs and all(svg.get("role") == "img" for svg in svgs)
    assert all(image.get("alt") for image in page.of("img"))
    headers = page.of("th")
    assert headers and all(header.get("scope") in ("col", "row") for header in headers)


def test_every_repeat_is_a_dot():
    html = tune_page(tune_result(times_s=REPEATS))
    assert html.count("<circle") >= 18
    for times in REPEATS.values():
        assert all(f"<title>{time:.4g} s</title>" in html for time in times)


def test_a_difference_is_shown_by_rank_and_an_incomplete_profile_is_said():
    text = text_of(tune_page(tune_result(times_s=REPEATS, wrong=(5,), complete=False)))
    assert "not verified" in text
    assert "1 of 8 ranks differ" in text
    # Only the rank that differs is visible; the others are folded below it.
    assert re.search(r"5 n000 5 5 0-1 differs 7 other ranks as asked for rank host", text)
    assert "The profile is incomplete" in text and "rank 3 never finalized." in text


def test_threads_that_may_leave_their_rank_s_cores_are_named_and_the_others_counted():
    result = tune_result(times_s=REPEATS)
    best, worst = (result.candidate(label).runs for label in ("best", "worst"))
    best[0].ranks[3] = structs.replace(best[0].ranks[3], threads_outside=["helper 0-7"])
    best[1] = structs.replace(best[1], n_threads=16, n_threads_without_core=8)
    worst[:] = [structs.replace(run, n_threads=8, n_threads_without_core=0) for run in worst]
    text = text_of(tune_page(result))
    assert "3 n000 3 3 3 threads that may leave: helper 0-7 differs 7 other ranks" in text
    assert "16 threads of 8 ranks have 8 cores between them" in text
    assert "8 threads of 8 ranks worked; each can have its own core." in text


def test_bindings_name_the_gpus_near_each_rank_if_the_machine_has_any():
    text = text_of(tune_page(tune_result(times_s=REPEATS, machine=load(str(TOPOLOGIES / "gpus.xml")))))
    # In the best placement rank 0 is on core 0, and rank 4 on core 4, the first core of the other package.
    assert "GPUs near it" in text and "GPUs near it" not in text_of(tune_page(tune_result(times_s=REPEATS)))
    assert re.search(r"0 n000 0 renderD128; renderD129 0,8 0,8 as asked", text)
    assert re.search(r"4 n000 4 renderD130 4,12 4,12 as asked", text)


def test_ranks_that_see_other_gpus_than_requested_or_a_far_one_are_open_and_the_others_folded():
    result = tune_result(times_s=REPEATS)
    best = result.candidate("best").runs
    for run in best:
        wanted = [{"CUDA_VISIBLE_DEVICES": str(rank % 4)} for rank in range(8)]
        run.ranks[:] = [
            structs.replace(one, devices_wanted=of, devices_seen=of)
            for one, of in zip(run.ranks, wanted, strict=True)
        ]
    best[0].ranks[2] = structs.replace(best[0].ranks[2], devices_seen={}, device_files=["/dev/nvidia0"])
    best[1].ranks[5] = structs.replace(best[1].ranks[5], gpu_notes=["shares GPU cuda1 with rank 1; ..."])
    text = text_of(tune_page(result))
    assert "best: 1 of 8 ranks differ in 6 runs; another GPU fits 1 rank better" in text
    assert re.search(
        r" 2 n000 2 2 2 open: /dev/nvidia0 or CUDA_VISIBLE_DEVICES=2 CUDA_VISIBLE_DEVICES is not set, "
        r"requested 2 differs 5 n000 5 5 5 CUDA_VISIBLE_DEVICES=1 shares GPU cuda1 with rank 1; ... as asked "
        r"6 other ranks as asked for",
        text,
    )
    assert "GPUs and network cards that the rank sees" not in text_of(tune_page(tune_result(times_s=REPEATS)))


def test_a_gain_whose_interval_contains_0_is_not_distinguishable():
    near = {"default": REPEATS["default"], "best": REPEATS["default"][::-1], "worst": REPEATS["worst"]}
    found = {
        name: comparison.context(tune_result(times_s=times)).timed[0].ratios
        for name, times in (("near", near), ("far", REPEATS))
    }
    assert re.fullmatch(r"\S+ %, not distinguishable", found["near"].gain)
    assert re.fullmatch(r"\d+\.\d %", found["far"].gain)
    assert "not" not in found["near"].improvement


def test_a_thousand_ranks_are_folded_by_host_except_those_that_differ():
    html = tune_page(tune_result(n_nodes=128, n_ranks=1000, times_s=REPEATS, wrong=(77,)))
    text = text_of(html)
    assert "1 of 1000 ranks differ" in text
    assert "n000 8 0-7" in text  # best: block order, so one row for the eight ranks of node 0
    assert "n009 7 72-76,78-79" in text


def test_one_run_each_shows_no_interval():
    text = text_of(tune_page(tune_result(times_s={"default": [2.0], "best": [1.0]})))
    assert "Measured gain of the run 50.0 % 1 − t best / t default , one run each: no interval" in text
    assert "one run of each placement shows no spread" in text


def test_without_runs_the_page_says_so():
    text = text_of(tune_page(tune_result(matters="no")))
    assert "Placement is predicted not to matter here: keep the default." in text
    assert "Measured gain of the run not run" in text and "Measured times" not in text


def test_a_gain_that_the_worst_placement_has_too_comes_from_binding():
    repeats = REPEATS | {"worst": [9.1, 9.0, 9.2, 9.1, 9.0, 9.1]}
    bound, free = (tune_result(times_s=repeats, matters="no") for _ in range(2))
    for run in free.candidate("default").runs:
        run.ranks[:] = [structs.replace(rank, os_pus_seen=list(range(8))) for rank in run.ranks]
    text = text_of(tune_page(free))
    assert "The placement found is faster than the default" in text
    assert "Binding the ranks helped" in text
    assert "Binding the ranks helped" not in text_of(tune_page(bound))


def test_a_list_is_compared_from_the_top_down_and_the_deciding_value_is_named():
    # link-load, top down: best has less between packages. Worst loses only at a lower level, which is named.
    result = tune_result(times_s=REPEATS)
    for label, values in {"default": [9.0, 1.0], "best": [5.0, 7.0], "worst": [5.0, 8.0]}.items():
        result.candidate(label).scores["link-load"] = values
    text = text_of(tune_page(result))
    assert "Lower is better in every row" not in text
    assert "best is lower, by package to node best is lower, by l2 to package" in text


def test_the_command_as_written_is_a_bar_beside_the_default_with_the_settings():
    result = tune_result(times_s=REPEATS)
    as_written = [
        structs.replace(run, label="as-written", app_s=40.0) for run in result.candidate("default").runs
    ]
    result = structs.replace(result, settings=["--yield"], as_written=as_written)
    text = text_of(tune_page(result))
    assert "Gain of the setting alone 74.5 %" in text
    assert "as-written measured 6 40.0 s" in text and "default measured 6 10.1 s" in text
    assert "Measured gain of the run 10.9 %" in text and "default with --yield" in text


def test_runs_side_by_side_need_no_tune():
    machine = machine_of(1)
    order = {"mine": [0, 1], "theirs": [1, 0]}
    runs = [
        run_of(machine, Assignment.from_cores(cores), label, time_s, ["mpirun", "./a"])
        for label, cores in order.items()
        for time_s in (1.0, 1.1)
    ]
    text = text_of(runs_page(runs, "today"))
    assert "runs: mine, theirs" in text and "Measured times" in text
    assert "all 2 ranks as asked for in 2 runs" in text
    with pytest.raises(InputError, match="found no run"):
        runs_page([], "today")


def test_runs_of_one_label_and_different_sources_are_never_pooled():
    # Measured 1.0 and 1.2 s, simulated 5.0 s: medians 1.1 and 5 s. The median of all would be 1.2 s.
    machine, place = machine_of(1), Assignment.from_cores([0, 1])
    runs = [run_of(machine, place, "best", time_s, ["./a"]) for time_s in (1.0, 1.2, 5.0)]
    runs[2] = structs.replace(runs[2], source="simulated", ranks=[], wall_s=5.0)
    html = runs_page(runs, "today")
    text = text_of(html)
    assert "runs: best (measured), best (simulated)" in text
    assert "best measured 2 1.10 s" in text and "best simulated 1 5.00 s" in text
    assert "best (measured): all 2 ranks as asked for in 2 runs" in text
    assert "best (simulated):" not in text  # nothing ran, so no binding is shown
    assert html.count('class="series series-best"') == 2
    assert "not verified" not in text and "ran elsewhere" not in text


def test_a_tune_with_simulated_runs_beside_the_measured_ones_keeps_them_apart():
    result = tune_result(times_s=REPEATS)
    for candidate in result.candidates:
        candidate.runs.append(structs.replace(candidate.runs[0], source="simulated", ranks=[], wall_s=100.0))
    text = text_of(tune_page(result))
    times = "time median of the repeats, MPI_Init to MPI_Finalize"
    assert f"measured {times} 10.1 s 9.03 s 12.1 s" in text
    assert f"simulated {times} 100 s 100 s 100 s" in text
    assert (
        "The placement found is faster than the default: 9.03 s instead of 10.1 s (measured gain 10.9 %"
        in text
    )
    assert "verified all 144 bindings asked for in 18 runs" in text


def test_a_run_that_shows_no_rank_is_neither_verified_nor_wrong():
    result = tune_result(times_s=REPEATS)
    runs = result.candidate("default").runs
    runs[:] = [structs.replace(run, ranks=[]) for run in runs]
    text = text_of(tune_page(result))
    assert "Bindings not known no rank reported its binding in 6 of 18 runs" in text
    assert "default: not known, no rank reported its binding in 6 runs" in text
    assert "not verified" not in text and "ran elsewhere" not in text


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


def test_runs_without_a_wanted_binding_do_not_count_as_asked():
    def free(one: Candidate) -> None:
        one.runs[:] = [
            structs.replace(run, ranks=[structs.replace(rank, os_pus_wanted=None) for rank in run.ranks])
            for run in one.runs
        ]

    result = tune_result(times_s=REPEATS)
    free(result.candidates[0])
    assert "verified all 96 bindings asked for in 12 runs" in text_of(tune_page(result))
    for candidate in result.candidates:
        free(candidate)
    assert "verified no run asked for a binding; all 144 ranks reported theirs" in text_of(tune_page(result))
