"""Reads hwloc XML files, compressed or not, and converts them to the version that hwloc 2 reads."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

from corewise.errors import InputError
from corewise.files.document import MOST_DOCUMENT_BYTES, require_document

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
