"""The machine as nested boxes: network, nodes, packages, caches, cores, with ranks and link loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.plots.outline import Outline, counts_text
from corewise.plots.style import COLOURS
from corewise.text.quantities import bytes_text, counted, index_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MOST_CORES = 256  # drawn in total
MOST_NODES = 4  # drawn nodes, and drawn nodes or switches of one kind
MOST_RUNS = 8  # drawn groups of equal neighbours among the children of an object
SMALL_FONT, FONT = 9, 11
TINTS = ("#eef2f7", "#f6f3ea", "#eef5ee", "#f5eff5")  # of levels inside a node, from the lowest
NODE_FILL, NETWORK_FILL = COLOURS["page"], COLOURS["raised"]


def machine_figure(machine: Machine) -> Figure:
    """The machine with a legend; of many equal objects, only the first few are drawn."""
    picture = _Picture(machine, Outline.of(machine))
    return boxes_figure(picture.box(machine.n_levels, 0, MOST_CORES), picture.legend())


def placed_figure(
    machine: Machine,
    nodes: Sequence[int],
    placement: Placement,
    link_loads: Sequence[Sequence[float]] | None = None,
) -> Figure:
    """Some nodes side by side with the ranks of a placement, and with link loads unless None.

    `link_loads[level][object]` are the bytes over the link from the object up to the level above, as of the
    model's link_loads(). Loads of single cores are not shown, because they don't depend on the placement.
    """
    picture = _Picture(machine, Outline.of(machine), _ranks_by_core(machine, placement), link_loads)
    boxes = [picture.box(machine.node_level, node_object(machine, node), MOST_CORES) for node in nodes]
    frame = Frame(f"{machine.name}, nodes {index_text(nodes)} of {machine.n_nodes}", NETWORK_FILL)
    return boxes_figure(boxes[0] if machine.n_nodes == 1 else packed(frame, boxes), [])


def node_object(machine: Machine, node: int) -> int:
    """The node's index among the objects of its level, in the order of the tree."""
    return machine.group(machine.node_level, machine.first_core(node))


def most_loaded_nodes(machine: Machine, loads: Sequence[float]) -> list[int]:
    """The most loaded nodes that fit in the picture, at least one, in order.

    `loads` are bytes, [node]. Nodes without load are included only if no node has any.
    """
    loaded = [node for node in range(machine.n_nodes) if loads[node] > 0] or list(range(machine.n_nodes))
    most = sorted(loaded, key=lambda node: (-loads[node], node))[:MOST_NODES]
    n_cores = list(accumulate(machine.n_cores_on(node) for node in most))
    fitting = [node for node, n in zip(most, n_cores, strict=True) if n <= MOST_CORES]
    return sorted(fitting or most[:1])


def _ranks_by_core(machine: Machine, placement: Placement) -> dict[int, list[int]]:
    """The ranks on each core, numbered over the whole machine."""
    ranks: dict[int, list[int]] = {}
    for rank, node in enumerate(placement.node):
        for core in placement.cores_on(machine, rank, node):
            ranks.setdefault(core, []).append(rank)
    return ranks


@dataclass
class _Picture:
    machine: Machine
    outline: Outline
    ranks_on_core: Mapping[int, Sequence[int]] | None = None
    link_loads: Sequence[Sequence[float]] | None = None

    @cached_property
    def core_size(self) -> tuple[float, float]:
        """The greatest core of the first node; all cores have this size, so that they line up."""
        sizes = [
            leaf_size(self._core_lines(core)) for core in range(min(MOST_CORES, self.machine.n_cores_on(0)))
        ]
        widths, heights = zip(*sizes, strict=True)
        return max(widths), max(heights)

    def box(self, level: int, index: int, most_cores: int) -> Box:
        """The box of an object with at most about `most_cores` cores."""
        if level == 0:
            return self._core_box(index)
        runs = self._runs(level, index)
        room = max(1, most_cores // min(len(runs), MOST_RUNS))
        boxes = []
        for first, n in runs[:MOST_RUNS]:
            n_shown = self._n_shown(level, n, self.outline.kind(level - 1, first).n_cores, room)
            boxes += [self.box(level - 1, first + i, room // n_shown) for i in range(n_shown)]
            if n > n_shown:
                hidden = range(first + n_shown, first + n)
                boxes.append(self._more_box(level - 1, hidden, of_one_shape=True))
        if len(runs) > MOST_RUNS:
            hidden = range(runs[MOST_RUNS][0], self.outline.children(level, index).stop)
            boxes.append(self._more_box(level - 1, hidden, of_one_shape=False))
        return packed(self._frame(level, index), boxes)

    def legend(self) -> list[str]:
        """Lines on the meaning of the numbers."""
        machine = self.machine
        lines = [f"{machine.name}: {counts_text(machine)}"]
        if machine.has_os_indices:
            lines.append(
                "#, core, PU: logical indices (tree order) on the node; OS: the operating system's own"
            )
        return lines

    def _runs(self, level: int, index: int) -> list[tuple[int, int]]:
        """(first child, number of equal neighbours) for the children of an object."""
        first = self.outline.children(level, index).start
        runs = []
        for n, _ in self.outline.kind(level, index).runs:
            runs.append((first, n))
            first += n
        return runs

    def _n_shown(self, level: int, n_alike: int, cores_each: int, most_cores: int) -> int:
        most = max(1, most_cores // cores_each)
        return min(n_alike, most, MOST_NODES if level > self.machine.node_level else most)

    def _name(self, level: int) -> str:
        if level > 0:
            return self.machine.levels[level - 1].name
        return "core" if self.machine.has_os_indices else "leaf"

    def _frame(self, level: int, index: int) -> Frame:
        node_level, n_levels = self.machine.node_level, self.machine.n_levels
        fill = NETWORK_FILL if level > node_level else TINTS[(level - 1) % len(TINTS)]
        if level == node_level:
            fill = NODE_FILL
        if level == n_levels:
            return Frame(self._name(level), fill)
        title = self._title(level, index)
        if self.link_loads is None:
            return Frame(title, fill)
        loads = self.link_loads[level]
        greatest = max(loads)
        load = f"\N{UPWARDS ARROW} {bytes_text(loads[index])}"
        return Frame(title, fill, load, loads[index] / greatest if greatest > 0 else 0.0)

    def _title(self, level: int, index: int) -> str:
        if level == 0 and self.machine.node_level == 0 and self.machine.n_nodes > 1:
            return f"node #{self.machine.node_of(index)}, core 0"
        if level == 0:
            return f"{self._name(0)} {self.machine.core_on_node(index)}"
        return f"{self._name(level)} #{self._index_on_node(level, index)}"

    def _index_on_node(self, level: int, index: int) -> int:
        """Objects inside nodes are numbered within their node, nodes and switches over the machine."""
        if level > self.machine.node_level:
            return index
        node = self.machine.node_of(int(self.outline.first_core[level][index]))
        if level == self.machine.node_level:
            return node
        return index - self.machine.group(level, self.machine.first_core(node))

    def _core_box(self, core: int) -> Box:
        lines = self._core_lines(core)
        if self.ranks_on_core is not None and self.ranks_on_core.get(core):
            return leaf(lines, self.core_size, fc=COLOURS["shade-2"], ec=COLOURS["shade-6"])
        return leaf(lines, self.core_size, fc=COLOURS["page"], ec=COLOURS["line"])

    def _core_lines(self, core: int) -> list[Line]:
        lines = [Line(self._title(0, core), FONT)]
        for logical, os_index in self.machine.pus(core):
            if os_index is not None:
                lines.append(Line(f"PU {logical} = OS {os_index}", SMALL_FONT))
        if self.ranks_on_core is not None:
            ranks = self.ranks_on_core.get(core, ())
            noun = "rank" if len(ranks) == 1 else "ranks"
            lines.insert(
                0, Line(f"{noun} {index_text(ranks)}" if ranks else "\N{EN DASH}", FONT, bold=bool(ranks))
            )
        return lines

    def _more_box(self, level: int, hidden: range, of_one_shape: bool) -> Box:
        """A box in place of `hidden` objects: how they compare with the last one drawn, or their ranks."""
        lines = [Line(f"+ {len(hidden)} more", FONT, bold=True)]
        if self.ranks_on_core is not None:
            cores = range(self._first_core(level, hidden.start), self._first_core(level, hidden.stop))
            inside = {rank for core, ranks in self.ranks_on_core.items() if core in cores for rank in ranks}
            lines.append(Line(counted(len(inside), "rank") if inside else "without ranks", SMALL_FONT))
        else:
            last = self._title(level, hidden.start - 1)
            likeness = f"of the shape of {last}" if of_one_shape else "of several shapes"
            lines.append(Line(likeness, SMALL_FONT))
        return leaf(lines, (0, 0), fc="none", ec=COLOURS["edge"], ls="--")

    def _first_core(self, level: int, index: int) -> int:
        """The first core of an object; the number of cores if `index` is the number of objects."""
        first_core = self.outline.first_core[level]
        return int(first_core[index]) if index < len(first_core) else self.machine.n_cores


GAP, PADDING, TITLE_HEIGHT, FONT = 5, 7, 17, 11
WIDTH_PER_HEIGHT = 1.7  # preferred shape of a box
CHARACTER_WIDTH = 0.58  # of the font size, for a sans-serif font
PIXELS = 96  # per inch
MARGIN = 10
LOAD, TRACK = COLOURS["worst"], COLOURS["line"]


class Rect(NamedTuple):
    """A rectangle; `style` are properties of a Matplotlib patch."""

    x: float
    y: float
    width: float
    height: float
    style: dict[str, Any]


class Text(NamedTuple):
    """A line of text; `y` is its baseline, `style` are properties of a Matplotlib text."""

    x: float
    y: float
    content: str
    font: float
    style: dict[str, Any]


class Box(NamedTuple):
    """Shapes in a box whose top left corner is (0, 0)."""

    width: float
    height: float
    shapes: list[Rect | Text]


class Line(NamedTuple):
    """One line of text in a leaf box."""

    content: str
    font: float
    bold: bool = False


class Frame(NamedTuple):
    """The frame of a box with children: `load` is a note at the right, `share` (0 to 1) a bar below."""

    title: str
    fill: str
    load: str = ""
    share: float | None = None


def text_width(content: str, font: float) -> float:
    """The width of a text, estimated from above."""
    return len(content) * font * CHARACTER_WIDTH


def packed(frame: Frame, children: Sequence[Box]) -> Box:
    """The children row by row inside a titled frame."""
    n_columns = min(_sensible_columns(len(children)), key=lambda n: _misfit(children, n))
    columns, rows = _grid(children, n_columns)
    title_width = text_width(frame.title, FONT) + (text_width(frame.load, FONT) + 14 if frame.load else 0)
    width = max(sum(columns) + GAP * (n_columns - 1), title_width) + 2 * PADDING
    top = TITLE_HEIGHT + (5.0 if frame.share is not None else 0.0)
    height = top + sum(rows) + GAP * (len(rows) - 1) + PADDING
    shapes = _frame(frame, width, height)
    for row, row_height in enumerate(rows):
        left: float = PADDING
        for box, column in zip(children[row * n_columns :], columns, strict=False):
            shapes += [shape._replace(x=shape.x + left, y=shape.y + top) for shape in box.shapes]
            left += column + GAP
        top += row_height + GAP
    return Box(width, height, shapes)


def leaf_size(lines: Sequence[Line]) -> tuple[float, float]:
    """Width and height that the lines need."""
    width = max(text_width(line.content, line.font) for line in lines) + 12
    return width, sum(line.font + 4 for line in lines) + 8


def leaf(lines: Sequence[Line], least_size: tuple[float, float], **style: Any) -> Box:
    """A box of centred lines, at least `least_size` wide and high."""
    width, height = (max(pair) for pair in zip(leaf_size(lines), least_size, strict=True))
    shapes: list[Rect | Text] = [Rect(0, 0, width, height, style)]
    baseline = (height - leaf_size(lines)[1]) / 2 + 4
    for line in lines:
        baseline += line.font + 3
        weight = {"ha": "center", "weight": "bold" if line.bold else "normal"}
        shapes.append(Text(width / 2, baseline, line.content, line.font, weight))
    return Box(width, height, shapes)


def boxes_figure(box: Box, legend: Sequence[str]) -> Figure:
    """A figure of the box with the lines of the legend below it."""
    from matplotlib.patches import Rectangle

    from corewise.plots.drawing import Drawing

    width = max([box.width, *(text_width(line, FONT) for line in legend)]) + 2 * MARGIN
    height = box.height + 2 * MARGIN + (6 + 16 * len(legend) if legend else 0)
    figure = Drawing(figsize=(width / PIXELS, height / PIXELS), dpi=144)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-MARGIN, width - MARGIN), ylim=(height - MARGIN, -MARGIN))
    axes.axis("off")
    below = [Text(2, box.height + 18 + 16 * i, line, FONT, {}) for i, line in enumerate(legend)]
    for shape in [*box.shapes, *below]:
        if isinstance(shape, Rect):
            axes.add_artist(Rectangle((shape.x, shape.y), shape.width, shape.height, lw=0.6, **shape.style))
        else:
            size = shape.font * 72 / PIXELS
            axes.text(shape.x, shape.y, shape.content, fontsize=size, parse_math=False, **shape.style)
    return figure


def _frame(frame: Frame, width: float, height: float) -> list[Rect | Text]:
    shapes: list[Rect | Text] = [
        Rect(0, 0, width, height, {"fc": frame.fill, "ec": COLOURS["edge"]}),
        Text(PADDING, 13, frame.title, FONT, {}),
    ]
    if frame.load:
        shapes.append(Text(width - PADDING, 13, frame.load, FONT, {"ha": "right", "color": COLOURS["quiet"]}))
    if frame.share is not None:
        room = width - 2 * PADDING
        shapes.append(Rect(PADDING, TITLE_HEIGHT, room, 3, {"fc": TRACK, "ec": "none"}))
        shapes.append(Rect(PADDING, TITLE_HEIGHT, room * frame.share, 3, {"fc": LOAD, "ec": "none"}))
    return shapes


def _sensible_columns(n: int) -> list[int]:
    """Numbers of columns that give full rows if possible, else all numbers."""
    divisors = [columns for columns in range(1, n + 1) if n % columns == 0]
    return divisors if len(divisors) > 2 or n <= 3 else list(range(1, n + 1))


def _grid(children: Sequence[Box], n_columns: int) -> tuple[list[float], list[float]]:
    """(widths of the columns, heights of the rows)."""
    columns = [max(box.width for box in children[column::n_columns]) for column in range(n_columns)]
    starts = range(0, len(children), n_columns)
    rows = [max(box.height for box in children[start : start + n_columns]) for start in starts]
    return columns, rows


def _misfit(children: Sequence[Box], n_columns: int) -> float:
    """The factor, 1 or more, between the grid's shape and WIDTH_PER_HEIGHT."""
    columns, rows = _grid(children, n_columns)
    shape = sum(columns) / sum(rows) / WIDTH_PER_HEIGHT
    return max(shape, 1 / shape)
