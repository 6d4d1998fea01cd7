"""Node shapes from hwloc, without hwloc's own messages on standard error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from corewise.model import NodeShape, read_local_topology, read_topology_synthetic, read_topology_xml

_HIDE = "HWLOC_HIDE_ERRORS"  # 2: hwloc reports nothing, as its manual's "Environment Variables" says


@contextmanager
def _quiet_hwloc() -> Iterator[None]:
    before = os.environ.get(_HIDE)
    os.environ[_HIDE] = "2"
    try:
        yield
    finally:  # programs that we start must find the user's own setting
        if before is None:
            del os.environ[_HIDE]
        else:
            os.environ[_HIDE] = before


def local() -> NodeShape:
    """This machine, as far as this process may use it."""
    with _quiet_hwloc():
        return read_local_topology()


def from_xml(path: str) -> NodeShape:
    """hwloc XML, as lstopo writes it; raises InputError naming the file."""
    with _quiet_hwloc():
        return read_topology_xml(path)


def from_synthetic(description: str) -> NodeShape:
    """hwloc's synthetic syntax; raises InputError quoting it."""
    with _quiet_hwloc():
        return read_topology_synthetic(description)
