"""The pages are complete, in plain words, and agree on figures: docs/, README and CONTRIBUTING."""

from __future__ import annotations

import json
import re
import sys

import corewise
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.launchers import EXPORTED, LAUNCHERS
from sources import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = ROOT / "docs"
sys.path.append(str(DOCS))
from generated import filled_in  # noqa: E402

RECORD = DOCS / "evidence" / "log"  # kept as it was written
FIGURES = tomllib.loads((DOCS / "data.toml").read_text())

# How we used to write; ../shared/design/prose.md is the guide. Whole words, in any case.
WORDS = [
    "behind (?:a|the) (?:swap|window)",
    "by and by",
    "for want of",
    "in vain",
    "is told",
    "are told",
    "mended",
    "who isn't",
    "of (?:its|their) own",
    "quiet machine",
    "stand-in",
    "anew",
    "as it is",
    "as they are",
    "whatever else",
]
FORBIDDEN = re.compile(rf"\b(?:{'|'.join(WORDS)})\b", re.IGNORECASE)
PLAIN = [ROOT / "README.md", *sorted((DOCS / "start").glob("*.md"))]
PLAIN += [page for part in ("guides", "concepts", "evidence") for page in sorted((DOCS / part).glob("*.md"))]


@pytest.fixture(scope="module")
def site() -> str:
    """All pages but the record, with what the program fills in."""
    pages = [page for page in DOCS.rglob("*.md") if RECORD not in page.parents]
    return "\n".join(filled_in(page.read_text()) for page in sorted(pages))


@pytest.mark.parametrize("page", PLAIN, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_use_plain_words(page):
    fenced = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert FORBIDDEN.findall(fenced) == []


def test_every_option_of_every_command_is_in_the_reference(site):
    for name in cli.list_commands(None):
        assert f"\n## corewise {name}\n" in site
        for parameter in cli.get_command(None, name).params:
            if parameter.param_type_name == "option" and not parameter.hidden:
                assert any(f"`{option}" in site or f", {option}" in site for option in parameter.opts), (
                    f"{name} {parameter.opts}"
                )


def test_every_launcher_objective_solver_engine_and_check_is_documented(site):
    listed = {
        words: json.loads(CliRunner().invoke(cli, [*words.split(), "--json"]).stdout)
        for words in ("map --list", "check --list", "simulate --list")
    }
    names = [row["name"] for kind in ("solvers", "objectives") for row in listed["map --list"][kind]]
    names += [*listed["check --list"], *listed["simulate --list"], *LAUNCHERS, *EXPORTED]
    assert [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", site)] == []


def test_every_steering_metric_and_thread_policy_is_documented(site):
    for register in ("preload/steer/metrics/registry.c", "affinity/src/policies/registry.c"):
        names = re.findall(r'^    \{"([^"]+)",', (ROOT / register).read_text(), re.MULTILINE)
        assert len(names) >= 4
        assert [name for name in names if f"`{name}`" not in site] == []


def test_every_public_name_of_the_package_is_in_the_python_interface():
    page = (DOCS / "reference" / "api.md").read_text()
    assert [name for name in corewise.__all__ if not re.search(rf":: corewise\.{name}$", page, re.M)] == []


@pytest.mark.parametrize("name", FIGURES)
def test_a_shared_figure_is_in_its_source(name):
    source = (DOCS / FIGURES[name]["source"]).read_text()
    for value in FIGURES[name]["text"].split(" and "):
        assert value in source


def test_the_claims_of_the_readme_are_those_of_the_record():
    readme = (ROOT / "README.md").read_text()
    assert FIGURES["claims_sign"]["text"] in readme
    assert FIGURES["claims_whole"]["text"] in readme
