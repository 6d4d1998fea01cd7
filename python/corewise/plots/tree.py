"""The machine as nested boxes: network, nodes, packages, caches, cores, with their ranks and link loads.

Shapes carry classes (tree-box, tree-core, tree-rank, ...) that a page may style; alone they have colours of
their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from corewise.model import Machine
from corewise.plots.boxes import Box, Frame, Line, leaf, leaf_size, packed, text_width
from corewise.plots.outline import Outline, counts_text
from corewise.plots.svg import element, figure, text
from corewise.text.quantities import bytes_text, index_text

MOST_CORES = 256  # drawn in all
MOST_ALIKE = 4  # nodes or switches of one kind
MOST_RUNS = 8  # changes of kind among the children of one object
SMALL_FONT, FONT = 9, 11
TINTS = ("#eef2f7", "#f6f3ea", "#eef5ee", "#f5eff5")  # levels inside a node, from the lowest
NODE_FILL, NETWORK_FILL = "#ffffff", "#f3f4f6"


def machine_svg(
    machine: Machine,
    ranks_on_core: Mapping[int, Sequence[int]] | None = None,
    link_loads: Sequence[Sequence[float]] | None = None,
    with_legend: bool = True,
) -> str:
    """An SVG of the machine; of many objects alike the first few are drawn and the others counted.

    `ranks_on_core` maps a core (numbered over the whole machine) to its ranks. `link_loads[level][object]`
    are the bytes over the link from that object up to the level above, as the model's link_loads() gives;
    those of single cores are not shown, because no placement changes them.
    """
    picture = _Picture(machine, Outline.of(machine), ranks_on_core, link_loads)
    box = picture.box(machine.n_levels, 0, MOST_CORES)
    legend = picture.legend() if with_legend else []
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
    return figure(
        width,
        height,
        f"The machine {machine.name}: {counts_text(machine)}",
        element("g", *shapes, class_="tree", font_family="system-ui, sans-serif"),
    )


@dataclass
class _Picture:
    machine: Machine
    outline: Outline
    ranks_on_core: Mapping[int, Sequence[int]] | None
    link_loads: Sequence[Sequence[float]] | None

    @cached_property
    def core_size(self) -> tuple[float, float]:
        """Width and height that the cores of the first node need: all cores get it, so that they line up."""
        sizes = [
            leaf_size(self._core_lines(core)) for core in range(min(MOST_CORES, self.machine.n_cores_on(0)))
        ]
        widths, heights = zip(*sizes, strict=True)
        return max(widths), max(heights)

    def box(self, level: int, index: int, most_cores: int) -> Box:
        """One object with at most about `most_cores` cores inside."""
        if level == 0:
            return self._core_box(index)
        runs = self._runs(level, index)
        room = max(1, most_cores // min(len(runs), MOST_RUNS))
        boxes = []
        for first, n in runs[:MOST_RUNS]:
            n_shown = self._n_shown(level, n, self.outline.kind(level - 1, first).n_cores, room)
            boxes += [self.box(level - 1, first + i, room // n_shown) for i in range(n_shown)]
            if n > n_shown:
                boxes.append(
                    self._more_box(n - n_shown, f"like {self._title(level - 1, first + n_shown - 1)}")
                )
        if len(runs) > MOST_RUNS:
            boxes.append(self._more_box(sum(n for _, n in runs[MOST_RUNS:]), "of several kinds"))
        return packed(self._frame(level, index), boxes)

    def legend(self) -> list[str]:
        """What the numbers mean, one line each."""
        machine = self.machine
        lines = [f"{machine.name}: {counts_text(machine)}"]
        if machine.has_os_indices:
            lines.append(
                "#, core, PU: logical indices (tree order) on the node; OS: the operating system's own"
            )
        if self.ranks_on_core is not None:
            lines.append("blue: cores with ranks")
        if self.link_loads is not None:
            lines.append("\N{UPWARDS ARROW} bytes over the link upwards; bar: share of the level's greatest")
        return lines

    def _runs(self, level: int, index: int) -> list[tuple[int, int]]:
        """(first child, how many neighbours of its kind) for the children of an object."""
        first = self.outline.children(level, index).start
        runs = []
        for n, _ in self.outline.kind(level, index).runs:
            runs.append((first, n))
            first += n
        return runs

    def _n_shown(self, level: int, n_alike: int, cores_each: int, most_cores: int) -> int:
        most = max(1, most_cores // cores_each)
        return min(n_alike, most, MOST_ALIKE if level > self.machine.node_level else most)

    def _name(self, level: int) -> str:
        if level > 0:
            return self.machine.levels[level - 1].name
        return "core" if self.machine.has_os_indices else "leaf"

    def _frame(self, level: int, index: int) -> Frame:
        node_level, n_levels = self.machine.node_level, self.machine.n_levels
        if level > node_level:
            style = {"css_class": "tree-box tree-network", "fill": NETWORK_FILL}
        elif level == node_level:
            style = {"css_class": "tree-box tree-node", "fill": NODE_FILL}
        else:
            style = {"css_class": "tree-box", "fill": TINTS[(level - 1) % len(TINTS)]}
        if level == n_levels:
            return Frame(self._name(level), **style)
        title = self._title(level, index)
        if self.link_loads is None:
            return Frame(title, **style)
        loads = self.link_loads[level]
        greatest = max(loads)
        load = f"\N{UPWARDS ARROW} {bytes_text(loads[index])}"
        return Frame(title, **style, load=load, share=loads[index] / greatest if greatest > 0 else 0.0)

    def _title(self, level: int, index: int) -> str:
        if level == 0 and self.machine.node_level == 0 and self.machine.n_nodes > 1:
            return f"node #{index}, core 0"
        if level == 0:
            return f"{self._name(0)} {self.machine.core_on_node(index)}"
        return f"{self._name(level)} #{self._index_on_node(level, index)}"

    def _index_on_node(self, level: int, index: int) -> int:
        """Objects inside nodes are counted on their node, nodes and switches over the machine."""
        if level >= self.machine.node_level:
            return index
        node = self.machine.node_of(int(self.outline.first_core[level][index]))
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

    def _more_box(self, n: int, like: str) -> Box:
        lines = [Line(f"+ {n} more", FONT, bold=True), Line(like, SMALL_FONT)]
        return leaf(lines, "tree-more", "none", "#8a8f98", (0, 0), dashed=True)
