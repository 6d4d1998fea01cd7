"""Shows nouns in notebooks as on the page: machine, traffic, placement, comparison, times, steered run.

Adds the methods `_repr_html_` and `plot` to the classes, because nouns must not import pages, and exports to
other libraries to the classes of the extension. The classes declare them for type checkers.
corewise/__init__.py imports this module when the first public name is used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
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

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from corewise.machines import MachineLike


def _drawn(draw: Callable[..., Figure], *arguments: Any) -> Figure:
    """The figure in the style of the page."""
    from corewise.plots.style import fitted

    with fitted(partial(draw, *arguments), "page") as figure:
        return figure


def picture_html(noun: Any) -> str | None:
    """The picture of noun.plot(); None if its machine is not known by name: notebooks show the text then."""
    from corewise.errors import CorewiseError
    from corewise.page.picture import picture

    try:
        drawn = noun.plot()
    except CorewiseError:
        return None
    return picture(lambda: drawn, repr(noun))


def machine_picture(machine: Machine) -> Figure:
    """The tree of the machine, as `corewise topo --picture` draws it."""
    from corewise.plots.tree import machine_figure

    return _drawn(machine_figure, machine)


def traffic_picture(traffic: Traffic, title: str = "traffic", ranks_per_node: int | None = None) -> Figure:
    """The heat map, as `corewise show --picture` draws it."""
    return matrix_picture(traffic.folded(), title, ranks_per_node)


def matrix_picture(matrix: CommMatrix, title: str = "traffic", ranks_per_node: int | None = None) -> Figure:
    """The heat map, as `corewise show --picture` draws it."""
    from corewise.plots.heatmap import heatmap

    return _drawn(heatmap, matrix, title, ranks_per_node)


def input_picture(found: Input, title: str | None = None, ranks_per_node: int | None = None) -> Figure:
    """The heat map, as `corewise show --picture` draws it."""
    return traffic_picture(found.traffic, found.name if title is None else title, ranks_per_node)


def placement_picture(placement: Placement, machine: MachineLike | None = None) -> Figure:
    """The nodes with most ranks, each rank on its cores.

    `machine` is the placement's, which is needed if it has no name for `--machine`. Raises InputError for
    another machine.
    """
    from corewise.machines import machine_like
    from corewise.plots.tree import most_loaded_nodes, placed_figure

    on = machine_like(placement.machine if machine is None else machine)
    placement.on(on)  # raises the error
    nodes = most_loaded_nodes(on, [placement.node.count(node) for node in range(on.n_nodes)])
    return _drawn(placed_figure, on, nodes, placement)


def mapping_picture(mapping: Mapping, machine: MachineLike | None = None) -> Figure:
    """As placement_picture()."""
    return placement_picture(mapping.placement, machine)


def comparison_html(found: Comparison) -> str:
    """The advice, and every objective of each placement."""
    from corewise.page import comparison, fragment

    scores = {label: one.scores for label, one in found.placements.items()}
    shown = comparison.shown_scores(scores, found.objective, lambda index: f"links of level {index + 1}")
    advice = {"advice": found, "predicted_from": found.predicted_from, "notes": found.notes}
    return fragment([("advice", advice), ("comparison", shown)])


def comparison_picture(found: Comparison) -> Figure:
    """The objectives of each placement, as fractions of the default's.

    Of an objective that is a list, the first value.
    """
    from corewise.plots.drawing import grouped_bars
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
    return _drawn(grouped_bars, groups, percent_text)


def gains_picture(found: AdviceOnMachines) -> Figure:
    """The gains over the number of ranks as a figure, as `corewise advise --picture` draws them."""
    from corewise.machines import without_count
    from corewise.plots.gain_curves import gain_curves

    curves: dict[str, list[MachineAdvice]] = {}
    for case in found.cases:
        curves.setdefault(without_count(case.machine), []).append(case)
    return gain_curves(curves)


def tune_html(result: TuneResult) -> str:
    """The page of the result without what its script draws, and without the bindings."""
    from corewise.page import comparison, fragment, links, times, verdict

    return fragment(
        [
            ("verdict", verdict.shown(result)),
            ("comparison", comparison.shown(result)),
            ("times", times.shown(result)),
            ("links", links.shown(result)),
        ]
    )


def times_picture(result: TuneResult | Simulated) -> Figure:
    """Times of all runs, as on the page."""
    from corewise.plots.repeats import repeats_figure

    return _drawn(repeats_figure, times_by_key(by_key(result.runs)))


def steered_picture(found: SteeredRun, log: int = 0) -> Figure:
    """The log `explained[log]`, as `corewise steer explain --picture` draws it.

    The log is read again. Raises InputError if it can't be read, or has no intervals.
    """
    from corewise.plots.steered_run import steered_run_figure
    from corewise.steering.replay import intervals

    shown = found.explained[log]
    return _drawn(steered_run_figure, intervals(Path(shown.log)), shown.decisions)


GIVEN: dict[str, dict[type, Callable[..., Any]]] = {
    "_repr_html_": {
        **dict.fromkeys((Machine, Traffic, CommMatrix, Input, Placement, Mapping), picture_html),
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
