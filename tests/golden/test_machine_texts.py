"""Machines by name, machine files and Slurm's topologies: what is read, or the refusal (machines.txt)."""

from __future__ import annotations

from pathlib import Path

from corewise.errors import InputError
from corewise.machines import load
from corewise.machines.machine_file import Heading, machine_toml
from corewise.machines.slurm_topology import SlurmTopology
from corewise.model import LinkFigures
from golden_files import compare_answers

FIXTURES = Path(__file__).parents[2] / "fixtures" / "topologies"

PLAIN = """
format = "corewise-machine"
version = 1
name = "two"
summary = "two nodes of two packages of two cores"
nodes = 2
node = "pack:2 core:2 pu:1"
"""
CURVE = LinkFigures(1e-6, 1e9, "measured", latency_bounds_s=(1e-6, 2e-6), curve=[(1, 1e-6, 1e-6, 1e-6)])
WRITTEN = machine_toml(load("synthetic:2:core:2 pu:1"), Heading("m", "", "", {}), {"node": CURVE})


def changed(text: str, change: str) -> str:
    """The text with "BEFORE -> AFTER" replaced, or "+ ADDED" at its end."""
    change = change.encode().decode("unicode_escape")
    if change.startswith("+ "):
        return text + change[2:]
    before, _, after = change.partition(" -> ")
    assert text.count(before) == 1
    return text.replace(before, after)


def test_machines_are_read_as_written_down(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def answer(question: str) -> str:
        kind, _, rest = question.partition(" ")
        try:
            if kind == "topology":
                Path("topology.conf").write_text(rest.encode().decode("unicode_escape"))
                found = SlurmTopology.read(Path("topology.conf"))
                return f"{found.kind}: {' '.join(sorted(found.switch_of))}"
            if kind in ("file", "written"):
                Path("m.toml").write_text(changed(PLAIN if kind == "file" else WRITTEN, rest))
                machine = load("m.toml")
            else:
                machine = load(question.replace("FIXTURES", str(FIXTURES)))
        except InputError as error:
            assert "\n" not in str(error)
            return f"refused: {error}"
        return f"{machine.n_nodes} nodes, {machine.n_cores} cores"

    compare_answers(Path(__file__).with_name("machines.txt"), answer)
