"""Several machines or inputs in one `corewise advise`: document, table and picture of the gains."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from corewise.cli.listing import print_noun
from corewise.cli.progress import with_progress

if TYPE_CHECKING:
    from corewise.mapping.machine_comparison import MachineInput
    from corewise.mapping.request import MappingRequest
    from corewise.nouns import comparison as nouns
    from corewise.nouns.comparison import Comparison
    from corewise.plots.picture_file import Picture
    from corewise.profile.inputs import Input


def advise_on_each(
    inputs: list[Input],
    specs: tuple[str, ...],
    request: MappingRequest,
    extrapolate: bool,
    pictures: list[Picture],
    as_json: bool,
) -> None:
    """Compares the machines, prints the gains, and draws them."""
    from corewise.machines import load
    from corewise.mapping.machine_comparison import compare_on, inputs_for, unused
    from corewise.nouns.comparison import AdviceOnMachines

    machines = [(spec, load(spec)) for spec in dict.fromkeys(specs)]
    cases = inputs_for(inputs, machines, request, extrapolate)
    judged = [
        (
            case,
            with_progress(
                f"searching for the best and the worst of {case.n_ranks} ranks on {case.spec}",
                partial(compare_on, case, request),
            ),
        )
        for case in cases
    ]
    notes = _notes(judged, unused(inputs, cases))
    found = AdviceOnMachines([_entry(*of) for of in judged], notes)
    print_noun(found, as_json, lambda: [*_table(judged), "", *notes])
    if pictures:
        _draw(judged, pictures)


def _entry(case: MachineInput, comparison: Comparison) -> nouns.MachineAdvice:
    from corewise.nouns import comparison as nouns
    from corewise.nouns.advice import Advice

    source = case.source
    scaled_from = nouns.Extrapolated(source.name, source.traffic.n_ranks, case.form) if case.form else None
    return nouns.MachineAdvice(
        **{name: getattr(comparison, name) for name in Advice.__struct_fields__},
        machine=case.spec,
        n_nodes=case.machine.n_nodes,
        n_cores=case.machine.n_cores,
        input=source.name,
        n_ranks=case.n_ranks,
        extrapolated_from=scaled_from,
        empty_nodes=case.empty_nodes,
        times_left_out=comparison.times_left_out,
        default_is=comparison.default_is,
    )


def _table(judged: list[tuple[MachineInput, Comparison]]) -> list[str]:
    from corewise.nouns.advice import GAIN
    from corewise.text.quantities import percent_text
    from corewise.text.table import text_table

    rows = []
    for case, comparison in judged:
        low, high = percent_text(comparison.gain.low), percent_text(comparison.gain.high)
        rows.append(
            (
                case.spec,
                f"{case.n_ranks}{'*' if case.form else ''}",
                case.source.name,
                comparison.matters,
                percent_text(comparison.gain.expected),
                f"{low} to {high}",
                "run" if comparison.gain_of == "run" else "communication",
                "-" if comparison.ratio is None else f"{comparison.ratio:.2f}",
            )
        )
    heads = ("<machine", ">ranks", "<input", "<matters", ">gain", "<interval", "<of", ">inter/intra")
    return text_table(f"Predicted gain, {GAIN} of what the column 'of' names", heads, rows)[1:]


def _notes(judged: list[tuple[MachineInput, Comparison]], left: list[Input]) -> list[str]:
    """Sentences on what the numbers are valid for."""
    forms = {case.form: case.source for case, _ in judged if case.form}
    notes = [
        f"* Extrapolated, not traced: {source.name}, a {form}, at as many ranks as the machine has "
        "cores, with blocks of the same size."
        for form, source in forms.items()
    ]
    for case, _ in judged:
        if case.empty_nodes:
            notes.append(
                f"{case.spec}: {case.n_ranks} ranks leave {case.empty_nodes} of {case.machine.n_nodes} nodes "
                "empty in block order (--extrapolate scales known patterns)."
            )
    reasons_left_out = dict.fromkeys(of.times_left_out for _, of in judged if of.times_left_out)
    notes += [f"{text[0].upper()}{text[1:]}." for text in reasons_left_out]
    notes += [f"{found.name}: no machine given is of its size." for found in left]
    reasons: dict[str, list[str]] = {}
    for case, comparison in judged:
        reasons.setdefault(comparison.because, []).append(case.spec)
    notes += [f"{', '.join(specs)}: {because}." for because, specs in reasons.items()]
    return notes


def _draw(judged: list[tuple[MachineInput, Comparison]], pictures: list[Picture]) -> None:
    from corewise.machines import without_count
    from corewise.plots.gain_curves import GainPoint, gain_curves

    curves: dict[str, list[GainPoint]] = {}
    for case, comparison in judged:
        gain = comparison.gain
        point = GainPoint(case.n_ranks, gain.low, gain.expected, gain.high, case.form is not None)
        curves.setdefault(without_count(case.spec), []).append(point)
    title = ", ".join(dict.fromkeys(case.source.name for case, _ in judged))
    for picture in pictures:
        picture.write_figure(lambda: gain_curves(curves, title), title)
