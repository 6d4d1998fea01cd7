"""Reads the INPUT of commands, a profile or a matrix in any supported format, as an Input."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corewise import model
from corewise.errors import InputError, option, require_number
from corewise.files.otf2_archive import SUFFIX
from corewise.nouns.tables import Tabular, traffic_columns
from corewise.profile.dense import MOST_RANKS
from corewise.profile.formats import format_named, read_file
from corewise.profile.formats.format import opened, refuse_unread_folder
from corewise.profile.formats.openmpi_monitoring import read_openmpi_monitoring
from corewise.profile.otf2_input import read_otf2
from corewise.profile.reading import read_profile
from corewise.text.escaping import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Messages of this size and more are large: the SMP-CMP paper claims nothing for smaller ones (section V.B,
# Figure 9).
LARGE_MESSAGE_BYTES = 32 * 1024

# "coll:..." are the messages of an algorithm for collectives (SMP-CMP paper, section IV).
LAYERS = ("p2p", "coll", "coll:binomial", "coll:recursive-doubling", "coll:ring", "rma")

# The archive in the folder of a Score-P measurement.
SCOREP_ANCHOR = "traces.otf2"

# Open MPI monitoring writes PREFIX.RANK.prof.
MONITORING_FILE = re.compile(r"(?P<prefix>.*)\.\d+\.prof")


@dataclass(frozen=True)
class Input(Tabular):
    """An input that was read. `traffic` is one layer of it; `profile` is None for a bare matrix.

    `name` is the file's own name, `kind` one of profile.formats.FORMATS. `complete` is False if only a part
    was recorded, for example of a killed job; `faults` are sentences on what is missing. `layer` is one of
    LAYERS.
    """

    name: str
    kind: str
    traffic: model.Traffic
    profile: model.Profile | None = None
    complete: bool = True
    faults: tuple[str, ...] = ()
    layer: str = "p2p"

    if TYPE_CHECKING:  # notebook.py adds it

        def plot(self, title: str | None = None, ranks_per_node: int | None = None) -> Figure: ...

    def columns(self) -> dict[str, Any]:
        """The pairs of the traffic."""
        return traffic_columns(self.traffic)


def read_input(path: str, layer: str = "p2p", several_worlds: bool = False, form: str | None = None) -> Input:
    """Reads a profile directory or a matrix file (`-`: standard input) of one of FORMATS.

    `form` is the format's name, None to recognise it from the file.

    `layer` is one of LAYERS; matrix files have only p2p. For a profile, `traffic.large` has the layer's
    messages of LARGE_MESSAGE_BYTES and more. Raises InputError naming file and line, and for a profile with
    spawned processes unless `several_worlds`.
    """
    layer_named(layer)
    if form is not None and format_named(form).read is not None:
        return _matrix_input(path, layer, form)
    target = Path(os.path.abspath(path))  # "." has a name too
    name = printable(target.name)
    if target.suffix.lower() == SUFFIX and target.is_file():
        return _otf2_input(name, Path(path), layer)
    monitoring = monitoring_files(path)
    if monitoring:
        return _monitoring_input(path, monitoring, layer)
    if os.path.isdir(path):
        if (target / SCOREP_ANCHOR).is_file():
            return _otf2_input(name, Path(path) / SCOREP_ANCHOR, layer)
        refuse_unread_folder(target)
        return profile_input(name, read_profile(target), layer, several_worlds)
    if path != "-" and not os.path.exists(path):
        raise InputError(
            "no such file; expected a profile or a matrix (corewise show --list names the formats), "
            "or the prefix of Open MPI monitoring's PREFIX.RANK.prof files",
            path=path,
        )
    return _matrix_input(path, layer, form)


def _monitoring_input(path: str, files: list[Path], layer: str) -> Input:
    """One layer of Open MPI monitoring's `files`; the user named them by `path`."""
    layer_of_name, flow = layer_named(layer)
    if flow != model.CollectiveFlow.logical:
        raise InputError(
            f"holds messages as sent; expected a profile for {option('layer', layer)}", path=path
        )
    traffic = model.Traffic.of(read_openmpi_monitoring(files, layer_of_name))
    return Input(printable(Path(os.path.abspath(path)).name), "openmpi-monitoring", traffic, layer=layer)


def _matrix_input(path: str, layer: str, form: str | None) -> Input:
    with opened(path) as file:
        kind, matrix = read_file(file, form)
        if kind == "openmpi-monitoring":
            return _monitoring_input(path, [file.path], layer)
    if layer != "p2p":
        raise InputError(
            f"a matrix holds point-to-point traffic alone; expected a profile for {option('layer', layer)}",
            path=path,
        )
    return Input(printable(Path(os.path.abspath(path)).name), kind, model.Traffic.of(matrix))


def profile_input(
    name: str, profile: model.Profile, layer: str = "p2p", several_worlds: bool = False
) -> Input:
    """One layer of a profile that was read already; `name` and the rest as in read_input()."""
    if len(profile.worlds) > 1 and not several_worlds:
        n_started = profile.worlds[0][1]
        raise InputError(
            f"{name}: {profile.n_ranks - n_started} of its {profile.n_ranks} ranks were spawned while it "
            "ran; expected a profile of one MPI_COMM_WORLD, because a launcher places only the ranks that it "
            "starts (`corewise show` takes this one)"
        )
    layer_of_name, flow = layer_named(layer)
    traffic = profile.traffic(layer_of_name, LARGE_MESSAGE_BYTES, flow)
    return Input(name, "profile", traffic, profile, profile.complete, tuple(profile.faults), layer)


def _otf2_input(name: str, anchor: Path, layer: str) -> Input:
    found = read_otf2(anchor, layer, LARGE_MESSAGE_BYTES)
    faults = tuple(found.faults)
    return Input(name, "otf2", found.traffic, complete=not faults, faults=faults, layer=layer)


def as_phases(inputs: list[Input]) -> Input:
    """The phases of all inputs one after the other; name, kind and profile are the first's.

    Large messages are those of all inputs; all messages of an input without sizes count as large, as in a
    solver. Raises InputError if the inputs differ in their number of ranks.
    """
    first = inputs[0]
    if len(inputs) == 1:
        return first
    for other in inputs[1:]:
        if other.traffic.n_ranks != first.traffic.n_ranks:
            raise InputError(
                f"{other.name} has {other.traffic.n_ranks} ranks and {first.name} {first.traffic.n_ranks}; "
                "expected phases of the same ranks"
            )
    phases = [phase for found in inputs for phase in found.traffic.phases]
    complete = all(found.complete for found in inputs)
    traffic = model.Traffic.of_phases(phases, _large_of_all([found.traffic for found in inputs]))
    return replace(first, traffic=traffic, complete=complete)


def _large_of_all(traffics: list[model.Traffic]) -> model.LargeMessages | None:
    """The sum of the inputs' large messages; None if no input has message sizes."""
    thresholds = [traffic.large.threshold_bytes for traffic in traffics if traffic.large]
    if not thresholds:
        return None
    matrices = [traffic.large.matrix if traffic.large else traffic.folded() for traffic in traffics]
    return model.LargeMessages(max(thresholds), model.sum_of(matrices))


def phases_named(names: Sequence[str], layer: str, form: str | None = None) -> tuple[list[int], list[Input]]:
    """The values of --phase: numbers of phases of the command's INPUT, and other inputs, which are read."""
    numbers = [name for name in names if name.isdecimal() and len(name) < 10]
    return [int(name) for name in numbers], [
        read_input(name, layer, form=form) for name in names if name not in numbers
    ]


def with_phases(found: Input, numbers: list[int], others: list[Input]) -> Input:
    """The phases of `found` with these numbers (all if there are none), then those of the other inputs.

    Raises InputError for a number that no phase has; see also as_phases().
    """
    return as_phases([_only_phases(found, numbers) if numbers else found, *others])


def with_silent_ranks(found: Input, n_ranks: int | None) -> Input:
    """A matrix with further ranks without traffic, so that it has `n_ranks`; None means no further ranks.

    Raises InputError if it has more ranks, and for a profile, which has all.
    """
    require_number("n_ranks", n_ranks, 1, MOST_RANKS)
    n_found = found.traffic.n_ranks
    if n_ranks is None or n_ranks == n_found:
        return found
    if found.profile is not None or len(found.traffic.phases) != 1 or n_ranks < n_found:
        raise InputError(f"found {n_found} ranks and n_ranks={n_ranks}; expected n_ranks={n_found}, or none")
    matrix = model.CommMatrix.from_columns(n_ranks, *found.traffic.folded().columns())
    return replace(found, traffic=model.Traffic.of(matrix))


def _only_phases(found: Input, numbers: list[int]) -> Input:
    phases = found.traffic.phases
    for number in numbers:
        if number >= len(phases):
            raise InputError(
                f"phase {number} of {found.name}; expected 0-{len(phases) - 1}: corewise show lists them "
                f"(a file of that name is ./{number})"
            )
    return replace(found, traffic=model.Traffic.of_phases([phases[number] for number in numbers]))


def monitoring_files(path: str) -> list[Path]:
    """The files of all ranks of a job; `path` is their folder, prefix or any of them. Empty if none match.

    Raises InputError if a directory holds the files of several jobs.
    """
    target, is_folder = Path(path), os.path.isdir(path)
    folder = target if is_folder else target.parent
    try:
        matches = [MONITORING_FILE.fullmatch(name) for name in os.listdir(folder)]
    except (OSError, ValueError):  # no such folder, or no permission to list it
        return []
    jobs: dict[str, list[Path]] = {}
    for match in filter(None, matches):
        jobs.setdefault(match["prefix"], []).append(folder / match[0])
    if not is_folder:
        own = MONITORING_FILE.fullmatch(target.name)
        return sorted(jobs.get(own["prefix"] if own else target.name, []))
    if len(jobs) > 1:
        raise InputError(
            f".prof files of {len(jobs)} jobs ({', '.join(sorted(jobs)[:4])}); expected one: "
            f"name it, as in {target / min(jobs)}",
            path=target,
        )
    return sorted(next(iter(jobs.values()), []))


def layer_named(name: str) -> tuple[model.Layer, model.CollectiveFlow]:
    """The layer and the flow of collectives of a name in LAYERS. Raises InputError for another name."""
    if name not in LAYERS:
        raise InputError(f"layer '{name}'; expected one of {', '.join(LAYERS)}")
    layer, _, flow = name.partition(":")
    return model.Layer[layer], model.CollectiveFlow[flow.replace("-", "_") or "logical"]
