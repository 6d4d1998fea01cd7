"""Shows nouns in notebooks as on the page: machine, traffic, placement, comparison, times, steered run.

Adds the methods `_repr_html_` and `plot` to the classes, because nouns must not import pages, and exports to
other libraries to the classes of the extension. The classes declare them for type checkers.
corewise/__init__.py imports this module when the first public name is used.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from corewise.model import CommMatrix, Machine, Traffic
from corewise.nouns import tables
from corewise.nouns.comparison import AdviceOnMachines, Comparison, MachineAdvice
from corewise.nouns.mapping import Mapping
from corewise.nouns.placement import Placement
from corewise.nouns.run import by_key, times_by_key
from corewise.nouns.simulation import Simulated
from corewise.nouns.steered_run import SteeredRun
from corewise.nouns.tune_result import TuneResult
from corewise.profile.inputs import Input
from corewise.text.svg_text import Svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from corewise.machines import MachineLike
    from corewise.text.table import TextTable

MOST_ROWS = 64  # of a placement's table


def machine_html(machine: Machine) -> str:
    """The machine's tree as HTML."""
    return f'<div style="overflow-x: auto">{machine_picture(machine)}</div>'


def machine_picture(machine: Machine) -> Svg:
    """The tree of the machine, as `corewise topo --picture` draws it: SVG text that notebooks show."""
    from corewise.plots.tree import machine_svg

    return Svg(machine_svg(machine))


def traffic_html(traffic: Traffic) -> str:
    """Totals, heat map and the pairs with most bytes."""
    from corewise.page import fragment, matrix

    return fragment([("matrix", matrix.context_of_traffic(traffic))])


def traffic_picture(traffic: Traffic, title: str = "traffic", ranks_per_node: int | None = None) -> Figure:
    """The heat map as a figure of Matplotlib, as `corewise show --picture` draws it."""
    return matrix_picture(traffic.folded(), title, ranks_per_node)


def matrix_picture(matrix: CommMatrix, title: str = "traffic", ranks_per_node: int | None = None) -> Figure:
    """The heat map as a figure of Matplotlib, as `corewise show --picture` draws it."""
    from corewise.plots.heatmap import heatmap

    return heatmap(matrix, title, ranks_per_node)


def input_picture(found: Input, title: str | None = None, ranks_per_node: int | None = None) -> Figure:
    """The heat map as a figure of Matplotlib, as `corewise show --picture` draws it."""
    return traffic_picture(found.traffic, found.name if title is None else title, ranks_per_node)


def placement_html(placement: Placement) -> str:
    """The ranks on their machine if it can be loaded by its name and is small enough; else a table."""
    from corewise import machines
    from corewise.errors import CorewiseError
    from corewise.page import fragment, tables, tree
    from corewise.plots.tree import is_drawn_whole

    try:
        machine = machines.load(placement.machine)
        if placement.fingerprint == machine.fingerprint and is_drawn_whole(machine):
            nodes = tree.drawn(machine, placement, range(machine.n_nodes))
            return fragment([("placement", tree.Placed(machine.name, placement.n_ranks, nodes))])
    except CorewiseError:  # no machine by that name
        pass
    return fragment([("tables", tables.context(placement_table(placement)))])


def placement_picture(placement: Placement, machine: MachineLike | None = None) -> Svg:
    """The nodes with most ranks, each rank on its cores: SVG text that notebooks show.

    `machine` is the placement's, which is needed if it has no name for `--machine`. Raises InputError for
    another machine.
    """
    from corewise.machines import machine_like
    from corewise.page.tree import ranks_by_core
    from corewise.plots.tree import most_loaded_nodes, placed_svg

    on = machine_like(placement.machine if machine is None else machine)
    placement.on(on)  # raises the error
    nodes = most_loaded_nodes(on, [placement.node.count(node) for node in range(on.n_nodes)])
    return Svg(placed_svg(on, sorted(nodes), ranks_by_core(on, placement)))


def mapping_picture(mapping: Mapping, machine: MachineLike | None = None) -> Svg:
    """As placement_picture()."""
    return placement_picture(mapping.placement, machine)


def placement_table(placement: Placement) -> TextTable:
    """A row for each of the first ranks."""
    from corewise.text.quantities import index_text
    from corewise.text.table import TextTable

    os_pus = placement.os_pus or [[]] * placement.n_ranks
    rows = [
        [str(rank), str(node), index_text(cores), index_text(pus)]
        for rank, (node, cores, pus) in enumerate(zip(placement.node, placement.cores, os_pus, strict=True))
    ]
    notes = [f"{placement.n_ranks} ranks on the machine {placement.machine}."]
    if len(rows) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} ranks are shown.")
    heads = [">rank", ">node", "<cores (logical, on the node)", "<hardware threads (OS)"]
    return TextTable(heads, rows[:MOST_ROWS], notes)


def comparison_html(found: Comparison) -> str:
    """The advice, and every objective of each placement."""
    from corewise.page import comparison, fragment

    scores = {label: one.scores for label, one in found.placements.items()}
    context = comparison.context_of_scores(
        scores, found.objective, lambda index: f"links of level {index + 1}"
    )
    advice = SimpleNamespace(advice=found, predicted_from=found.predicted_from, notes=found.notes)
    return fragment([("advice", advice), ("comparison", context)])


def comparison_picture(found: Comparison) -> Svg:
    """The objectives of each placement, as fractions of the default's: SVG text that notebooks show.

    Of an objective that is a list, the first value.
    """
    from corewise.plots.bars import grouped_bars_svg
    from corewise.plots.style import themed
    from corewise.text.quantities import percent_text

    first = {
        label: {name: values[0] for name, values in one.scores.items() if values}
        for label, one in found.placements.items()
    }
    groups = {
        name: {label: values[name] / value for label, values in first.items()}
        for name, value in first["default"].items()
        if value > 0 and all(name in values for values in first.values())
    }
    return Svg(
        themed(grouped_bars_svg(groups, percent_text, "Each objective as a fraction of the default's"))
    )


def gains_picture(found: AdviceOnMachines) -> Figure:
    """The gains over the number of ranks as a figure, as `corewise advise --picture` draws them."""
    from corewise.machines import without_count
    from corewise.plots.gain_curves import gain_curves

    curves: dict[str, list[MachineAdvice]] = {}
    for case in found.cases:
        curves.setdefault(without_count(case.machine), []).append(case)
    return gain_curves(curves)


def tune_html(result: TuneResult) -> str:
    """The page of the result without its lists of ranks and bindings."""
    from corewise.page import comparison, fragment, links, matrix, times, tree, verdict

    shown = (verdict, comparison, times, matrix, tree, links)
    return fragment((module.__name__.rpartition(".")[2], module.context(result)) for module in shown)


def times_picture(result: TuneResult | Simulated) -> Svg:
    """Times of all runs, as on the page: SVG text that notebooks show; empty if nothing was run."""
    from corewise.plots.repeats import repeats_svg
    from corewise.plots.style import themed

    svg = repeats_svg(times_by_key(by_key(result.runs)))
    return Svg(svg and themed(svg))


def steered_picture(found: SteeredRun, log: int = 0) -> Svg:
    """The log `explained[log]`, as `corewise steer explain --picture` draws it; empty without intervals.

    The log is read again. Raises InputError if it can't be read.
    """
    from corewise.plots.steered_run import steered_run_svg
    from corewise.plots.style import PAGE_PIXELS, themed
    from corewise.steering.replay import intervals

    shown = found.explained[log]
    svg = steered_run_svg(shown.node, intervals(Path(shown.log)), shown.decisions, PAGE_PIXELS)
    return Svg(svg and themed(svg))


GIVEN: dict[str, dict[type, Callable[..., Any]]] = {
    "_repr_html_": {
        Machine: machine_html,
        Traffic: traffic_html,
        CommMatrix: lambda matrix: traffic_html(Traffic.of(matrix)),
        Input: lambda found: traffic_html(found.traffic),
        Placement: placement_html,
        Mapping: lambda mapping: placement_html(mapping.placement),
        Comparison: comparison_html,
        TuneResult: tune_html,
    },
    "plot": {
        AdviceOnMachines: gains_picture,
        Machine: machine_picture,
        Traffic: traffic_picture,
        CommMatrix: matrix_picture,
        Comparison: comparison_picture,
        Input: input_picture,
        Placement: placement_picture,
        Mapping: mapping_picture,
        Simulated: times_picture,
        SteeredRun: steered_picture,
        TuneResult: times_picture,
    },
}
for export in (tables.to_numpy, tables.to_scipy, tables.to_networkx, tables.to_pandas):
    GIVEN[export.__name__] = dict.fromkeys((Traffic, CommMatrix), export)
GIVEN["__arrow_c_stream__"] = dict.fromkeys((Traffic, CommMatrix), tables.arrow_stream)
for method, of_class in GIVEN.items():
    for noun, shows in of_class.items():
        setattr(noun, method, shows)
