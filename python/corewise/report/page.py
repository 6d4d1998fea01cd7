"""A page from its sections: what `tune` found, several runs side by side, or a sweep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import jinja2
from markupsafe import Markup

from corewise import __version__, quantities
from corewise.errors import InputError
from corewise.records import Run, TuneResult
from corewise.report import (
    apply,
    bindings,
    comparison,
    estimates,
    links,
    matrix,
    pictures,
    provenance,
    times,
    tree,
    verdict,
)
from corewise.whole_file import write_whole

# In the order of the page. A section's context(result) is None where it has nothing to say.
TUNE_SECTIONS = (verdict, comparison, matrix, tree, links, times, bindings, apply, provenance)
RUN_SECTIONS = (times, bindings)

GENERATOR = '<meta name="generator" content="corewise'


def tune_page(result: TuneResult) -> str:
    """The whole HTML text for what `corewise tune` found."""
    contexts = {section: section.context(result) for section in TUNE_SECTIONS}
    return _page(" ".join(result.command), result.date, contexts)


def runs_page(runs: Iterable[Run], date: str) -> str:
    """The whole HTML text for runs side by side: those of one label are repeats of each other."""
    by_label: dict[str, list[Run]] = {}
    for run in runs:
        by_label.setdefault(run.label, []).append(run)
    if not by_label:
        raise InputError("found no run; expected at least one run file")
    contexts = {section: section.context_of_runs(by_label) for section in RUN_SECTIONS}
    return _page("runs: " + ", ".join(by_label), date, contexts)


def sweep_page(title: str, date: str, table: Mapping[str, Any], pngs: Mapping[str, bytes]) -> str:
    """The whole HTML text for a sweep; `table`: what estimates.context takes; `pngs`: its figures by name."""
    contexts = {pictures: pictures.context(pngs), estimates: estimates.context(**table)}
    return _page(f"sweep: {title}", date, contexts)


def write_page(text: str, path: Path) -> None:
    """Writes the file whole; raises InputError where that fails or `path` is no page of ours."""
    if path.is_file() and GENERATOR not in path.read_text(encoding="utf-8", errors="replace"):
        raise InputError(f"{path}: exists and is no report of corewise; name another file with -o")
    write_whole(path, text)


def _page(title: str, date: str, contexts: dict[ModuleType, dict | None]) -> str:
    environment = _environment()
    sections = []
    for module, context in contexts.items():
        if context is not None:
            name = module.__name__.rpartition(".")[2]
            body = environment.get_template(f"{name}.html").render(context)
            sections.append({"name": name, "title": module.TITLE, "body": Markup(body)})
    style = environment.loader.get_source(environment, "style.css")[0]
    return environment.get_template("page.html").render(
        title=title, date=date, version=__version__, sections=sections, style=style
    )


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("corewise.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "bytes": quantities.bytes_text,
        "rate": quantities.rate_text,
        "seconds": quantities.seconds_text,
        "confidence": quantities.confidence_text,
        "percent": quantities.percent_text,
        "indices": quantities.index_text,
    }
    return environment
