# Methods that corewise/notebook.py gives to classes of the extension.
_core.Machine.__suffix__:
    \from corewise.text.svg_text import Svg
    def plot(self) -> Svg:
        """The tree as SVG text, which notebooks show."""

    def _repr_html_(self) -> str: ...

_core.(Traffic|CommMatrix).__suffix__:
    \from matplotlib.figure import Figure
    def plot(self, title: str = "traffic", ranks_per_node: int | None = None) -> Figure:
        """The heat map as a figure of Matplotlib."""

    def _repr_html_(self) -> str: ...
