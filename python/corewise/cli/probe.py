"""`corewise probe`: latency and bandwidth of every level of this machine, as a machine file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_noun
from corewise.cli.options import (
    json_option,
    launcher_argument,
    mpi_option,
    output_option,
    picture_option,
    repeat_time_option,
)
from corewise.cli.progress import status_line

if TYPE_CHECKING:
    from corewise.nouns.probed import Probed
    from corewise.plots.picture_file import Picture
    from corewise.probe.fitting import FittedLevel
    from corewise.probe.probing import ProbeResult

EXAMPLE = """\b
Example:
  corewise probe -o here.toml -- mpirun
  corewise probe -o cluster.toml --picture cluster.png -- mpirun --hostfile hosts
  corewise tune --machine cluster.toml -- mpirun --hostfile hosts -n 8 ./app
"""


@click.command(
    "probe", cls=GroupedCommand, epilog=EXAMPLE, context_settings={"allow_interspersed_args": False}
)
@output_option("target", "M.toml", "New machine file, which every --machine option takes.")
@picture_option("Time and bandwidth over the message size.")
@mpi_option("Needed if the launcher starts programs of both.")
@repeat_time_option("Default: 30.", keyword="limit_s", default=30.0)
@json_option()
@launcher_argument("-- LAUNCHER ...")
def command(
    target: Path | None,
    pictures: list[Picture],
    mpi: str | None,
    limit_s: float,
    as_json: bool,
    argv: tuple[str, ...],
) -> None:
    """Measure latency and bandwidth of every level of the machine, and which links pairs of cores share.

    LAUNCHER ... is a command without a program: probe starts its own, on cores that it verifies. It measures
    a few pairs of each level. A number of ranks in the command is an upper limit.
    """
    from corewise.files.whole_file import write_whole
    from corewise.probe.probing import probe

    _check_target(target)
    with status_line() as show:
        result = probe(
            list(argv),
            mpi,
            limit_s,
            lambda of_pass, n_done, n: show(f"pass {of_pass}: {n_done} of {n} measurements"),
        )
    if target is not None:
        write_whole(target, result.machine_file(target.stem))
    _draw(result, pictures)
    print_noun(_probed(result, target), as_json, lambda: _text(result))
    for path in (target, *(picture.path for picture in pictures)):
        if path is not None:
            click.echo(f"wrote {path}", err=True)


def _check_target(target: Path | None) -> None:
    """Raises, before the long measurement, if the file can't be written."""
    from corewise.files.document import check_replaced
    from corewise.files.whole_file import check_folder
    from corewise.machines.machine_file import MachineFile

    if target is None:
        return
    check_replaced(target, MachineFile.read, "a machine file")
    check_folder(target)
    if target.suffix != ".toml":
        raise click.UsageError(
            f"-o {target}: expected a name that ends in .toml, by which M is known as a file"
        )


def _draw(result: ProbeResult, pictures: list[Picture]) -> None:
    from corewise.plots.link_curves import link_curves

    curves = {name: found.figures.curve for name, found in result.levels.items()}
    title = f"{result.machine.name}, {result.conditions['launcher']}, {result.date}"
    for picture in pictures:
        picture.write_figure(lambda: link_curves(curves, title))


def _probed(result: ProbeResult, target: Path | None) -> Probed:
    """What `--json` prints."""
    from corewise.nouns.probed import Probed, ProbedLevel

    levels = [
        ProbedLevel.of(
            found.figures,
            name=name,
            n_pairs=found.n_pairs,
            groups=[[pair for pair, _ in group] for group in found.groups],
        )
        for name, found in result.levels.items()
    ]
    return Probed(
        machine=result.machine.name,
        fingerprint=result.machine.fingerprint,
        command=result.command,
        date=result.date,
        conditions=result.conditions,
        n_ranks=len(result.measured.run.ranks),
        n_passes=result.measured.n_passes,
        verified=result.measured.run.verified,
        wall_s=result.measured.run.wall_s,
        levels=levels,
        notes=result.notes,
        file=str(target) if target else None,
    )


def _text(result: ProbeResult) -> list[str]:
    """A row for each level, the highest first, then the notes."""
    from corewise.probe.probing import passes_text
    from corewise.text.quantities import counted
    from corewise.text.table import text_table

    rows = [_row(name, found) for name, found in reversed(result.levels.items())]
    heads = (
        "<level",
        ">latency",
        ">",
        ">bandwidth",
        ">",
        "<both ways at once",
        "<several links",
        ">eager up to",
    )
    measured = result.measured
    title = (
        f"{result.machine.name}: {counted(len(measured.run.ranks), 'rank')} on verified cores, "
        f"{passes_text(measured.n_passes)}, {measured.run.wall_s:.3g} s"
    )
    lines = text_table(title, heads, rows)
    return lines[1:] + (
        ["", *(f"{note[0].upper()}{note[1:].rstrip('.')}." for note in result.notes)] if result.notes else []
    )


def _row(name: str, found: FittedLevel) -> tuple[str, ...]:
    from corewise.text.quantities import bytes_text, rate_text, seconds_text

    figures = found.figures
    latency, bandwidth = figures.latency_bounds_s, figures.bandwidth_bounds_bytes_per_s
    assert latency and bandwidth  # measured figures have bounds
    return (
        name,
        seconds_text(figures.latency_s),
        f"({seconds_text(latency[0])} to {seconds_text(latency[1])})",
        rate_text(figures.bandwidth_bytes_per_s),
        f"({rate_text(bandwidth[0])} to {rate_text(bandwidth[1])})",
        {None: "-", True: "twice as much", False: "shared"}[figures.duplex],
        {None: "-", True: "share a bus", False: "independent"}[figures.shares_bus],
        "-" if figures.eager_bytes is None else bytes_text(figures.eager_bytes),
    )
