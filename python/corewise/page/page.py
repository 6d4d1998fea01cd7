"""Assembles HTML pages from sections: for a tune, for a comparison of runs, or for tables and pictures."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace

import jinja2
from markupsafe import Markup

from corewise import __version__
from corewise.errors import InputError
from corewise.files.whole_file import write_whole
from corewise.nouns.page_data import PageData, PageTimeline
from corewise.nouns.run import Run, by_key, key_names
from corewise.nouns.simulation import Simulated
from corewise.nouns.tune_result import TuneResult
from corewise.page import (
    apply,
    bindings,
    comparison,
    data,
    links,
    matrix,
    moved,
    program,
    provenance,
    ranks,
    several,
    steering,
    tables,
    timeline,
    times,
    tree,
    verdict,
)
from corewise.plots.style import STYLE_SHEET
from corewise.text import quantities
from corewise.text.table import TextTable

# In the order of the page, before and after the tables of its data. A section is left out if its
# context(result) is None.
FIRST_SECTIONS = (verdict, apply, comparison, times, tree, matrix, links, moved)
LAST_SECTIONS = (program, bindings, provenance)

GENERATOR = '<meta name="generator" content="corewise'


def tune_page(
    result: TuneResult,
    logs: Iterable[steering.SeenLog] = (),
    events: PageTimeline | None = None,
    trace: str = "",
) -> str:
    """The HTML page of a tune, with its steering logs and events.

    `trace` is the name of a file next to the page with all events.
    """
    shown = data.page_data(result, events)
    first, last = (
        [_section(module, module.context(result)) for module in modules]
        for modules in (FIRST_SECTIONS, LAST_SECTIONS)
    )
    tables_of_data = _section(ranks, ranks.context(shown.tables))
    recorded = _section(timeline, timeline.context(events, trace))
    sections = [*first, tables_of_data, recorded, *_steering_sections(logs), *last]
    return _page(_title(result), result.date, sections, shown)


def results_page(results: Sequence[TuneResult], date: str, logs: Iterable[steering.SeenLog] = ()) -> str:
    """The HTML page of several results side by side, with steering logs."""
    section = _section(several, several.context(results))
    return _page(
        f"compared: {', '.join(several.names_of(results))}", date, [section, *_steering_sections(logs)]
    )


def runs_page(
    runs: Iterable[Run],
    date: str,
    logs: Iterable[steering.SeenLog] = (),
    simulations: Iterable[Simulated] = (),
) -> str:
    """The HTML page of runs and simulations side by side, with steering logs.

    Runs with the same label and source are repeats of each other."""
    simulated, steered = list(simulations), list(logs)
    repeats = by_key([*runs, *(run for each in simulated for run in each.runs)])
    if not repeats and not steered:
        raise InputError("found no run; expected at least one run file")
    sections = []
    if repeats:
        sections = [_section(times, times.context_of_runs(repeats, simulated))]
        sections.append(_section(bindings, bindings.context_of_runs(repeats)))
    names = [*key_names(repeats).values(), *(shown.log.log for shown in steered)]
    title = f"{'runs' if repeats else 'steered'}: {', '.join(names)}"
    return _page(title, date, [*sections, *_steering_sections(steered)])


def tables_page(title: str, date: str, listed: Mapping[str, TextTable], pngs: Mapping[str, bytes]) -> str:
    """The HTML page of a study: pictures by name, and tables by title."""
    pictures = {name: base64.b64encode(png).decode() for name, png in pngs.items()}
    shown = SimpleNamespace(pictures=pictures) if pictures else None
    sections = [_Section("pictures", "Figures", "pictures", shown)]
    for number, (heading, table) in enumerate(listed.items(), start=1):
        sections.append(_Section(f"table-{number}", heading, "tables", tables.context(table)))
    return _page(title, date, sections)


def fragment(sections: Iterable[tuple[str, object]]) -> str:
    """HTML for a notebook from (template, context) of each section, without a script.

    The style applies only inside the fragment (CSS nesting).
    """
    environment = _environment()
    bodies = [
        environment.get_template(f"{name}.html").render(vars(c)) for name, c in sections if c is not None
    ]
    style = re.sub(r":root|\bbody(?= \{)", "&", STYLE_SHEET)
    style += "& { margin: 0; padding: 0 1rem; }\n"
    return f'<div class="corewise"><style>.corewise {{\n{style}}}</style>\n{"".join(bodies)}</div>'


def write_page(text: str, path: Path) -> None:
    """Writes the file whole; raises InputError if that fails, or if `path` exists and is no such page."""
    if path.is_file() and GENERATOR not in path.read_text(encoding="utf-8", errors="replace"):
        raise InputError("exists and is no report of corewise; name another file with -o", path=path)
    write_whole(path, text)


@dataclass(frozen=True)
class _Section:
    """`name` is its anchor, `template` its file's stem.

    `context` is a dataclass for the template, None to leave the section out.
    """

    name: str
    title: str
    template: str
    context: object


def _section(module: ModuleType, context: object) -> _Section:
    """The section of a module, which gives its name and its template; a context may override the title."""
    name = module.__name__.rpartition(".")[2]
    return _Section(name, getattr(context, "title", module.TITLE), name, context)


def _title(result: TuneResult) -> str:
    """The command, or the input with the sources of its numbers if nothing was run."""
    if not result.read_from:
        return " ".join(result.command)
    sources = ["predicted", *dict.fromkeys(run.source for run in result.runs)]
    return f"{result.title} ({' and '.join(sources)})"


def _steering_sections(logs: Iterable[steering.SeenLog]) -> list[_Section]:
    return [
        _Section(f"steering-{number}", log.title, "steering", steering.context(log))
        for number, log in enumerate(logs, start=1)
    ]


def _page(title: str, date: str, sections: Iterable[_Section], shown: PageData | None = None) -> str:
    """An HTML page of these sections; `shown` is the data for the interactive pictures and tables."""
    environment = _environment()
    bodies = []
    for section in sections:
        if section.context is not None:
            body = environment.get_template(f"{section.template}.html").render(vars(section.context))
            bodies.append({"name": section.name, "title": section.title, "body": Markup(body)})
    script = Path(__file__).with_name("templates").joinpath("page.js").read_text(encoding="utf-8")
    return environment.get_template("page.html").render(
        title=title,
        date=date,
        version=__version__,
        sections=bodies,
        style=STYLE_SHEET,
        data=data.embedded(shown) if shown else "",
        script=script,
        script_source=_script_source(script),
    )


def _script_source(script: str) -> str:
    """The page's Content-Security-Policy allows only this script, by its hash."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("corewise.page", "templates"),
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
