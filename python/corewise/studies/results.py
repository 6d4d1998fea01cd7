"""What a study found: the document for programs, tables for people, and its page."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from corewise.report import TextTable, tables_page, write_page
from corewise.studies.driver import StudyResult, Verdict
from corewise.studies.emulated_runs import EmulatedRuns
from corewise.studies.emulating import Emulated
from corewise.studies.judges import binding_noise
from corewise.studies.thread_places import ThreadPlaces
from corewise.sweep.figures import draw_figures
from corewise.sweep.results import estimates_table
from corewise.sweep.results import notes as sweep_notes
from corewise.sweep.results import to_json as sweep_to_json
from corewise.text.quantities import counted, percent_text, seconds_text
from corewise.text.table import text_table

PAGE = "study.html"
_HOLDS = {True: "holds", False: "does not hold", None: "cannot be judged"}
_PLACES_NOTES = [
    "One node, all processes together, as the affinity library plans their threads; where the network cards "
    "hang and which cores share an L3 is assumed.",
    "Shared cores have several pinned threads; outside: threads that leave their process's cores; mixed: "
    "cores of workers and others of one process; in one piece: each role's cores are adjacent; a dash: not "
    "pinned. The last column: the smallest object that holds the network card and all cores that a process's "
    "comm_server may use, with the number of processes.",
]


def to_json(result: StudyResult) -> dict[str, Any]:
    """The document of `corewise study --json`."""
    measured, emulated = result.measured, result.emulated
    return {
        "name": result.study.name,
        "title": result.study.title,
        "paper": result.study.source,
        "scale": {"name": result.scale, "text": scale_text(result)},
        "claims": [_claim_document(verdict) for verdict in result.verdicts],
        "places": [asdict(row) for places in result.places.values() for row in places.rows],
        "same_bindings": {machine: places.same_binding for machine, places in result.places.items()},
        "bindings_verified": measured and all(start.verified for start in measured.starts),
        "measured": measured and sweep_to_json(measured.sweep),
        "emulated": emulated and _emulated_document(emulated),
        "missing": None if result.missing is None else str(result.missing),
    }


def _emulated_document(emulated: Emulated) -> dict[str, Any]:
    """The sweep, and which node each rank was on in each case."""
    nodes = {
        case.name: {label: placement.node for label, placement in case.placements.items()}
        for case in emulated.cases
    }
    own = {"program": emulated.program, "nodes": nodes, "notes": emulated.notes}
    return sweep_to_json(emulated.sweep) | own


def _claim_document(verdict: Verdict) -> dict[str, Any]:
    claim = verdict.claim
    return {
        "figure": claim.figure,
        "machines": verdict.machines,
        "claim": claim.sentence,
        "formula": claim.formula,
        "paper": claim.paper,
        "ours": verdict.ours,
        "source": verdict.source,
        "fitted": False,
        "holds": verdict.holds,
        "because": verdict.because,
    }


def scale_text(result: StudyResult) -> str:
    """How large it ran here, in sentences."""
    if result.emulated is not None:
        return " ".join([f"Scale {result.scale}.", *result.emulated.notes])
    if result.measured is None:
        return "Nothing was run."
    starts, same = result.measured.starts, result.measured.same_binding
    nodes = ", ".join(str(n) for n in sorted({start.nodes for start in starts}))
    per_node = {start.binding: start.n_processes // start.nodes for start in starts}
    bound = ", ".join(f"{n} a node bound to {binding}" for binding, n in per_node.items())
    sentences = [
        f"Scale {result.scale}: this host stands for {nodes} nodes, whose processes share its "
        f"{result.measured.n_cores} cores ({bound})."
    ]
    for name, of in same.items():
        noise = binding_noise(result.measured.times, name, of) if of else None
        if noise is not None:
            sentences.append(
                f"Binding to {name} and to {of} gives the same cores here, yet times differ by "
                f"{percent_text(noise)} (median): that much is noise."
            )
    return " ".join(sentences)


def claims_table(result: StudyResult) -> TextTable:
    """A row a verdict; what can't be judged has our number beside the paper's all the same."""
    rows = [
        [
            verdict.claim.figure,
            _HOLDS[verdict.holds],
            _figure_text(verdict.claim.paper),
            _figure_text(verdict.ours),
            verdict.source,
            ", ".join(verdict.machines),
            verdict.claim.sentence,
        ]
        for verdict in result.verdicts
    ]
    counts = {words: sum(v.holds is holds for v in result.verdicts) for holds, words in _HOLDS.items()}
    summary = "; ".join(f"{words}: {n}" for words, n in counts.items())
    heads = ["<fig.", "<", ">paper", ">ours", "<source", "<machine", "<claim"]
    notes = [f"{counted(len(rows), 'claim')}: {summary}. {_open_note(result)}", scale_text(result)]
    notes += result.study.notes
    return TextTable(heads, rows, notes)


def _open_note(result: StudyResult) -> str:
    if result.study.emulated is not None:
        return "Emulated times decide claims about the network between nodes, and no others."
    if result.measured is None:
        return "Claims about times need a measurement, and one of the paper's machines."
    return "Claims about times on the paper's machines stay open: ours are of this machine, at another scale."


def _figure_text(figure: float | str | None) -> str:
    if figure is None:
        return "-"
    return figure if isinstance(figure, str) else f"{figure:.3g}"


def places_table(result: StudyResult) -> TextTable:
    """A row for each machine, binding and policy: where the threads of one node go (computed)."""
    heads = [
        "<machine",
        "<binding",
        "<policy",
        ">processes",
        ">threads",
        ">shared cores",
        ">most on one",
        ">idle",
    ]
    heads += [">outside", ">mixed", "<in one piece", ">helper domains", "<comm_server and card in one"]
    rows = [_places_cells(row) for places in result.places.values() for row in places.rows]
    notes = [
        f"{machine}: {name} binding has the same cores as {of}."
        for machine, places in result.places.items()
        for name, of in places.same_binding.items()
        if of
    ]
    notes += [
        f"{row.machine}, {row.binding}, {row.policy}: {row.sharing}."
        for places in result.places.values()
        for row in places.rows
        if row.sharing
    ]
    notes += _PLACES_NOTES
    return TextTable(heads, rows, notes)


def _places_cells(row: ThreadPlaces) -> list[str]:
    cells = [row.machine, row.binding, row.policy, str(row.n_processes), str(row.n_threads)]
    distance = ", ".join(
        name if row.n_processes == 1 else f"{name}: {n}" for name, n in sorted(row.card_distance.items())
    )
    if row.adjacent is None:
        return [*cells, "-", "-", str(row.idle_cores), str(row.outside), "-", "-", "-", distance]
    numbers = (row.shared_cores, row.most_on_a_core, row.idle_cores, row.outside, row.mixed_cores)
    return [*cells, *map(str, numbers), "yes" if row.adjacent else "no", str(row.helper_domains), distance]


def improvements_table(runs: EmulatedRuns, emulated: Emulated) -> TextTable:
    """A row a case and placement: its time, and its improvement over the baseline."""
    estimates, samples = emulated.estimates, emulated.n_samples
    rows = []
    for case in emulated.cases:
        base = estimates.get((case.name, runs.baseline))
        for label in runs.placements:
            own = estimates.get((case.name, label))
            cells = [case.name, label, str(samples[case.name, label])]
            if own is None:
                rows.append([*cells, "-", "every run failed", "-"])
                continue
            spread = f"{seconds_text(own.low)} to {seconds_text(own.high)}"
            improvement = percent_text(base.expected / own.expected - 1) if base else "-"
            rows.append([*cells, seconds_text(own.expected), spread, improvement])
    heads = ["<case", "<placement", ">runs", ">median", ">interval", ">improvement"]
    formula = f"Improvement: t_{runs.baseline} / t - 1 of the medians; interval: bootstrap, of the median."
    return TextTable(heads, rows, [formula, *sweep_notes(emulated.sweep)])


def _tables(result: StudyResult) -> dict[str, TextTable]:
    tables = {"Claims": claims_table(result)}
    if result.places:
        tables["Thread places (computed)"] = places_table(result)
    if result.emulated is not None:
        tables["Improvements (emulated)"] = improvements_table(result.study.emulated, result.emulated)
    if result.measured is not None:
        tables["Times (measured here)"] = estimates_table(result.measured.sweep)
    return tables


def text(result: StudyResult) -> list[str]:
    """Everything for a terminal."""
    lines = [f"{result.study.name}: {result.study.title}", result.study.source]
    for title, table in _tables(result).items():
        lines += [*text_table(title, table.heads, table.rows), "", *table.notes]
    return lines


def write_study(result: StudyResult, folder: Path) -> None:
    """Writes study.html with the figures inside; raises InputError."""
    ran = result.measured or result.emulated
    figures = draw_figures(ran.sweep.spec, ran.sweep.rows) if ran else {}
    date = datetime.now(timezone.utc).isoformat(timespec="seconds")
    folder.mkdir(parents=True, exist_ok=True)
    write_page(tables_page(f"study: {result.study.name}", date, _tables(result), figures), folder / PAGE)
