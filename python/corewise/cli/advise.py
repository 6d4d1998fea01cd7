"""corewise advise: does placement matter for this program on this machine?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.cli.request_options import read_traffic, request_asked, request_options, traffic_options
from corewise.cli.what_if import GAIN, advise_on_each, pictures_asked
from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.mapping.comparison import Comparison
    from corewise.mapping.request import Request
    from corewise.profile.inputs import Input


@click.command(epilog="Example:  corewise advise app.profile --machine draco:8")
@click.argument("sources", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "--machine",
    "specs",
    metavar="M",
    multiple=True,
    default=("local",),
    help="The machine; this one if not given. Repeatable: the gain on each, with the input that fits it.",
)
@click.option(
    "--extrapolate",
    is_flag=True,
    help="Scale a pattern of known form to the cores of a machine that no input fills.",
)
@click.option(
    "--png",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the gain on several machines over the number of ranks.",
)
@click.option("--svg", type=click.Path(path_type=Path), metavar="FILE", help="The same as SVG.")
@request_options
@traffic_options
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(
    sources: tuple[str, ...],
    specs: tuple[str, ...],
    extrapolate: bool,
    png: Path | None,
    svg: Path | None,
    as_json: bool,
    **asked,
) -> None:
    """Say whether it matters where the ranks of INPUT, a profile or a matrix, run on a machine.

    The answer is yes, no or unsure, with the predicted gain (1 - t_best / t_default) and the reason. It rests
    on the SMP-CMP paper's guideline and on the estimated times of the best and the worst placement.

    Several machines make a table. Several INPUTs are the same program with different numbers of ranks: a
    machine takes the one with most ranks that it has cores for.
    """
    several = len(sources) > 1 or len(set(specs)) > 1 or extrapolate
    if not several and (png or svg):
        raise click.UsageError("--png and --svg draw the gain on several machines; expected --machine again")
    pictures = pictures_asked(png, svg)
    phases, layer = asked.pop("phases"), asked.pop("layer")
    inputs = [read_traffic(source, phases, layer) for source in sources]
    request = request_asked(**asked)
    if several:
        advise_on_each(inputs, specs, request, extrapolate, pictures, as_json)
    else:
        _advise_on_one(inputs[0], specs[0], request, as_json)


def _advise_on_one(found: Input, spec: str, request: Request, as_json: bool) -> None:
    from corewise.cli.progress import with_progress
    from corewise.machines import load
    from corewise.mapping.comparison import compare
    from corewise.mapping.default_placement import slots_in_order

    machine = load(spec)
    slots = slots_in_order(found) if spec.startswith("local") else None
    comparison = with_progress(
        f"looking for the best and the worst of {found.traffic.n_ranks} ranks",
        lambda: compare(found, machine, request, slots),
    )
    if as_json:
        click.echo(json_text(_document(comparison)))
    else:
        click.echo("\n".join(_text(comparison)))


def _document(comparison: Comparison) -> dict:
    from corewise.mapping.scoring import scores_json

    advice, times = comparison.advice, comparison.times
    gain = {name: getattr(advice.gain, name) for name in ("low", "expected", "high")}
    document = {
        "matters": advice.matters,
        "gain": gain,
        "gain_confidence": comparison.confidence,
        "gain_formula": GAIN,
        "gain_of": advice.gain_of,
        "comm_share": times and times.mpi_s / times.run_s,
        "transfer_share": advice.transfer_share,
        "ratio": advice.ratio,
        "because": advice.because,
        "default_is": comparison.default.note,
        "offer_spread": advice.offer_spread,
    }
    files = comparison.files()
    for label, scores in comparison.scores().items():
        document[label] = {
            "scores": scores_json(comparison.best.machine, scores),
            "placement": files[label].columns(),
        }
    return document


def _text(comparison: Comparison) -> list[str]:
    from corewise.mapping.scoring import score_text
    from corewise.text.quantities import confidence_text, percent_text

    advice, row = comparison.advice, comparison.objective
    verdict = {"yes": "Placement matters", "no": "Leave it alone", "unsure": "Unsure"}[advice.matters]
    gain = advice.gain
    low, high = percent_text(gain.low), percent_text(gain.high)
    sure = f", {confidence_text(comparison.confidence)} confidence" if comparison.confidence else ""
    of = "run" if advice.gain_of == "run" else "communication time"
    lines = [
        f"{verdict}: {advice.because}.",
        f"Predicted gain of the {of}: {percent_text(gain.expected)} ({low} to {high}{sure}), {GAIN}.",
        f"{comparison.default.note[0].upper()}{comparison.default.note[1:]}.",
    ]
    if advice.ratio is not None:
        lines.append(f"Inter-node over intra-node bytes: {advice.ratio:.2f}.")
    if advice.offer_spread:
        lines.append("The network is faster than shared memory at these sizes: try the solver spread.")
    lines.append("")
    for label, scores in comparison.scores().items():
        lines.append(f"{label:<8} {row.name} {score_text(row, scores[row.name])}")
    return lines
