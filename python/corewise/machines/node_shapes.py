"""Reads node shapes with hwloc, without hwloc's messages on standard error."""

from __future__ import annotations

import gzip
import os
import re
import resource
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Protocol

from corewise.errors import InputError
from corewise.files.document import MOST_DOCUMENT_BYTES, require_document
from corewise.model import (
    NodeCpus,
    NodeShape,
    read_local_cpus,
    read_local_topology,
    read_topology_synthetic,
    read_topology_xml,
)

_GZIP = b"\x1f\x8b"
# The first tag after the prologue; hwloc 1 wrote no version.
_ROOT = re.compile(r"<(topology|root)\b([^>]*)>")
_VERSION = re.compile(r"""\bversion\s*=\s*["'](\d+)\.(\d+)["']""")
# Parts whose format changed in hwloc 3, and that neither corewise nor hwloc-calc uses.
_NOT_READ = re.compile(r"<(distances2(?:hetero)?|memattr|support)\b[^>]*?(?:/>|>.*?</\1>)", re.DOTALL)
_OSDEV = re.compile(r"<object\b[^>]*\btype=[\"']OSDev[\"'][^>]*>")
_OSDEV_TYPE = re.compile(r"""\bosdev_type=(["'])(\d+)\1""")
_GPU_NAME = re.compile(r"""\bname=["'](?:nvml|rsmi)""")


def read_xml(path: Path) -> str:
    """The text for hwloc 2; raises InputError if the file is no hwloc XML, or newer than version 3."""
    require_document(path, "an hwloc XML file")
    try:
        data = path.read_bytes()
        if data.startswith(_GZIP):
            data = _unpacked(path)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"could not be read ({error.strerror or error}); expected hwloc XML", path=path
        ) from error
    except (EOFError, zlib.error) as error:
        raise InputError(f"damaged compressed data ({error}); expected hwloc XML", path=path) from error
    except UnicodeDecodeError as error:
        raise InputError("not a text file; expected hwloc XML", path=path) from error
    return as_version_2(text, path)


def _unpacked(path: Path) -> bytes:
    with gzip.open(path) as file:
        data = file.read(MOST_DOCUMENT_BYTES + 1)
    if len(data) > MOST_DOCUMENT_BYTES:
        raise InputError(f"more than {MOST_DOCUMENT_BYTES} bytes unpacked; expected hwloc XML", path=path)
    return data


def looks_like_xml(path: Path) -> bool:
    """Whether the file starts like XML or is compressed, for files without a telling name."""
    try:
        require_document(path, "an hwloc XML file")
        with path.open("rb") as file:
            start = file.read(64)
    except (InputError, OSError):
        return False
    return start.startswith(_GZIP) or start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def as_version_2(text: str, path: Path | str) -> str:
    """hwloc XML for hwloc 2; raises InputError, with `path`, for versions above 3.

    Version 3 has the same objects as version 2. Only the types of OS devices, which became bits, and some
    tables outside the tree differ (hwloc's topology-xml.c, HWLOC_TOPOLOGY_EXPORT_XML_FLAG_V2).
    """
    root = _ROOT.search(text)
    version = root and _VERSION.search(root[2])
    if not root or not version or int(version[1]) < 3:
        return text
    if int(version[1]) > 3:
        raise InputError(
            f"written by hwloc {version[1]} (XML version {version[1]}.{version[2]}); corewise reads "
            "up to 3: write it again with `lstopo --export-xml-flags 2 FILE.xml`",
            path=path,
        )
    first, last = root.start(2) + version.start(), root.start(2) + version.end()
    tree = _NOT_READ.sub("", text[last:])
    return f'{text[:first]}version="2.0"{_OSDEV.sub(_device_of_version_2, tree)}'


def _device_of_version_2(tag: re.Match[str]) -> str:
    return _OSDEV_TYPE.sub(lambda found: f'osdev_type="{_osdev_type(int(found[2]), tag[0])}"', tag[0])


def _osdev_type(bits: int, tag: str) -> int:
    """As hwloc 2's HWLOC_OBJ_OSDEV_*: 0 block, 1 GPU, 2 network, 3 OpenFabrics, 4 DMA, 5 co-processor."""
    storage_or_memory, gpu, coprocessor, network, fabric, dma = 0b11, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6
    if bits & storage_or_memory:
        return 0
    if bits & fabric or (bits & network and 'subtype="BXI"' in tag):
        return 3
    if bits & network:
        return 2
    if bits & dma:
        return 4
    if bits & gpu and (not bits & coprocessor or _GPU_NAME.search(tag)):
        return 1
    return 5


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
