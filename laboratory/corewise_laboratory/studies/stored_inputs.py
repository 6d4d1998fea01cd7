"""Finds matrices and profiles from which studies compute."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from corewise.errors import MissingError


def stored_input(name: str, data: Path | None) -> Path:
    """The path of the input `name`, such as npb/cg.C.16.npz, in `data` or else in the package.

    Raises MissingError, which says how to create it.
    """
    own = Path(str(resources.files("corewise_laboratory") / "studies" / "inputs"))
    for folder in filter(None, (data, own)):
        if (folder / name).exists():
            return folder / name
    raise MissingError(
        f"{name} is not among the stored inputs; trace the program (corewise trace -o {Path(name).name} -- "
        "mpirun ...), put the profile or matrix under that name into a folder, and name that with --data"
    )
