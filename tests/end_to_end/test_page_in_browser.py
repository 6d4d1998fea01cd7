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


def document_after(html: str, folder: Path) -> str:
    """The page's markup once its scripts have run."""
    page = folder / "page.html"
    page.write_text(html)
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
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


def test_ranks_can_be_searched_and_sorted(tmp_path):
    html = tune_page(tune_result(n_nodes=2, n_ranks=16))
    html = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)  # for the test's own script
    document = document_after(html.replace("</body>", f"<script>{STEPS}</script></body>"), tmp_path)
    shown = json.loads(unescape(re.search(r"<title>(.*?)</title>", document)[1]))
    # By default ranks 0 to 15 are on cores 0, 2, ... 14, 1, 3, ... 15: rank 4 on core 8, the first of node 1.
    # The best placement puts rank 8 there, the worst one rank 1.
    by_core = [rank for pair in zip(range(8), range(8, 16), strict=True) for rank in pair]
    assert shown == [[12], [3, 9], [1, 4, 8], [], list(range(16)), by_core, by_core[::-1]]
