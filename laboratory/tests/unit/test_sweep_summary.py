"""Estimates, comparisons, tables and figures of a sweep, for records with results worked out by hand."""

import json
import re
from dataclasses import replace

import pytest
from corewise.nouns.load import Load
from corewise.plots.picture_file import SIGNATURE
from corewise.statistics import Interval, mean_interval
from corewise_laboratory.plots.interval_bars import interval_bars_png
from corewise_laboratory.plots.scatter import Point, scatter_png
from corewise_laboratory.sweep.figure_spec import Bars, Scatter
from corewise_laboratory.sweep.figures import bar_panels, scatter_points
from corewise_laboratory.sweep.grid import configurations
from corewise_laboratory.sweep.journal import RunRecord
from corewise_laboratory.sweep.results import text, to_json, write_results
from corewise_laboratory.sweep.spec import Measure, Protocol, SweepSpec
from corewise_laboratory.sweep.summary import ConfigurationResult
from corewise_laboratory.sweep.summary import summarize as summarize_grid
from hypothesis import given
from hypothesis import strategies as st

AXES = {
    "policy": {"default": ["d"], "pin": ["p"]},
    "binding": {"board": ["b"], "socket": ["s"]},
}


def spec(group_by: str | None = None, estimate: str = "median", better: str = "lower") -> SweepSpec:
    return SweepSpec(
        name="small",
        command=["true", "{policy}", "{binding}"],
        axes=AXES,
        group_by=group_by,
        measure=Measure(better=better),
        protocol=Protocol(estimate=estimate),
        figures=[Bars("policy"), Scatter("binding", "socket", "board", "policy")],
    )


def record(configuration: int, repeat: int, value: float | None, warmup: bool = False) -> RunRecord:
    problem = "exit code 1: it said nothing" if value is None else None
    return RunRecord(configuration, repeat, warmup, value, 0.1, 0, problem, "2026-01-01T00:00:00", "here")


# Configurations in the order of the grid: default board, default socket, pin board, pin socket.
RECORDS = [
    record(0, 0, 99.0, warmup=True),
    *(record(0, repeat, value) for repeat, value in enumerate([2.0, 4.0, 12.0], start=1)),
    record(1, 1, 2.0),
    record(2, 1, 8.0),
    record(2, 2, None),
    record(3, 1, None),
]


def summarize(of: SweepSpec, records: list[RunRecord]) -> list[ConfigurationResult]:
    return summarize_grid(of, configurations(of), records)


def test_warm_ups_and_failures_do_not_count():
    rows = summarize(spec(), RECORDS)
    assert [row.samples for row in rows] == [[2.0, 4.0, 12.0], [2.0], [8.0], []]
    assert [row.interval and row.interval.expected for row in rows] == [4.0, 2.0, 8.0, None]
    assert [len(row.problems) for row in rows] == [0, 0, 1, 1]
    assert [row.relative for row in rows] == [2.0, 1.0, 4.0, None]  # over 2.0, the best of all configurations


def test_the_mean_is_another_estimate():
    assert summarize(spec(estimate="mean"), RECORDS)[0].interval.expected == 6.0  # (2 + 4 + 12) / 3


def test_groups_are_compared_among_themselves_and_higher_may_be_better():
    by_binding = summarize(spec(group_by="binding"), RECORDS)
    assert [row.relative for row in by_binding] == [1.0, 1.0, 2.0, None]  # board: 4 and 8; socket: 2
    by_rate = summarize(spec(better="higher"), RECORDS)
    assert [row.relative for row in by_rate] == [0.5, 0.25, 1.0, None]  # over 8.0


def test_a_ratio_has_the_interval_of_runs_of_one_round():
    records = [record(0, repeat, 10.0 * repeat) for repeat in range(1, 9)]
    records += [record(1, repeat, 5.0 * repeat) for repeat in (*range(1, 6), 9)]  # rounds 6 to 8 failed
    default, best, *_ = summarize(spec(), records)
    assert (best.relative, best.relative_interval) == (1.0, None)
    # The rounds differ by up to a factor of 9. Within a round the ratio is 2. Five pairs allow 1 - 2^-4.
    ratio = default.relative_interval
    assert (ratio.low, ratio.expected, ratio.high) == pytest.approx((2.0, 2.0, 2.0))
    assert ratio.confidence == 1 - 2**-4


def test_a_ratio_has_no_interval_in_other_orders_or_of_values_that_are_not_above_0():
    records = [record(index, repeat, 1.0 + index) for index in (0, 1) for repeat in range(1, 9)]
    consecutive = replace(spec(), protocol=Protocol(order="consecutive"))
    assert summarize(consecutive, records)[1].relative_interval is None
    assert summarize(spec(), records)[1].relative_interval.low == pytest.approx(2.0)
    assert summarize(spec(), [record(0, 1, -1.0), record(1, 1, 1.0)])[1].relative_interval is None


@given(st.lists(st.floats(0.001, 1e6), min_size=1, max_size=12))
def test_the_interval_of_a_mean_lies_in_the_range_and_holds_it(values):
    interval = mean_interval(values)
    assert min(values) <= interval.low * (1 + 1e-12)
    assert interval.high <= max(values) * (1 + 1e-12)
    assert interval.low <= interval.expected * (1 + 1e-9) and interval.expected <= interval.high * (1 + 1e-9)


def test_the_interval_of_a_mean_of_two_values():
    # resamples of {1, 3}: 1, 2, 2 and 3, a quarter each, so the ends are far more frequent than 1 in 40
    interval = mean_interval([1.0, 3.0])
    assert (interval.low, interval.expected, interval.high, interval.confidence) == (1.0, 2.0, 3.0, 0.5)


def test_the_table_the_document_and_the_files(tmp_path):
    grouped = spec(group_by="binding")
    result = write_results(grouped, configurations(grouped), RECORDS, tmp_path, Load(5.7, None, 2))
    lines = text(result)
    assert lines[1].split() == ["binding", "policy", "runs", "median", "interval", "/", "best", "interval"]
    row = ["board", "default", "3", "4.00", "s", "2.00", "s", "to", "12.0", "s", "1.000", "none"]
    assert lines[2].split() == row
    assert "2 runs of 8 failed." in lines
    assert [line for line in lines if line.startswith("The machine is busy: load 5.7 on 2 hardware threads")]
    document = to_json(result)
    assert json.loads((tmp_path / "results.json").read_text()) == document
    assert [entry["estimate"] for entry in document["configurations"]] == [4.0, 2.0, 8.0, None]
    assert (document["n_runs"], document["n_failed"], document["source"]) == (8, 2, "measured")
    page = (tmp_path / "sweep.html").read_text()
    assert page.count("data:image/png;base64,") == 2
    without_script = re.sub(
        r"<script>.*</script>", "", page, flags=re.DOTALL
    )  # the policy of the SVG lets it load nothing
    assert not re.search(r'(?:src|href)="(?!data:|#)', without_script)
    for name in ("bars.png", "scatter.png"):
        assert (tmp_path / name).read_bytes().startswith(SIGNATURE)


def test_bars_are_grouped_by_what_is_left():
    rows = summarize(spec(group_by="binding"), RECORDS)
    panels = bar_panels(spec(group_by="binding"), Bars("policy"), rows)
    assert {panel: list(groups) for panel, groups in panels.items()} == {
        "binding board": [""],
        "binding socket": [""],
    }
    assert panels["binding socket"][""]["pin"] is None
    ungrouped = bar_panels(spec(), Bars("policy"), rows)
    assert list(ungrouped[""]) == ["board", "socket"]


def test_points_pair_configurations_that_differ_in_one_axis():
    rows = summarize(spec(), RECORDS)
    points = scatter_points(spec(), Scatter("binding", "socket", "board", "policy"), rows)
    assert list(points) == ["default"]  # pin has no time for socket
    assert (points["default"][0].x.expected, points["default"][0].y.expected) == (2.0, 4.0)


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_what_a_logarithm_does_not_have_is_left_out_of_the_scatter(value):
    point = Point(Interval(value, value, value, 0.0), Interval(1, 1, 1, 0.0), "$x$")
    assert scatter_png({"s": [point]}, "x", "y", "$title").startswith(SIGNATURE)


def test_a_figure_of_nothing_measured_is_still_a_figure():
    assert interval_bars_png({"": {"g": {"a": None}}}, "time (s)", "t").startswith(SIGNATURE)
