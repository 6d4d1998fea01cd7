"""corewise advise: does placement matter for this program on this machine?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corewise.cli.request_options import read_traffic, request_asked, request_options, traffic_options
from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.mapping.comparison import Comparison

GAIN = "1 - t_best / t_default"


@click.command(epilog="Example:  corewise advise app.profile --machine draco:8")
@click.argument("source", metavar="INPUT")
@click.option("--machine", "spec", metavar="M", default="local", help="The machine; this one if not given.")
@request_options
@traffic_options
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(source: str, spec: str, as_json: bool, **asked) -> None:
    """Say whether it matters where the ranks of INPUT, a profile or a matrix, run on a machine.

    The answer is yes, no or unsure, with the predicted gain (1 - t_best / t_default) and the reason. It rests
    on the SMP-CMP paper's guideline and on the estimated times of the best and the worst placement.
    """
    from corewise.cli.progress import with_progress
    from corewise.machines import load
    from corewise.mapping.comparison import compare
    from corewise.mapping.default_placement import slots_in_order

    found = read_traffic(source, asked.pop("phases"), asked.pop("layer"))
    machine = load(spec)
    request = request_asked(**asked)
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
    from corewise.text.quantities import percent_text

    advice, row = comparison.advice, comparison.objective
    verdict = {"yes": "Placement matters", "no": "Leave it alone", "unsure": "Unsure"}[advice.matters]
    gain = advice.gain
    low, high = percent_text(gain.low), percent_text(gain.high)
    of = "run" if advice.gain_of == "run" else "communication time"
    lines = [
        f"{verdict}: {advice.because}.",
        f"Predicted gain of the {of}: {percent_text(gain.expected)} ({low} to {high}), {GAIN}.",
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
