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

    def to_numpy(self, amount: str = "bytes") -> numpy.typing.NDArray[numpy.uint64]:
        """A square array [src, dst] of "bytes" or "messages"."""

    def to_scipy(self, amount: str = "bytes") -> typing.Any:
        """A SciPy csr_array [src, dst] of "bytes" or "messages"."""

    def to_networkx(self) -> typing.Any:
        """A networkx DiGraph with a node for each rank. Edges have the attributes bytes and messages."""

    def to_pandas(self) -> typing.Any:
        """A data frame of pandas with the columns src, dst, bytes and messages."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

    def _repr_html_(self) -> str: ...
