"""Figures 2 to 4: the links, and the messages of HPL's processes."""

from __future__ import annotations

from collections.abc import Callable

from corewise_laboratory.studies.claims import above_half, at_least, claim, equal, positive
from corewise_laboratory.studies.leng.inputs import BLOCK_SIZE, FAST, GIGABIT, GIGANET, GRID, LINKS, MYRINET
from corewise_laboratory.studies.rows import Labels, Rows
from corewise_laboratory.studies.sizes import Links, SizeClasses
from corewise_laboratory.studies.study import Study

NETWORKS = {
    "Fast Ethernet": (f"{FAST}:2", "network"),
    "Gigabit Ethernet": (f"{GIGABIT}:2", "network"),
    "Giganet": (f"{GIGANET}:2", "network"),
    "Myrinet": (f"{MYRINET}:2", "network"),
}
ALL_LINKS = NETWORKS | {"shared memory": ("pe1550:2", "node")}


def shared_memory_best(rows: Rows) -> float:
    """The least time of the networks over that of shared memory, minus 1."""
    return float(rows("t", link=[*NETWORKS]).min() / rows("t", link="shared memory").max() - 1)


def fast_ethernet_worst(rows: Rows) -> float:
    """The time of Fast Ethernet over the greatest of the others, minus 1."""
    others = [link for link in ALL_LINKS if link != "Fast Ethernet"]
    return float(rows("t", link="Fast Ethernet").max() / rows("t", link=others).max() - 1)


def shared_memory_slower(rows: Rows) -> float:
    """The time of shared memory over the least of Giganet and Myrinet, minus 1; the greatest of all sizes."""
    return max(
        float(each("t", link="shared memory").max() / each("t", link=["Giganet", "Myrinet"]).min() - 1)
        for each in rows.per("size")
    )


def drop_of_bandwidth(rows: Rows) -> float:
    """1 minus the bandwidth at 128 KB over that at 32 KB."""
    return float(1 - (131072 / rows("t", size="131072").max()) / (32768 / rows("t", size="32768").max()))


SIZES = [1, 16, 256, 1024, 4096, 16384, 32768, 65536, 131072, 262144, 1048576]
FIG2 = Study(
    "leng-fig2",
    {"links": Links(links=ALL_LINKS, sizes=SIZES, chosen=(LINKS,))},
    [
        claim("leng-fig2-latency-shared-memory-best", shared_memory_best, positive, size="1"),
        claim("leng-fig2-latency-fast-ethernet-worst", fast_ethernet_worst, positive, size="1"),
        claim("leng-fig2-bandwidth-shared-memory-best", shared_memory_best, positive, size="1048576"),
        claim("leng-fig2-bandwidth-fast-ethernet-worst", fast_ethernet_worst, positive, size="1048576"),
        claim("leng-fig2-shared-memory-below-fast-interconnects", shared_memory_slower, positive),
        claim("leng-fig2-shared-memory-drop-at-64kb", drop_of_bandwidth, at_least, link="shared memory"),
    ],
)

SMALL = [str(size_class) for size_class in range(3, 8)]  # up to 127 bytes
LARGE = [str(size_class) for size_class in range(18, 21)]  # from 128 KB to 1 MB


def share(column: str, **labels: Labels) -> Callable[[Rows], float]:
    """The share of messages or bytes with these labels; the least of the profiles."""
    return lambda rows: min(
        float(each(column, **labels).sum() / each(column).sum()) for each in rows.per("profile")
    )


def largest_group(rows: Rows) -> float:
    """The size of the largest group."""
    return float(rows("group").max())


FIG3_4 = Study(
    "leng-fig3-4",
    {
        "sizes": SizeClasses(
            profiles={n: f"hpl-sizes/hpl.2000.{n}.sizes.json" for n in ("16", "32")},
            chosen=(BLOCK_SIZE, GRID),
        )
    },
    [
        claim("leng-fig3-16-most-messages-in-pairs", share("messages", group="2"), above_half, profile="16"),
        claim("leng-fig3-16-neighbours-most-frequent", largest_group, equal(2), profile="16", busiest="1"),
        claim(
            "leng-fig3-16-neighbour-messages-small",
            share("messages", size_class=SMALL),
            above_half,
            profile="16",
            group="2",
        ),
        claim(
            "leng-fig3-16-large-messages-at-distance-two",
            share("bytes", distance="2", group="4"),
            above_half,
            profile="16",
        ),
        claim(
            "leng-fig4-32-most-messages-in-groups-of-four",
            share("messages", group=["2", "4"]),
            above_half,
            profile="32",
        ),
        claim(
            "leng-fig4-32-large-messages-at-distance-four",
            share("messages", distance="4"),
            above_half,
            profile="32",
            size_class=LARGE,
        ),
        claim(
            "leng-sec5-large-messages-between-groups",
            share("bytes", inside="0"),
            above_half,
            size_class=LARGE,
        ),
        claim("leng-sec5-pattern-concentrated-on-neighbours", share("messages", inside="1"), above_half),
    ],
)
