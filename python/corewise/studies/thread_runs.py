"""What a study about threads runs: the runtime's workloads here, by process binding and thread policy."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.files.table import Table
from corewise.sweep.figure_spec import Axes
from corewise.sweep.spec import Protocol, read_protocol


@dataclass(frozen=True)
class Scale:
    """How large it runs here: node counts, repeats, and each workload's own arguments."""

    nodes: list[int]
    protocol: Protocol
    arguments: dict[str, list[str]]


@dataclass(frozen=True)
class ThreadRuns:
    """`bindings` are process_binding's names; `policies` are run.

    `computed_policies` are shown on the machines' topologies, which lie beside the study's file.
    """

    policies: list[str]
    computed_policies: list[str]
    bindings: list[str]
    workloads: list[str]
    quick: Scale
    full: Scale

    @property
    def axes(self) -> Axes:
        """Those of its configurations."""
        labels = {"workload": self.workloads, "policy": self.policies, "binding": self.bindings}
        labels["nodes"] = [str(count) for count in (*self.quick.nodes, *self.full.nodes)]
        return {axis: {label: [label] for label in found} for axis, found in labels.items()}


def read_thread_runs(top: Table) -> ThreadRuns:
    """From the top of a study's file; raises InputError with the key that is wrong."""
    workloads = top.texts("workloads")
    return ThreadRuns(
        policies=top.texts("policies"),
        computed_policies=top.texts("computed_policies"),
        bindings=top.texts("bindings"),
        workloads=workloads,
        quick=_scale(top.table("quick"), workloads),
        full=_scale(top.table("full"), workloads),
    )


def _scale(table: Table, workloads: list[str]) -> Scale:
    arguments = table.table("arguments")
    nodes = table.get("nodes", list)
    if not nodes or any(type(n) is not int or n < 1 for n in nodes):
        raise table.error("nodes", nodes, "a list of node counts")
    return Scale(
        nodes, read_protocol(table.table("runs", {})), {name: arguments.texts(name) for name in workloads}
    )
