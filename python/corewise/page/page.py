"""Assembles HTML pages from sections: for a tune, for a comparison of runs, or for tables and pictures.

Small sections are here, the others in one file each.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import numpy as np
from markupsafe import Markup

from corewise.errors import InputError
from corewise.files.whole_file import write_whole
from corewise.nouns.run import Run, by_key, key_names
from corewise.nouns.simulation import Simulated
from corewise.nouns.timeline import Timeline
from corewise.nouns.tune_result import TuneResult
from corewise.page import bindings, comparison, data, links, moved, program, several, steering, times, verdict
from corewise.plots.style import STYLE_SHEET
from corewise.text import quantities
from corewise.text.escaping import shell_text
from corewise.version import __version__

Shown = dict[str, Any]  # what a template reads


def apply(result: TuneResult) -> Shown | None:
    """The plan, or the commands to make one; None if a command was run, but mapped for another machine."""
    if result.plan:
        return {"plan": result.plan}
    if not result.read_from:
        return None
    of_input = shell_text(result.command[2:])  # corewise report INPUT --machine M
    return {
        "plan": None,
        "commands": [
            f"corewise map {of_input} -o best.json",
            "corewise run --placement best.json -- LAUNCHER ... APP ...",
        ],
    }


def tree(result: TuneResult) -> Shown:
    """The machine; the script draws it with the ranks of each placement."""
    return {"machine": result.machine}


def matrix(result: TuneResult) -> Shown:
    """The totals of the traffic; the script draws the matrix."""
    matrix = result.traffic.folded()
    src, dst, *_ = matrix.columns()
    phases = len(result.traffic.phases)
    n_pairs = int((src != dst).sum())
    return {"matrix": matrix, "n_pairs": n_pairs, "n_phases": phases, "ratio": result.advice.ratio}


def ranks(result: TuneResult) -> Shown:
    """The place of the tables of ranks, pairs and calls, which the script fills."""
    return {}


def timeline(found: Timeline | None, trace: str) -> Shown | None:
    """The times of the calls, most time first; None if no events were recorded.

    `trace` is the name of a file next to the page with all events, "" without one.
    """
    if found is None:
        return None
    times_s = np.subtract(found.ends_s, found.begins_s)
    of_call = np.bincount(found.call, times_s, len(found.calls)).tolist()
    calls = sorted(zip(found.calls, of_call, strict=True), key=lambda call: -call[1])
    return {"timeline": found, "trace": trace, "n_ranks": len(set(found.rank)), "calls": calls}


def provenance(result: TuneResult) -> Shown:
    """Commands, versions, conditions, and what went wrong on the way."""
    ran = by_key(result.runs)
    names = key_names(ran)
    return {
        "command": shell_text(result.command),
        "commands": [(key.label, names[key], shell_text(runs[0].command)) for key, runs in ran.items()],
        "conditions": {"corewise": __version__, "date": result.date} | result.conditions,
        "machine": result.machine,
        "profile": result.profile,
    }


# (name, which is also that of the template, title, what the template reads) in the order of the page. A
# section is left out if that is None; what has a "title" replaces the one here.
Sections = list[tuple[str, str, Callable[[TuneResult], dict[str, Any] | None]]]
FIRST_SECTIONS: Sections = [
    ("verdict", "Verdict", verdict.shown),
    ("apply", "How to apply it", apply),
    ("comparison", "Default, best and worst", comparison.shown),
    ("times", "Times", times.shown),
    ("tree", "Ranks on the machine", tree),
    ("matrix", "Traffic", matrix),
    ("links", "Link loads", links.shown),
    ("moved", "What moves from default to best", moved.shown),
    ("ranks", "Ranks and pairs", ranks),
]
LAST_SECTIONS: Sections = [
    ("program", "What the program does", program.shown),
    ("bindings", "Bindings", bindings.shown),
    ("provenance", "How this was obtained", provenance),
]

GENERATOR = '<meta name="generator" content="corewise'


def tune_page(
    result: TuneResult,
    logs: Iterable[steering.SeenLog] = (),
    events: Timeline | None = None,
    trace: str = "",
) -> str:
    """The HTML page of a tune, with its steering logs and events.

    `trace` is the name of a file next to the page with all events.
    """
    first, last = (
        [_Section(name, heading, name, shown(result)) for name, heading, shown in of]
        for of in (FIRST_SECTIONS, LAST_SECTIONS)
    )
    recorded = _Section("timeline", "Timeline", "timeline", timeline(events, trace))
    found = [*first, recorded, *_steering_sections(logs), *last]
    return _page(_title(result), result.date, found, data.page_data(result, events))


def results_page(results: Sequence[TuneResult], date: str, logs: Iterable[steering.SeenLog] = ()) -> str:
    """The HTML page of several results side by side, with steering logs."""
    section = _Section("several", "Side by side", "several", several.shown(results))
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
    found = []
    if repeats:
        found = [_Section("times", "Times", "times", times.shown_runs(repeats, simulated))]
        found.append(_Section("bindings", "Bindings", "bindings", bindings.shown_runs(repeats)))
    names = [*key_names(repeats).values(), *(shown.log.log for shown in steered)]
    title = f"{'runs' if repeats else 'steered'}: {', '.join(names)}"
    return _page(title, date, [*found, *_steering_sections(steered)])


def fragment(shown: Iterable[tuple[str, dict[str, Any] | None]]) -> str:
    """HTML for a notebook from (template, what it reads) of each section, without a script.

    The style applies only inside the fragment (CSS nesting).
    """
    environment = _environment()
    bodies = [environment.get_template(f"{name}.html").render(of) for name, of in shown if of is not None]
    style = re.sub(r":root|\bbody(?= \{)", "&", STYLE_SHEET)
    style += "& { margin: 0; padding: 0 1rem; }\n"
    return f'<div class="corewise"><style>.corewise {{\n{style}}}</style>\n{"".join(bodies)}</div>'


def write_page(text: str, path: Path) -> None:
    """Writes the file whole; raises InputError if that fails, or if `path` exists and is no such page."""
    if path.is_file() and GENERATOR not in path.read_text(encoding="utf-8", errors="replace"):
        raise InputError("exists and is no report of corewise; name another file with -o", path=path)
    write_whole(path, text)


class _Section(NamedTuple):
    """`name` is its anchor, `template` its file's stem, `shown` what that reads; None leaves it out."""

    name: str
    title: str
    template: str
    shown: dict[str, Any] | None


def _title(result: TuneResult) -> str:
    """The command, or the input with the sources of its numbers if nothing was run."""
    if not result.read_from:
        return " ".join(result.command)
    sources = ["predicted", *dict.fromkeys(run.source for run in result.runs)]
    return f"{result.title} ({' and '.join(sources)})"


def _steering_sections(logs: Iterable[steering.SeenLog]) -> list[_Section]:
    return [
        _Section(f"steering-{number}", log.title, "steering", steering.shown(log))
        for number, log in enumerate(logs, start=1)
    ]


def _page(title: str, date: str, found: Iterable[_Section], documents: dict[str, Any] | None = None) -> str:
    """An HTML page of these sections; `documents` are for the interactive pictures and tables."""
    environment = _environment()
    bodies = []
    for name, heading, template, shown in found:
        if shown is not None:
            body = Markup(environment.get_template(f"{template}.html").render(shown))
            bodies.append({"name": name, "title": shown.get("title", heading), "body": body})
    script = Path(__file__).with_name("templates").joinpath("page.js").read_text(encoding="utf-8")
    return environment.get_template("page.html").render(
        title=title,
        date=date,
        version=__version__,
        sections=bodies,
        style=STYLE_SHEET,
        data=data.embedded(documents) if documents else "",
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
