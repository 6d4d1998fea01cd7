"""INPUT of the command line: a profile or a matrix in any supported format becomes an Input."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from corewise import model
from corewise.errors import InputError
from corewise.files.document import require_regular
from corewise.profile.reading import read_profile
from corewise.text.any_bytes import printable

if TYPE_CHECKING:
    import numpy as np

# Messages from here on count as large: below it the SMP-CMP paper claims nothing (section V.B, Figure 9).
LARGE_MESSAGE_BYTES = 32 * 1024

# Of a dense archive's two arrays together: 8192 ranks.
MOST_DENSE_BYTES = 2**30 + 2**12

LAYERS = ("p2p", "coll", "rma")

# Open MPI monitoring writes PREFIX.RANK.prof.
MONITORING_FILE = re.compile(r"(?P<prefix>.*)\.\d+\.prof")


@dataclass(frozen=True)
class Input:
    """What was read: `traffic` is one layer of it; `profile` is None for a bare matrix.

    `name` is the file's own name, `kind` one of profile, npz, mtx, metis, openmpi-monitoring and text.
    `complete` is False where the profile of a killed or faulty job holds only a part.
    """

    name: str
    kind: str
    traffic: model.Traffic
    profile: model.Profile | None = None
    complete: bool = True


def read_input(path: str, layer: str = "p2p") -> Input:
    """Reads a profile directory or a matrix file; the name's ending tells which.

    `layer` is p2p, coll or rma; matrix files hold p2p alone. Of a profile's p2p layer, `traffic.large`
    holds the messages of LARGE_MESSAGE_BYTES and more. Raises InputError naming file and line.
    """
    _check_layer(layer)
    target = Path(os.path.abspath(path))  # "." has a name too
    name = printable(target.name)
    monitoring = monitoring_files(path)
    if monitoring:
        matrix = model.read_openmpi_monitoring([str(file) for file in monitoring], model.Layer[layer])
        return Input(name, "openmpi-monitoring", model.Traffic.of(matrix))
    if os.path.isdir(path):
        return profile_input(name, read_profile(target), layer)
    if not os.path.exists(path):
        raise InputError(
            f"{path}: no such file; expected a profile, a matrix (.npz, .mtx, .graph, a text square) or "
            "the prefix of Open MPI monitoring's PREFIX.RANK.prof files"
        )
    require_regular(target, "a profile or a matrix file")
    kind, reader = _MATRIX_READERS.get(target.suffix.lower(), ("text", model.read_text_matrix))
    if layer != "p2p":
        raise InputError(
            f"{path}: a matrix holds point-to-point traffic alone; expected a profile for --layer {layer}"
        )
    return Input(name, kind, model.Traffic.of(reader(path)))


def profile_input(name: str, profile: model.Profile, layer: str = "p2p") -> Input:
    """One layer of a profile that was read already, under that name; `layer` as read_input() takes it."""
    _check_layer(layer)
    traffic = profile.traffic(model.Layer[layer], LARGE_MESSAGE_BYTES)
    return Input(name, "profile", traffic, profile, profile.complete)


def as_phases(inputs: list[Input]) -> Input:
    """The phases of all inputs one after the other; everything else is the first's.

    Raises InputError where they differ in ranks.
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
    return replace(first, traffic=model.Traffic.of_phases(phases), complete=complete)


def monitoring_files(path: str) -> list[Path]:
    """All ranks' files of the job that `path` names (their directory, prefix, any of them); else empty.

    Raises InputError where a directory holds the files of several jobs.
    """
    target, is_folder = Path(path), os.path.isdir(path)
    folder = target if is_folder else target.parent
    try:
        matches = [MONITORING_FILE.fullmatch(name) for name in os.listdir(folder)]
    except (OSError, ValueError):  # no such folder, or not ours to list
        return []
    jobs: dict[str, list[Path]] = {}
    for match in filter(None, matches):
        jobs.setdefault(match["prefix"], []).append(folder / match[0])
    if not is_folder:
        match = MONITORING_FILE.fullmatch(target.name)
        return sorted(jobs.get(match["prefix"] if match else target.name, []))
    if len(jobs) > 1:
        raise InputError(
            f"{target}: .prof files of {len(jobs)} jobs ({', '.join(sorted(jobs)[:4])}); expected one: "
            f"name it, as in {target / min(jobs)}"
        )
    return sorted(next(iter(jobs.values()), []))


def read_npz(path: str) -> model.CommMatrix:
    """NumPy archive with square arrays `bytes` and `msgs`, [src, dst], whole and not negative.

    Raises InputError naming the file and what is wrong.
    """
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as archive:
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise InputError(f"{path}: one bare array; expected an archive of two, 'bytes' and 'msgs'")
            missing = {"bytes", "msgs"} - set(archive.files)
            if missing:
                raise InputError(
                    f"{path}: no array '{min(missing)}' (found {', '.join(archive.files) or 'none'}); "
                    "expected 'bytes' and 'msgs', both [src, dst]"
                )
            _refuse_huge(path, archive)
            counts = {name: _whole_square(path, name, archive[name]) for name in ("bytes", "msgs")}
    except InputError:
        raise
    except Exception as error:  # zipfile, zlib, ast and NumPy raise a dozen types on damaged files
        raise InputError(
            f"{path}: not a sound .npz archive of two arrays of numbers; expected one written by numpy.savez"
        ) from error
    return matrix_from_dense(path, counts["bytes"], counts["msgs"])


def _refuse_huge(path: str, archive: np.lib.npyio.NpzFile) -> None:
    """Raises InputError where the arrays would unpack to more than MOST_DENSE_BYTES; nothing is unpacked."""
    sizes = [entry.file_size for entry in archive.zip.infolist() if entry.filename[:-4] in ("bytes", "msgs")]
    if sum(sizes) > MOST_DENSE_BYTES:
        raise InputError(
            f"{path}: unpacks to {sum(sizes)} bytes; expected at most {MOST_DENSE_BYTES}: "
            "write a larger matrix as Matrix Market (.mtx)"
        )


def matrix_from_dense(name: str, sent_bytes: np.ndarray, messages: np.ndarray) -> model.CommMatrix:
    """A CommMatrix from two square uint64 arrays, [src, dst]. Raises InputError when their shapes differ."""
    import numpy as np

    if sent_bytes.shape != messages.shape:
        raise InputError(
            f"{name}: 'bytes' is {_shape(sent_bytes)} and 'msgs' {_shape(messages)}; expected the same shape"
        )
    src, dst = np.nonzero((sent_bytes != 0) | (messages != 0))
    return model.CommMatrix.from_columns(
        len(sent_bytes), src.astype(np.int32), dst.astype(np.int32), sent_bytes[src, dst], messages[src, dst]
    )


def _whole_square(path: str, name: str, array: np.ndarray) -> np.ndarray:
    """`array` as uint64; raises InputError unless it is square and holds whole numbers from 0 to 2^62."""
    import numpy as np

    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.shape[0] == 0:
        raise InputError(
            f"{path}: '{name}' is {_shape(array)}; expected a square, one row and one column a rank"
        )
    if array.dtype.kind not in "iuf":
        raise InputError(f"{path}: '{name}' holds {array.dtype}; expected whole numbers")
    with np.errstate(invalid="ignore"):
        bad = ~((array >= 0) & (array <= 2**62))
        if array.dtype.kind == "f":
            bad |= np.floor(array) != array
    if bad.any():
        src, dst = np.argwhere(bad)[0]
        raise InputError(
            f"{path}: '{name}'[{src}, {dst}] is {array[src, dst]}; expected a whole number, "
            "0 or more, at most 2^62"
        )
    return array.astype(np.uint64)


def _shape(array: np.ndarray) -> str:
    return " x ".join(map(str, array.shape)) or "a single number"


def _check_layer(layer: str) -> None:
    if layer not in LAYERS:
        raise InputError(f"layer '{layer}'; expected one of {', '.join(LAYERS)}")


_MATRIX_READERS: dict[str, tuple[str, Callable[[str], model.CommMatrix]]] = {
    ".graph": ("metis", model.read_metis_graph),
    ".mtx": ("mtx", model.read_matrix_market),
    ".npz": ("npz", read_npz),
}
