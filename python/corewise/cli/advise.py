"""corewise advise: does placement matter for this program on this machine?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corewise.cli import completing
from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_noun
from corewise.cli.options import json_option, machine_option, picture_option
from corewise.cli.request_options import TRAFFIC_OPTIONS, request_options, traffic_options

if TYPE_CHECKING:
    from corewise.nouns.comparison import AdviceOnMachines, Comparison
    from corewise.plots.picture_file import Picture


@click.command(cls=GroupedCommand, epilog="Example:  corewise advise app.profile --machine draco:8")
@click.argument("sources", metavar="INPUT...", shell_complete=completing.files, nargs=-1, required=True)
@machine_option("Repeatable: compares the machines.", several=True)
@picture_option("The gain of each machine over the number of ranks.", old={"--png": "png", "--svg": "svg"})
@request_options
@traffic_options
@json_option()
def command(
    sources: tuple[str, ...],
    specs: tuple[str, ...],
    pictures: list[Picture],
    as_json: bool,
    **asked: Any,
) -> None:
    """Predict whether the placement of ranks matters for INPUT, a profile or a matrix, on a machine.

    The answer is yes, no or unsure, with the predicted gain, 1 - t_best / t_default, and the reason. For a
    profile with times the gain is that of the whole run, otherwise of communication alone.

    Several machines are compared in a table. Several INPUTs are one program with different numbers of ranks:
    each machine gets the largest that fits its cores.
    """
    from corewise import verbs
    from corewise.cli.progress import status_line, with_progress
    from corewise.notebook import gains_picture

    several = len(sources) > 1 or len(set(specs)) > 1
    if not several and pictures:
        raise click.UsageError("--picture draws the gain on several machines; expected --machine again")
    of_traffic = {name: asked.pop(name) for name in TRAFFIC_OPTIONS}
    inputs = [verbs.read(source, **of_traffic) for source in sources]
    if several:
        with status_line() as show:
            found = verbs.advise_machines(
                inputs,
                specs,
                progress=lambda what, n_done, n_all: show(f"{what} ({n_done} of {n_all} done)"),
                **asked,
            )
        print_noun(found, as_json, lambda: _machines_text(found))
        for picture in pictures:
            picture.write_figure(lambda: gains_picture(found), "predicted gain")
        return
    comparison = with_progress(
        f"searching for the best and the worst of {inputs[0].traffic.n_ranks} ranks",
        lambda: verbs.advise(inputs[0], specs[0], **asked),
    )
    print_noun(comparison, as_json, lambda: _text(comparison))


def _text(comparison: Comparison) -> list[str]:
    from corewise.mapping.scoring import score_text
    from corewise.text.quantities import confidence_text

    confidence = comparison.gain_confidence
    sure = f", {confidence_text(confidence)} confidence" if confidence else ""
    of = "run" if comparison.gain_of == "run" else "communication time"
    lines = [
        f"{comparison.verdict}: {comparison.because}.",
        f"Predicted gain of the {of}: {comparison.gain.text(sure)}, {comparison.gain_formula}.",
    ]
    if comparison.gain.low < 0 < comparison.gain.high:
        lines.append("The best placement may also be slower: `corewise tune` measures it.")
    lines += [comparison.predicted_from, *comparison.notes]
    if comparison.ratio is not None:
        lines.append(f"Inter-node over intra-node bytes: {comparison.ratio:.2f}.")
    if comparison.offer_spread:
        lines.append("The network is faster than shared memory at these sizes: try the solver spread.")
    lines.append("")
    for row in comparison.rows_to_show():
        lines += [
            f"{label:<8} {row.name} {score_text(row, one.scores[row.name])}"
            for label, one in comparison.placements.items()
        ]
    return lines


def _machines_text(found: AdviceOnMachines) -> list[str]:
    """A row for each machine or input, and what the numbers are valid for."""
    from corewise.nouns.advice import GAIN
    from corewise.text.quantities import percent_text
    from corewise.text.table import text_table

    rows = [
        (
            case.machine,
            f"{case.n_ranks}",
            case.input,
            case.matters,
            percent_text(case.gain.expected),
            f"{percent_text(case.gain.low)} to {percent_text(case.gain.high)}",
            case.gain_of,
            "-" if case.ratio is None else f"{case.ratio:.2f}",
        )
        for case in found.cases
    ]
    heads = ("<machine", ">ranks", "<input", "<matters", ">gain", "<interval", "<of", ">inter/intra")
    table = text_table(f"Predicted gain, {GAIN} of what the column 'of' names", heads, rows)[1:]
    return [*table, "", *found.notes]
