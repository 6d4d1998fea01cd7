"""corewise advise: does placement matter for this program on this machine?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from corewise.cli.search_options import CPU_SECONDS, SEED

if TYPE_CHECKING:
    from corewise.mapping.default_placement import DefaultPlacement
    from corewise.model import Advice, Machine, Placement, Profile, Traffic

GAIN = "1 - t_best / t_default"


@click.command(epilog="Example:  corewise advise app.profile --machine draco:8")
@click.argument("source", metavar="INPUT")
@click.option("--machine", "spec", metavar="M", default="local", help="The machine; this one if not given.")
@click.option("--layer", type=click.Choice(["p2p", "coll", "rma"]), default="p2p", show_default=True)
@click.option("--seed", metavar="K", type=SEED, default=1, show_default=True)
@click.option(
    "--effort", type=click.Choice(["fast", "default", "strong"]), default="default", show_default=True
)
@click.option("--deadline", metavar="CPU_SECONDS", type=CPU_SECONDS, help="For each search.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(
    source: str, spec: str, layer: str, seed: int, effort: str, deadline: float | None, as_json: bool
) -> None:
    """Say whether it matters where the ranks of INPUT, a profile or a matrix, run on a machine.

    The answer is yes, no or unsure, with the predicted gain (1 - t_best / t_default) and the reason. It rests
    on the SMP-CMP paper's guideline and on the estimated times of the best and the worst placement.
    """
    from corewise import model
    from corewise.cli.progress import with_progress
    from corewise.machines import load
    from corewise.mapping.default_placement import default_placement
    from corewise.profile.inputs import read_input

    found = read_input(source, layer)
    machine = load(spec)
    default = default_placement(found, machine, traced_on_it=spec.startswith("local"))
    share = comm_share(found.profile)
    advice = with_progress(
        f"looking for the best and the worst of {found.traffic.n_ranks} ranks",
        lambda: model.advise(
            found.traffic,
            machine,
            default.placement,
            share,
            seed=seed,
            effort=effort,
            deadline_cpu_s=deadline,
        ),
    )
    if as_json:
        click.echo(json.dumps(_document(advice, found.traffic, machine, default, share)))
    else:
        click.echo("\n".join(_text(advice, found.traffic, machine, default)))


def comm_share(profile: Profile | None) -> float | None:
    """Time inside MPI over run time, all ranks together; None where nothing was timed."""
    if profile is None:
        return None
    wall_s = sum(rank.wall_s for rank in profile.ranks)
    return min(1.0, sum(rank.mpi_s for rank in profile.ranks) / wall_s) if wall_s > 0 else None


def _candidates(advice: Advice, default: DefaultPlacement) -> dict[str, Placement]:
    return {"default": default.placement, "best": advice.best.placement, "worst": advice.worst.placement}


def _document(
    advice: Advice, traffic: Traffic, machine: Machine, default: DefaultPlacement, share: float | None
) -> dict:
    from corewise.files.placement import PlacementFile
    from corewise.mapping.scoring import score_all, scores_json

    gain = {name: getattr(advice.gain, name) for name in ("low", "expected", "high")}
    document = {
        "matters": advice.matters,
        "gain": gain,
        "gain_formula": GAIN,
        "gain_of": "communication" if share is None else "run",
        "comm_share": share,
        "ratio": advice.ratio,
        "because": advice.because,
        "default_is": default.note,
        "offer_spread": advice.offer_spread,
    }
    for label, placement in _candidates(advice, default).items():
        scores = scores_json(machine, score_all(traffic, machine, placement))
        document[label] = {"scores": scores, "placement": PlacementFile.of(placement, machine).columns()}
    return document


def _text(advice: Advice, traffic: Traffic, machine: Machine, default: DefaultPlacement) -> list[str]:
    from corewise.mapping.scoring import default_objective, objectives_for, score_all, score_text
    from corewise.text.quantities import percent_text

    verdict = {"yes": "Placement matters", "no": "Leave it alone", "unsure": "Unsure"}[advice.matters]
    gain = advice.gain
    low, high = percent_text(gain.low), percent_text(gain.high)
    lines = [
        f"{verdict}: {advice.because}.",
        f"Predicted gain: {percent_text(gain.expected)} ({low} to {high}), {GAIN}.",
        f"{default.note[0].upper()}{default.note[1:]}.",
    ]
    if advice.ratio is not None:
        lines.append(f"Inter-node over intra-node bytes: {advice.ratio:.2f}.")
    if advice.offer_spread:
        lines.append("The network is faster than shared memory at these sizes: try the solver spread.")
    lines.append("")
    name = default_objective(machine)
    row = objectives_for(machine)[name]
    for label, placement in _candidates(advice, default).items():
        score = score_all(traffic, machine, placement)[name]
        lines.append(f"{label:<8} {name} {score_text(row, score)}")
    return lines
