"""Reads node shapes with hwloc, without hwloc's messages on standard error."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Protocol

from corewise.errors import InputError
from corewise.machines.hwloc_xml import as_version_2, read_xml
from corewise.model import (
    NodeCpus,
    NodeShape,
    read_local_cpus,
    read_local_topology,
    read_topology_synthetic,
    read_topology_xml,
)

# hwloc needs 1 s for a node of 65536 PUs.
MOST_XML_CPU_S = 10

# hwloc needs 1 s for this many; the largest nodes have a few thousand.
MOST_PUS = 2**16
_HIDE = "HWLOC_HIDE_ERRORS"  # "2" hides all messages (hwloc's manual, "Environment Variables")


class HwlocTopology(Protocol):
    """A loaded pyhwloc.Topology."""

    def export_xml_buffer(self, flags: int) -> str:
        """The topology as hwloc XML."""


@contextmanager
def _quiet_hwloc() -> Iterator[None]:
    before = os.environ.get(_HIDE)
    os.environ[_HIDE] = "2"
    try:
        yield
    finally:  # restore the user's setting for programs that we start
        if before is None:
            del os.environ[_HIDE]
        else:
            os.environ[_HIDE] = before


def local() -> NodeShape:
    """The part of this machine that this process may use."""
    with _quiet_hwloc():
        return read_local_topology()


def local_cpus() -> NodeCpus:
    """All hardware threads of this machine, including those that this process may not use."""
    with _quiet_hwloc():
        return read_local_cpus()


def from_xml(path: str) -> NodeShape:
    """A node from hwloc XML, as written by lstopo; raises InputError naming the file."""
    return _from_xml_text(read_xml(Path(path)), path)


def of_topology(topology: HwlocTopology) -> NodeShape:
    """A node from a pyhwloc topology; raises InputError if hwloc can't read it again."""
    name = "the topology"
    return _from_xml_text(as_version_2(topology.export_xml_buffer(0), name), name)


def _from_xml_text(xml: str, path: str) -> NodeShape:
    with _quiet_hwloc():
        _require_harmless(xml, path)
        return read_topology_xml(xml, path)


def _require_harmless(xml: str, path: str) -> None:
    """Raises InputError if hwloc crashes on the file or doesn't finish.

    Tries it in a child process, because hwloc 2.9 has a segmentation fault if a NUMA node lacks its
    complete_nodeset and the machine's masks are wrong.
    """
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_XML_CPU_S, MOST_XML_CPU_S))
            read_topology_xml(xml, path)
        except Exception:  # the parent gets and reports the same error
            pass
        finally:
            os._exit(0)
    if os.WIFSIGNALED(os.waitpid(child, 0)[1]):
        raise InputError(
            "hwloc fails on it; expected an undamaged file written by `lstopo FILE.xml`", path=path
        )


def from_synthetic(description: str) -> NodeShape:
    """A node in hwloc's synthetic syntax; raises InputError quoting it, also for too many PUs."""
    # Without attributes and memory, which contain other numbers.
    levels = re.sub(r"\([^()]*\)|\[[^]]*\]", " ", description)
    n_pus = prod(int(number) for number in re.findall(r"(\d{1,12})\d*(?:\s|$)", levels))
    if n_pus > MOST_PUS:
        raise InputError(f"'{description}' is a node of more than {MOST_PUS} PUs; expected fewer")
    with _quiet_hwloc():
        return read_topology_synthetic(description)
