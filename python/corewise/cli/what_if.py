"""Several machines or inputs in one `corewise advise`: document, table and picture of the gains."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from corewise.cli.progress import with_progress
from corewise.text.any_bytes import json_text
from corewise.text.gains import GAIN, gain_formula

if TYPE_CHECKING:
    from corewise.mapping.comparison import Comparison
    from corewise.mapping.request import Request
    from corewise.mapping.what_if import Case
    from corewise.plots.picture_file import Picture
    from corewise.profile.inputs import Input


def advise_on_each(
    inputs: list[Input],
    specs: tuple[str, ...],
    request: Request,
    extrapolate: bool,
    pictures: list[Picture],
    as_json: bool,
) -> None:
    """Prints the gain on each machine and draws it."""
    from corewise.machines import load
    from corewise.mapping.what_if import compare_case, plan_cases, unused

    machines = [(spec, load(spec)) for spec in dict.fromkeys(specs)]
    cases = plan_cases(inputs, machines, request, extrapolate)
    judged = [
        (
            case,
            with_progress(
                f"looking for the best and the worst of {case.n_ranks} ranks on {case.spec}",
                partial(compare_case, case, request),
            ),
        )
        for case in cases
    ]
    notes = _notes(judged, unused(inputs, cases))
    if as_json:
        click.echo(json_text({"gain_formula": GAIN, "cases": [_entry(*of) for of in judged], "notes": notes}))
    else:
        click.echo("\n".join([*_table(judged), "", *notes]))
    if pictures:
        _draw(judged, pictures)


def _entry(case: Case, comparison: Comparison) -> dict[str, Any]:
    advice = comparison.advice
    scaled_from = {"input": case.source.name, "n_ranks": case.source.traffic.n_ranks, "form": case.form}
    return {
        "machine": case.spec,
        "n_nodes": case.machine.n_nodes,
        "n_cores": case.machine.n_cores,
        "input": case.source.name,
        "n_ranks": case.n_ranks,
        "extrapolated_from": scaled_from if case.form else None,
        "empty_nodes": case.empty_nodes,
        "matters": advice.matters,
        "gain": {name: getattr(advice.gain, name) for name in ("low", "expected", "high")},
        "gain_of": advice.gain_of,
        "gain_formula": gain_formula(advice.gain_of),
        "times_left_out": comparison.left_out,
        "ratio": advice.ratio,
        "because": advice.because,
        "default_is": comparison.default.note,
    }


def _table(judged: list[tuple[Case, Comparison]]) -> list[str]:
    from corewise.text.quantities import percent_text
    from corewise.text.table import text_table

    rows = []
    for case, comparison in judged:
        advice = comparison.advice
        low, high = percent_text(advice.gain.low), percent_text(advice.gain.high)
        rows.append(
            (
                case.spec,
                f"{case.n_ranks}{'*' if case.form else ''}",
                case.source.name,
                advice.matters,
                percent_text(advice.gain.expected),
                f"{low} to {high}",
                "run" if advice.gain_of == "run" else "communication",
                "-" if advice.ratio is None else f"{advice.ratio:.2f}",
            )
        )
    heads = ("<machine", ">ranks", "<input", "<matters", ">gain", "<interval", "<of", ">inter/intra")
    return text_table(f"Predicted gain, {GAIN} of what the column 'of' names", heads, rows)[1:]


def _notes(judged: list[tuple[Case, Comparison]], left: list[Input]) -> list[str]:
    """What the numbers hold for, in sentences."""
    forms = {case.form: case.source for case, _ in judged if case.form}
    notes = [
        f"* Extrapolated, nobody traced it: {source.name}, a {form}, at as many ranks as the machine has "
        "cores, with blocks of the same size."
        for form, source in forms.items()
    ]
    for case, _ in judged:
        if case.empty_nodes:
            notes.append(
                f"{case.spec}: {case.n_ranks} ranks leave {case.empty_nodes} of {case.machine.n_nodes} nodes "
                "empty in block order (--extrapolate scales known patterns)."
            )
    reasons_left_out = dict.fromkeys(of.left_out for _, of in judged if of.left_out)
    notes += [f"{text[0].upper()}{text[1:]}." for text in reasons_left_out]
    notes += [f"{found.name}: no machine given is of its size." for found in left]
    reasons: dict[str, list[str]] = {}
    for case, comparison in judged:
        reasons.setdefault(comparison.advice.because, []).append(case.spec)
    notes += [f"{', '.join(specs)}: {because}." for because, specs in reasons.items()]
    return notes


def _draw(judged: list[tuple[Case, Comparison]], pictures: list[Picture]) -> None:
    from corewise.machines import without_count
    from corewise.plots.gain_curves import GainPoint, gain_curves

    curves: dict[str, list[GainPoint]] = {}
    for case, comparison in judged:
        gain = comparison.advice.gain
        point = GainPoint(case.n_ranks, gain.low, gain.expected, gain.high, case.form is not None)
        curves.setdefault(without_count(case.spec), []).append(point)
    title = ", ".join(dict.fromkeys(case.source.name for case, _ in judged))
    for picture in pictures:
        picture.write(gain_curves(curves, title, picture.drawn_as), title)
