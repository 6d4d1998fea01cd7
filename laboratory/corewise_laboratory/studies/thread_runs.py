"""Measured runs in a study's file: workloads of the PGAS runtime, by process binding and thread policy."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.plugin.documents import Table

from corewise_laboratory.sweep.spec import Protocol, read_protocol


@dataclass(frozen=True)
class Scale:
    """The extent of the runs: node counts, repeats, and arguments by workload."""

    nodes: list[int]
    protocol: Protocol
    arguments: dict[str, list[str]]


@dataclass(frozen=True)
class ThreadRuns:
    """`bindings` are process_binding's names."""

    policies: list[str]
    bindings: list[str]
    workloads: list[str]
    quick: Scale
    full: Scale

    axes = ("workload", "policy", "binding", "nodes")


def read_thread_runs(table: Table) -> ThreadRuns:
    """Reads a table of runs; raises InputError with the wrong key."""
    table.refuse_others(("kind", "policies", "bindings", "workloads", "quick", "full"))
    workloads = table.texts("workloads")
    return ThreadRuns(
        policies=table.texts("policies"),
        bindings=table.texts("bindings"),
        workloads=workloads,
        quick=_scale(table.table("quick"), workloads),
        full=_scale(table.table("full"), workloads),
    )


def _scale(table: Table, workloads: list[str]) -> Scale:
    arguments = table.table("arguments")
    nodes = table.get("nodes", list)
    if not nodes or any(type(n) is not int or n < 1 for n in nodes):
        raise table.error("nodes", nodes, "a list of node counts")
    return Scale(
        nodes, read_protocol(table.table("runs", {})), {name: arguments.texts(name) for name in workloads}
    )
