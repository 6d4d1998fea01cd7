"""The pages are complete, agree on figures, and have no dead links: docs/, README, CONTRIBUTING."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import corewise
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import CorewiseError
from corewise.launchers import EXPORTED, LAUNCHERS
from sources import ROOT, named, repository_files

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = ROOT / "docs"
sys.path.append(str(DOCS))
from generated import filled_in  # noqa: E402

RECORD = DOCS / "evidence" / "log"  # dated entries; never rewritten
FIGURES = tomllib.loads((DOCS / "data.toml").read_text())

NOT_PROSE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`|<!--.*?-->", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
PAGES = [path for path in repository_files() if path.suffix == ".md"]


@pytest.fixture(scope="module")
def site() -> str:
    """The text of all pages except the log, with the parts that the program generates."""
    pages = [page for page in DOCS.rglob("*.md") if RECORD not in page.parents]
    return "\n".join(filled_in(page.read_text()) for page in sorted(pages))


def test_every_option_of_every_command_is_in_the_reference(site):
    commands = {name: cli.get_command(None, name) for name in cli.list_commands(None)}
    for name, group in list(commands.items()):
        commands |= {f"{name} {below}": one for below, one in getattr(group, "commands", {}).items()}
    for name, command in commands.items():
        section = re.search(rf"^## corewise {name}\n(.*?)(?=^#|\Z)", site, re.MULTILINE | re.DOTALL)
        assert section, name
        for parameter in command.params:
            if parameter.param_type_name == "option" and not parameter.hidden:
                written = re.escape(parameter.opts[-1])
                assert re.search(rf"^`(?:.*, )?{written}[ `,]", section[1], re.M), f"{name} {parameter.opts}"


def test_every_launcher_objective_solver_engine_and_check_is_documented(site):
    listed = {
        words: json.loads(CliRunner().invoke(cli, [*words.split(), "--json"]).stdout)
        for words in ("map --list", "check --list", "simulate --list")
    }
    names = [row["name"] for kind in ("solvers", "objectives") for row in listed["map --list"][kind]]
    names += [*listed["check --list"], *listed["simulate --list"], *LAUNCHERS, *EXPORTED]
    assert [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", site)] == []


def test_every_steering_metric_and_thread_policy_is_documented(site):
    rows = {
        "preload/steer/metrics/metrics.def": r"CW_METRIC\(\w+, ",
        "affinity/src/policies/registry.c": r"    \{",
    }
    for register, row in rows.items():
        names = re.findall(rf'^{row}"([^"]+)",', (ROOT / register).read_text(), re.MULTILINE)
        assert len(names) >= 4
        assert [name for name in names if f"`{name}`" not in site] == []


def test_every_public_name_of_the_package_is_in_the_python_interface():
    page = (DOCS / "reference" / "api.md").read_text()
    assert [name for name in corewise.__all__ if not re.search(rf":: corewise\.{name}$", page, re.M)] == []


def test_the_python_guide_shows_the_example():
    guide = (DOCS / "guides" / "python.md").read_text()
    shown = re.search(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    assert shown and shown[1] in (ROOT / "examples" / "main_job.py").read_text()


def test_every_error_is_documented_with_its_exit_code():
    errors = (DOCS / "reference" / "python.md").read_text()
    codes = (DOCS / "reference" / "commands.md").read_text()
    for error in (CorewiseError, *CorewiseError.__subclasses__()):
        assert f"| `corewise.{error.__name__}` |" in errors
        assert f"\n| {error.exit_code} |" in codes


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_files_and_headings(page):
    dead = []
    for target, heading in LINK.findall(NOT_PROSE.sub("", page.read_text())):
        path = (page.parent / target).resolve() if target else page
        if not path.exists() or (heading and path.suffix == ".md" and heading not in headings(path)):
            dead.append(f"{target}#{heading}")
    assert dead == []


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings as GitHub and the site generate them, and those of included pages."""
    text = page.read_text()
    included = re.search(r"^```\{include\} (\S+)", text, re.MULTILINE)
    fenced = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
    found = re.findall(r"^#+ (.+)$", fenced.sub("", text), re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}
    return anchors | (headings((page.parent / included[1]).resolve()) if included else set())


@pytest.mark.parametrize("name", FIGURES)
def test_a_shared_figure_is_in_its_source(name):
    source = (DOCS / FIGURES[name]["source"]).read_text()
    for value in FIGURES[name]["text"].split(" and "):
        assert value in source


def test_the_claims_of_the_readme_are_those_of_the_record():
    readme = (ROOT / "README.md").read_text()
    assert FIGURES["claims_headlines"]["text"] in readme
