"""The page in a real browser: its script runs under its own policy, and tables can be searched and sorted."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from corewise.page import tune_page

sys.path.append(str(Path(__file__).parents[1] / "unit"))
from report_cases import tune_result

BROWSER = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chromium-browser"))), None)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="neither chromium nor google-chrome is installed")

# Leaves the rank column of the rows that are shown after each step in the page's title.
STEPS = """
const shown = [];
const ranks = () => [...document.querySelectorAll("#ranks tbody tr")]
  .filter((row) => !row.hidden).map((row) => Number(row.cells[0].textContent));
const search = (text) => {
  const field = document.querySelector("#ranks input");
  field.value = text;
  field.dispatchEvent(new Event("input"));
  shown.push(ranks());
};
search("12");
search("9, 3");
search("node 1, core 0");
search("nobody");
search("");
document.querySelectorAll("#ranks thead button")[4].click();
shown.push(ranks());
document.querySelectorAll("#ranks thead button")[4].click();
shown.push(ranks());
document.title = JSON.stringify(shown);
"""


# How much wider than its box each wide part is, in CSS pixels; in the page's title.
WIDTHS = """
const boxes = [...document.querySelectorAll("#comparison .scroll")];
document.title = JSON.stringify(boxes.map((box) => box.scrollWidth - box.clientWidth));
"""


def document_after(html: str, folder: Path) -> str:
    """The page's markup once its scripts have run."""
    page = folder / "page.html"
    page.write_text(html)
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1280,900",
        f"--user-data-dir={folder / 'browser'}",
    ]
    done = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_script_runs_under_the_policy_and_another_does_not(tmp_path):
    html = tune_page(tune_result(n_nodes=2, n_ranks=16))
    other = "<script>document.title = 'other script ran'</script></body>"
    document = document_after(html.replace("</body>", other), tmp_path)
    assert '<input type="search"' in document
    assert "<title>other script ran" not in document


def told(html: str, script: str, folder: Path) -> list:
    """What a script of the test's leaves in the title of the page, whose policy is taken away for that."""
    html = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    document = document_after(html.replace("</body>", f"<script>{script}</script></body>"), folder)
    return json.loads(unescape(re.search(r"<title>(.*?)</title>", document)[1]))


@pytest.mark.parametrize("n_nodes", [1, 4])
def test_the_comparison_fits_a_screen_of_1280_pixels(n_nodes, tmp_path):
    times_s = {label: [1.02, 1.03, 1.01] for label in ("default", "best", "worst")}
    html = tune_page(tune_result(n_nodes=n_nodes, n_ranks=8, times_s=times_s))
    assert told(html, WIDTHS, tmp_path) == [0]


def test_ranks_can_be_searched_and_sorted(tmp_path):
    shown = told(tune_page(tune_result(n_nodes=2, n_ranks=16)), STEPS, tmp_path)
    # By default ranks 0 to 15 are on cores 0, 2, ... 14, 1, 3, ... 15: rank 4 on core 8, the first of node 1.
    # The best placement puts rank 8 there, the worst one rank 1.
    by_core = [rank for pair in zip(range(8), range(8, 16), strict=True) for rank in pair]
    assert shown == [[12], [3, 9], [1, 4, 8], [], list(range(16)), by_core, by_core[::-1]]
