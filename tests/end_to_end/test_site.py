"""scripts/docs builds the site, and fails if a link leads to no page, heading or file."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from corewise.cli import cli

sys.path.append(str(Path(__file__).parents[1] / "unit"))
from sources import ROOT

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.timeout(300),  # a build takes 15 s, or more than a minute on a busy machine
]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([ROOT / "scripts" / "docs", folder], capture_output=True, text=True, timeout=280)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_the_site_has_a_search_that_works_offline(site):
    assert (site / "searchindex.js").stat().st_size > 10_000
    for page in [site / "index.html", site / "search.html"]:
        text = page.read_text()
        assert not re.findall(r'"https?:[^"]+\.(?:js|css)"', text)


def test_every_command_has_its_section(site):
    page = (site / "reference" / "commands.html").read_text()
    for name in cli.list_commands(None):
        assert f'id="corewise-{name}"' in page


@pytest.mark.parametrize("target", ["missing.md", "index.md#missing", "../missing.py"])
def test_a_dead_link_fails_the_build(tmp_path, target):
    for name in ("docs", "scripts", "formats", "preload", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    docs = tmp_path / "docs"
    for page in docs.rglob("*.md"):
        page.unlink()
    (docs / "index.md").write_text(f"# Title\n\n[a link]({target})\n")
    done = subprocess.run([tmp_path / "scripts" / "docs"], capture_output=True, text=True, timeout=100)
    assert done.returncode != 0
    assert target.rpartition("#")[2] in done.stderr
