"""Small sweeps for the tests, as text and as specifications."""

from __future__ import annotations

from pathlib import Path

from corewise_laboratory.sweep.spec import Protocol, SweepSpec, read_spec

SPEC = """
format = "corewise-sweep"
version = 1
command = ["sh", "-c", "echo {policy} {n}"]
[axes]
policy = ["default", "pin"]
n = [1, 2, 4]
"""


def spec_of(folder: Path, more: str = "", text: str = SPEC) -> SweepSpec:
    """The small sweep, with more TOML after its tables."""
    path = folder / "spec.toml"
    path.write_text(text + more)
    return read_spec(path)


def small(script: str, repeats: int = 2, warmups: int = 0, **axes: list[str]) -> SweepSpec:
    """A sweep over a shell script, in which $1, $2, ... are the values of the axes."""
    return SweepSpec(
        name="small",
        command=["sh", "-c", script, "sh", *(f"{{{axis}}}" for axis in axes)],
        axes={axis: {label: [label] for label in labels} for axis, labels in axes.items()},
        protocol=Protocol(repeats=repeats, warmups=warmups, timeout_s=20),
    )
