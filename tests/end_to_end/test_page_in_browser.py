"""The page in a real browser: pictures and tables react, agree with the data, and load nothing."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import re
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from browser import needs_browser, opened_browser
from corewise.machines import load
from corewise.model import read_events
from corewise.nouns.placement import Placement
from corewise.nouns.timeline import Timeline
from corewise.page import data as page_data_module
from corewise.page import tune_page
from corewise.text.quantities import bytes_text
from msgspec import structs

sys.path.append(str(Path(__file__).parents[1] / "unit"))
from profile_cases import send_and_wait
from report_cases import REPEATS, SUMMARY, tune_result

pytestmark = needs_browser

MACHINE, MATRIX = '[data-live="machine"] canvas', '[data-live="matrix"] canvas'
RANKS = ".table-ranks"
SPOKEN = ".unseen[aria-live]"
ENTER, ESCAPE, RIGHT, DOWN = "\ue007", "\ue00c", "\ue014", "\ue015"


def data_of(html: str) -> dict:
    """The document inside a page."""
    packed = re.search(r'id="page-data">([^<]*)<', html)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@pytest.fixture(scope="module")
def page():
    """A ring of 16 ranks, 1 MiB per message, on two nodes of 8 cores.

    Default: cores 0, 2, ... 14, 1, 3, ...
    """
    return tune_page(tune_result(n_nodes=2, n_ranks=16, times_s=REPEATS))


@pytest.fixture
def browser(page, tmp_path):
    with opened_browser(tmp_path) as opened:
        opened.open(page)
        yield opened


def choose(browser, value: str) -> None:
    browser.click(f'.choice input[value="{value}"]')


def spoken(browser) -> str:
    return browser.run(f"return document.querySelector('{SPOKEN}').textContent")


def test_the_script_runs_under_the_policy_and_another_does_not(page, tmp_path):
    other = "<script>document.title = 'other script ran'</script></body>"
    with pytest.raises(AssertionError, match="Content Security Policy"), opened_browser(tmp_path) as browser:
        browser.open(page.replace("</body>", other))
        assert browser.driver.title != "other script ran"
        assert browser.texts(f"{RANKS} tbody tr")


def rows(browser, table: str) -> list[list[str]]:
    return browser.run(
        "const rows = [...document.querySelectorAll(arguments[0])];"
        "return rows.map((row) => [...row.cells].map((cell) => cell.innerText))",
        f".table-{table} tbody tr",
    )


def test_every_rank_has_a_row_with_what_it_exchanges_and_its_places(browser):
    # Rank 7 sends to 8 and receives from 6. Its default core 14 is core 6 of node 1; rank 8 has core 1.
    found = {row[0]: row[1:] for row in rows(browser, "ranks")}
    assert len(found) == 16
    places = ["node 1, core 6", "1.00 MiB", "node 0, core 7", "1.00 MiB", "node 1, core 3", "2.00 MiB"]
    assert found["7"] == ["2.00 MiB", "20", "2", *places]


def test_the_tables_of_pairs_calls_and_times_are_worked_out_from_the_documents(tmp_path):
    # Cores 0 2 4 6 1 3 5 7 by default, 0-7 in best; two cores share an l2, four a package. Outside MPI 8 and
    # 6 s, 7 s on average: 8 / 7 - 1 = 14.3 %.
    result = structs.replace(tune_result(), summary=SUMMARY)
    with opened_browser(tmp_path) as browser:
        browser.open(tune_page(result))
        pairs = {(row[0], row[1]): row[2:] for row in rows(browser, "pairs")}
        assert len(pairs) == 8
        assert pairs["0", "1"] == ["1.00 MiB", "10", "12.5 %", "in one package", "in one l2", "in one node"]
        calls = [["MPI_Send", "p2p", "1", "8 B", "3.00 s", "3.00 s", "75.0 %"]]
        calls.append(["MPI_Allreduce", "coll", "1", "8 B", "1.00 s", "1.00 s", "25.0 %"])
        assert rows(browser, "calls") == calls
        times = rows(browser, "rank-times")
        assert times[0][:6] == ["1", "n0", "10.0 s", "4.00 s", "40.0 %", "6.00 s"]
        assert times[1] == ["0", "n0", "10.0 s", "2.00 s", "20.0 %", "8.00 s", "14.3 %"]
        assert rows(browser, "waits") == [["1", "0", "1.50 s", "3"]]


def test_the_cursor_of_the_matrix_says_what_each_pair_exchanges(browser, page):
    (traffic,) = data_of(page)["tune"]["phases"]
    sent = {
        (src, dst): f"{bytes_text(n_bytes)} in {messages} messages"
        for src, dst, n_bytes, messages in zip(
            *(traffic[name] for name in ("src", "dst", "bytes", "messages")), strict=True
        )
    }
    assert len(sent) == 16
    browser.keys(MATRIX, RIGHT)
    for src in range(1, 4):
        browser.keys(MATRIX)  # keeps the focus
        browser.driver.switch_to.active_element.send_keys(DOWN)
        assert spoken(browser).startswith(f"rank {src} to rank 1: ")
        assert sent.get((src, 1), "nothing" if src != 1 else "the rank itself") in spoken(browser)


def test_the_switch_moves_ranks_to_the_cores_of_each_placement(browser, page):
    data = data_of(page)
    placements = {one["label"]: one["placement"] for one in data["tune"]["candidates"]}
    for name, placement in placements.items():
        choose(browser, name)
        browser.run("document.activeElement.blur()")
        on_core = {
            (node, cores[0]): rank
            for rank, (node, cores) in enumerate(zip(placement["node"], placement["cores"], strict=True))
        }
        browser.keys(MACHINE, RIGHT, ENTER)  # node 0, then its first core
        seen = {}
        for core in range(3):
            seen[core] = int(re.match(r"rank (\d+): ", spoken(browser))[1])
            browser.driver.switch_to.active_element.send_keys(RIGHT)
        assert seen[0] == on_core[0, 0] and seen[1] == on_core[0, 1]
        assert browser.texts(".pane figcaption") == [name]
        browser.driver.switch_to.active_element.send_keys(ESCAPE)
    summary = browser.run("return document.querySelector('.switch .summary').textContent")
    assert summary == data["gains"]["worst"]
    assert re.fullmatch(
        r"measured: .* % slower than the default \(gain .*, 95 % confidence, 6 pairs of runs\)", summary
    )


def test_only_ranks_that_differ_are_open_among_the_bindings(tmp_path):
    with opened_browser(tmp_path) as browser:
        browser.open(tune_page(tune_result(times_s=REPEATS, wrong=(5,))))
        assert browser.texts("#bindings tbody tr") == ["5 n000 5 5 0-1 differs"]
        browser.click("#bindings details details summary")
        assert len(browser.texts("#bindings tbody tr")) == 8


def test_a_page_of_blocks_has_the_greatest_pair_of_each(tmp_path, monkeypatch):
    monkeypatch.setattr(page_data_module, "MOST_PAIRS", 4)
    with opened_browser(tmp_path) as browser:
        browser.open(tune_page(tune_result(n_nodes=2, n_ranks=16)))
        kept = "Of 16 pairs, the page keeps the greatest in each block of 8 x 8 ranks"
        assert browser.texts("#matrix .controls .scale") == [f"{kept}, in the order of ranks."]
        browser.keys(MATRIX, RIGHT)
        assert spoken(browser) == "ranks 0-7 to ranks 8-15: at most 1.00 MiB in 10 messages a pair"
        assert browser.texts("#matrix .choice legend") == ["Show", "Scale"]
        assert browser.texts(RANKS) == []


def test_two_placements_stand_side_by_side(browser):
    browser.click(".compare input")
    assert browser.texts('[data-live="machine"] figcaption') == ["default", "best"]
    choose(browser, "placement")
    assert browser.run(f"return document.querySelectorAll('{MATRIX}').length") == 2
    browser.click(".compare input")
    assert browser.texts('[data-live="machine"] figcaption') == ["default"]


def test_the_matrix_zooms_by_wheel_and_keys_and_shows_what_the_pointer_is_on(browser):
    size = browser.run(
        f"const c = document.querySelector('{MATRIX}'); return [c.clientWidth, c.clientHeight]"
    )
    cell = (size[0] - 46) / 16  # the plot begins after the axes
    x, y = 46 + 15.5 * cell, 24 + 14.5 * cell
    browser.pointer(MATRIX, x, y)
    assert browser.texts("#matrix .tip")[0].startswith("rank 14 to rank 15 1.00 MiB in 10 messages")
    browser.pointer(MATRIX, 50, 28, "mousePressed", button="left", clickCount=1)
    browser.pointer(MATRIX, 50, 28, "mouseReleased", button="left", clickCount=1)
    browser.run(f"document.querySelector('{MATRIX}').focus()")
    for _ in range(8):
        browser.pointer(MATRIX, 50, 28, "mouseWheel", deltaX=0, deltaY=-400)
    browser.pointer(MATRIX, x, y)
    browser.until("!document.querySelector('#matrix .tip').innerText.startsWith('rank 14 to')")
    near = [int(rank) for rank in re.findall(r"rank (\d+)", browser.texts("#matrix .tip")[0])[:2]]
    assert max(near) < 8
    browser.keys(MATRIX, "\ue011")  # Home: show everything again
    browser.pointer(MATRIX, x, y)
    browser.until("document.querySelector('#matrix .tip').innerText.startsWith('rank 14 to')")


def test_a_rank_that_is_searched_for_is_lit_in_the_tables_and_opened_on_the_machine(browser):
    browser.type(".find input", "rank 7")
    assert browser.texts(".find output") == ["rank 7: node 1 (n001), core 6"]
    assert [row.split()[0] for row in browser.texts(f"{RANKS} tr.lit")] == ["7"]
    choose(browser, "best")
    assert browser.texts(".find output") == ["rank 7: node 0 (n000), core 7"]
    choose(browser, "default")
    browser.type(".find input", "n001")  # the host of node 1
    assert browser.texts(".find output") == ["node 1 (n001)"]
    browser.type(".find input", "node 1, core 6")
    assert browser.texts(".find output") == ["node 1 (n001), core 6: rank 7"]
    browser.type(".find input", "rank 16")
    assert browser.texts(".find output") == ["there is no rank 16: ranks 0-15"]


def test_ranks_can_be_filtered_and_sorted(browser):
    def ranks() -> list[int]:
        return [int(row.split()[0]) for row in browser.texts(f"{RANKS} tbody tr")]

    # By default ranks 0 to 15 are on cores 0, 2, ... 14, 1, 3, ... 15, so rank 4 is on core 8, the first core
    # of node 1. There the best placement has rank 8, the worst rank 1.
    for wanted, found in (("12", [12]), ("9, 3", [3, 9]), ("node 1, core 0", [1, 4, 8]), ("nobody", [])):
        browser.type(f"{RANKS} input", wanted)
        assert sorted(ranks()) == found
    browser.type(f"{RANKS} input", " ")
    by_core = [rank for pair in zip(range(8), range(8, 16), strict=True) for rank in pair]
    browser.click(f"{RANKS} thead button", 4)
    assert ranks() == by_core
    browser.click(f"{RANKS} thead button", 4)
    assert ranks() == by_core[::-1]


def test_tables_and_files_can_be_saved(browser):
    browser.click(f"{RANKS} .downloads button", 0)
    heads, *found = csv.reader(io.StringIO(browser.saved("ranks.csv").decode()))
    assert heads[:4] == ["rank", "bytes", "messages", "partners"]
    assert [int(row[1]) for row in found] == 16 * [2 << 20]
    browser.click(f"{RANKS} .downloads button", 1)
    assert len(json.loads(browser.saved("ranks.json"))) == 16
    names = browser.texts("#apply [data-live] button")
    assert names == ["default.json", "best.json", "worst.json", "rankfile.txt", "machine.toml"]
    for number, name in enumerate(names):
        browser.click("#apply [data-live] button", number)
        assert browser.saved(name)
    result = tune_result(n_nodes=2, n_ranks=16, times_s=REPEATS)
    best = Placement.read(browser.folder / "best.json")
    assert best == result.candidate("best").placement
    assert load(str(browser.folder / "machine.toml")).fingerprint == result.machine.fingerprint
    assert browser.saved("rankfile.txt").decode() == result.plan.files["rankfile.txt"]


def test_a_timeline_names_the_call_under_the_pointer_and_its_kinds(tmp_path):
    events = Timeline.of(read_events(str(send_and_wait(tmp_path / "events.profile"))))
    with opened_browser(tmp_path) as browser:
        browser.open(tune_page(tune_result(), events=events))
        assert browser.texts("#timeline .scale")[0].startswith("send receive wait collective other Lines:")
        width, height = browser.run(
            "const c = document.querySelector('#timeline canvas'); return [c.clientWidth, c.clientHeight]"
        )
        # Rank 1 waits from .5 to 2 s, the end of the picture; it is the second of two rows.
        browser.pointer("#timeline canvas", 46 + (width - 46) * 0.5, 8 + (height - 30) * 0.75)
        assert browser.texts("#timeline .tip") == ["rank 1 at 1.00 s MPI_Wait, 1.50 s sends 0 B in all"]


@pytest.mark.parametrize("n_nodes", [1, 4])
def test_nothing_is_wider_than_a_window_of_1280_or_390_pixels(n_nodes, tmp_path):
    times_s = {label: [1.02, 1.03, 1.01] for label in ("default", "best", "worst")}
    html = tune_page(tune_result(n_nodes=n_nodes, n_ranks=8, times_s=times_s))
    with opened_browser(tmp_path, 1280) as browser:
        browser.open(html)
        boxes = "return [...document.querySelectorAll('#comparison .scroll')]"
        assert browser.run(f"{boxes}.map((box) => box.scrollWidth - box.clientWidth)") == [0]
        browser.emulate({}, 390, 800)
        assert browser.run("return document.documentElement.scrollWidth") <= 390


def test_axe_finds_no_violation_in_light_dark_and_on_a_phone(page, tmp_path):
    axe = files("selenium_axe_python").joinpath("axe-core", "axe.min.js").read_text()
    for scheme, width in (("light", 1440), ("dark", 1440), ("light", 390)):
        with opened_browser(tmp_path) as browser:
            browser.emulate({"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}, width, 900)
            browser.open(page)
            browser.click(".compare input")
            browser.driver.execute_script(axe)
            violations = browser.driver.execute_async_script(
                "const done = arguments[0]; axe.run().then((found) => done(found.violations))"
            )
            found = [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations]
            assert found == [], (scheme, width)
