"""The machine as nested boxes in SVG: network, nodes, packages, caches, cores, with ranks and link loads.

Shapes have classes (tree-box, tree-core, tree-rank, ...) for the page's style, and default colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from corewise.model import Machine
from corewise.plots.boxes import Box, Frame, Line, leaf, leaf_size, packed, text_width
from corewise.plots.outline import Outline, counts_text
from corewise.plots.svg import element, figure, text
from corewise.text.quantities import bytes_text, counted, index_text

MOST_CORES = 256  # drawn in total
MOST_NODES = 4  # drawn nodes, and drawn nodes or switches of one kind
MOST_RUNS = 8  # drawn groups of equal neighbours among the children of an object
SMALL_FONT, FONT = 9, 11
TINTS = ("#eef2f7", "#f6f3ea", "#eef5ee", "#f5eff5")  # of levels inside a node, from the lowest
NODE_FILL, NETWORK_FILL = "#ffffff", "#f3f4f6"


def machine_svg(machine: Machine) -> str:
    """An SVG of the machine with a legend; of many equal objects, only the first few are drawn."""
    picture = _Picture(machine, Outline.of(machine))
    description = f"The machine {machine.name}: {counts_text(machine)}"
    return _figure(picture.box(machine.n_levels, 0, MOST_CORES), picture.legend(), description)


def node_svgs(
    machine: Machine,
    nodes: Sequence[int],
    ranks_on_core: Mapping[int, Sequence[int]],
    link_loads: Sequence[Sequence[float]] | None,
) -> list[str]:
    """An SVG for each of `nodes`, with ranks, and with link loads unless None.

    `ranks_on_core` maps a core (of the whole machine) to its ranks. `link_loads[level][object]` are the bytes
    over the link from the object up to the level above, as of the model's link_loads(). Loads of single cores
    are not shown, because they don't depend on the placement.
    """
    picture = _Picture(machine, Outline.of(machine), ranks_on_core, link_loads)
    boxes = {node: picture.box(machine.node_level, node_object(machine, node), MOST_CORES) for node in nodes}
    return [_figure(box, [], f"Node {node} of the machine {machine.name}") for node, box in boxes.items()]


def placed_svg(
    machine: Machine,
    nodes: Sequence[int],
    ranks_on_core: Mapping[int, Sequence[int]],
    link_loads: Sequence[Sequence[float]] | None = None,
) -> str:
    """One SVG of some nodes side by side; other parameters as in node_svgs()."""
    picture = _Picture(machine, Outline.of(machine), ranks_on_core, link_loads)
    boxes = [picture.box(machine.node_level, node_object(machine, node), MOST_CORES) for node in nodes]
    title = f"{machine.name}, nodes {index_text(nodes)} of {machine.n_nodes}"
    frame = Frame(title, "tree-box tree-network", NETWORK_FILL)
    return _figure(boxes[0] if machine.n_nodes == 1 else packed(frame, boxes), [], title)


def node_object(machine: Machine, node: int) -> int:
    """The node's index among the objects of its level, in the order of the tree."""
    return machine.group(machine.node_level, machine.first_core(node))


def is_drawn_whole(machine: Machine) -> bool:
    """Whether node_svgs() can draw all nodes with all their cores."""
    return machine.n_nodes <= MOST_NODES and machine.n_cores <= MOST_CORES


def most_loaded_nodes(machine: Machine, loads: Sequence[float]) -> list[int]:
    """The most loaded nodes that fit in the picture, at least one; the most loaded first, ties by number.

    `loads` are bytes, [node]. Nodes without load are included only if no node has any.
    """
    loaded = [node for node in range(machine.n_nodes) if loads[node] > 0] or list(range(machine.n_nodes))
    most = sorted(loaded, key=lambda node: (-loads[node], node))[:MOST_NODES]
    n_cores = list(accumulate(machine.n_cores_on(node) for node in most))
    return [node for node, n in zip(most, n_cores, strict=True) if n <= MOST_CORES] or most[:1]


def _figure(box: Box, legend: Sequence[str], description: str) -> str:
    """An SVG of the box with the lines of the legend below it."""
    width = max([box.width, *(text_width(line, FONT) for line in legend)]) + 20
    height = box.height + 20 + (6 + 16 * len(legend) if legend else 0)
    shapes = [
        element("rect", width=width, height=height, class_="tree-background", fill="#ffffff"),
        element("g", box.markup, transform="translate(10 10)"),
        *(
            text(12, box.height + 28 + 16 * i, line, class_="tree-legend", font_size=FONT, fill="#4a4f57")
            for i, line in enumerate(legend)
        ),
    ]
    picture = element("g", *shapes, class_="tree", font_family="system-ui, sans-serif")
    return figure(width, height, description, picture)


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
        if level > node_level:
            css_class, fill = "tree-box tree-network", NETWORK_FILL
        elif level == node_level:
            css_class, fill = "tree-box tree-node", NODE_FILL
        else:
            css_class, fill = "tree-box", TINTS[(level - 1) % len(TINTS)]
        if level == n_levels:
            return Frame(self._name(level), css_class, fill)
        title = self._title(level, index)
        if self.link_loads is None:
            return Frame(title, css_class, fill)
        loads = self.link_loads[level]
        greatest = max(loads)
        load = f"\N{UPWARDS ARROW} {bytes_text(loads[index])}"
        return Frame(
            title, css_class, fill, load=load, share=loads[index] / greatest if greatest > 0 else 0.0
        )

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
            return leaf(lines, "tree-core tree-rank", "#cfe3f7", "#2f6fab", self.core_size)
        return leaf(lines, "tree-core", "#ffffff", "#b4b9c1", self.core_size)

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
        """A box in place of `hidden` objects: which object they resemble, or their number of ranks."""
        lines = [Line(f"+ {len(hidden)} more", FONT, bold=True)]
        if self.ranks_on_core is not None:
            cores = range(self._first_core(level, hidden.start), self._first_core(level, hidden.stop))
            inside = {rank for core, ranks in self.ranks_on_core.items() if core in cores for rank in ranks}
            lines.append(Line(counted(len(inside), "rank") if inside else "without ranks", SMALL_FONT))
        else:
            likeness = self._likeness(level, hidden) if of_one_shape else "of several shapes"
            lines.append(Line(likeness, SMALL_FONT))
        return leaf(lines, "tree-more", "none", "#8a8f98", (0, 0), dashed=True)

    def _likeness(self, level: int, hidden: range) -> str:
        """How hidden objects compare with the last object drawn, which has the same shape.

        "like node #3" means that a drawing would differ only in the number.
        """
        likened = hidden.start - 1
        is_like = self._same_os_indices(level, range(likened, hidden.stop))
        return f"{'like' if is_like else 'of the shape of'} {self._title(level, likened)}"

    def _same_os_indices(self, level: int, objects: range) -> bool:
        """Whether neighbours of one shape have equal OS indices on their nodes, or none."""
        if not self.machine.has_os_indices:
            return True
        if level < self.machine.node_level:
            return False  # within a node, all OS indices differ
        first, end = (self._first_core(level, index) for index in (objects.start, objects.stop))
        nodes = list(dict.fromkeys(self.machine.node_of_core[first:end].tolist()))
        fingerprints = [self.machine.node_fingerprint(node) for node in nodes]
        n_each = len(nodes) // len(objects)
        return fingerprints == fingerprints[:n_each] * len(objects)

    def _first_core(self, level: int, index: int) -> int:
        """The first core of an object; the number of cores if `index` is the number of objects."""
        first_core = self.outline.first_core[level]
        return int(first_core[index]) if index < len(first_core) else self.machine.n_cores
