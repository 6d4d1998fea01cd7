"""Latency, bandwidth and other figures of links: the same keys in machine files, tune.json and output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import Meta

from corewise.model import LinkFigures
from corewise.nouns.codec import Count, FieldError, Noun, Number

if TYPE_CHECKING:
    from typing_extensions import Self

# JSON numbers are doubles, which represent larger integers inexactly.
Size = Annotated[int, Meta(ge=0, le=2**53)]


class Measured(Noun, frozen=True, kw_only=True):
    """What was measured in addition to latency and bandwidth; figures that were not measured are left out.

    Bounds are low and high. A point of the `curve` is a message size in bytes, its time, and the bounds of
    the time, in s. An entry of `loads` is a number of pairs of cores, the number of links that they share,
    the directions used at the same time (1 or 2), and the bytes/s of all pairs together with their bounds.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = (
        "latency_bounds_s",
        "bandwidth_bounds_bytes_per_s",
        "eager_bytes",
        "rdma",
        "tcp",
        "curve",
        "loads",
    )

    latency_bounds_s: tuple[Number, Number] | None = None
    bandwidth_bounds_bytes_per_s: tuple[Number, Number] | None = None
    eager_bytes: Size | None = None
    rdma: bool = False
    tcp: bool = False
    curve: list[tuple[Size, Number, Number, Number]] = []
    loads: list[tuple[Count, Count, Literal[1, 2], Number, Number, Number]] = []

    @classmethod
    def of(cls, link: LinkFigures, **others: Any) -> Self:
        """The figures of `link`; `others` add or replace fields."""
        loads = [
            (pairs, links, 2 if both_ways else 1, *rates) for pairs, links, both_ways, *rates in link.loads
        ]
        found = {name: getattr(link, name) for name in cls.__struct_fields__ if hasattr(link, name)}
        return cls(**found | {"loads": loads} | others)

    def __post_init__(self) -> None:
        """Raises FieldError for a load of more links than pairs."""
        for i, load in enumerate(self.loads):
            if load[1] > load[0]:
                raise FieldError(f"loads[{i}]", list(load), "pairs first, then links, no more than pairs")


class Figures(Measured, frozen=True, kw_only=True):
    """Latency and bandwidth of links, where they come from, and what was measured."""

    source: str
    latency_s: Number
    bandwidth_bytes_per_s: Number

    def link(self, assumed: bool = False) -> LinkFigures:
        """The figures; `assumed` is noted in their source.

        make_machine() checks that the numbers are consistent.
        """
        return LinkFigures(
            self.latency_s,
            self.bandwidth_bytes_per_s,
            f"assumed: {self.source}" if assumed else self.source,
            latency_bounds_s=self.latency_bounds_s,
            bandwidth_bounds_bytes_per_s=self.bandwidth_bounds_bytes_per_s,
            eager_bytes=self.eager_bytes,
            curve=self.curve,
            loads=[(load[0], load[1], load[2] == 2, *load[3:]) for load in self.loads],
            rdma=self.rdma,
            tcp=self.tcp,
        )
