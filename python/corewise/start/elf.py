"""Reads from an ELF file how it is linked, and which symbols it defines or uses."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

PT_INTERP = 3
SHT_SYMTAB, SHT_DYNSYM = 2, 11
SHN_UNDEF = 0
PROGRAM_HEADER, SECTION_HEADER, SYMBOL = "I52x", "IIQQQQIIQQ", "IBBHQQ"


@dataclass(frozen=True)
class Elf:
    """`defined` includes symbols for debuggers only; `used` are symbols that another file must define."""

    is_static: bool  # without a dynamic linker
    defined: frozenset[str]
    used: frozenset[str]


def read_elf(path: Path, names: frozenset[str]) -> Elf | None:
    """Which of `names` a program or library defines or uses; None if the file is not 64-bit ELF.

    Source: System V ABI, chapter 4, "Object files"; ELF-64 Object File Format 1.5.
    """
    try:
        with path.open("rb") as file:
            return _read(file, names)
    except (OSError, struct.error):
        return None


def _read(file: BinaryIO, names: frozenset[str]) -> Elf | None:
    identity = file.read(16)
    if identity[:5] != b"\x7fELF\x02":
        return None
    order = "<" if identity[5] == 1 else ">"
    head = struct.unpack(f"{order}HHIQQQIHHHHHH", file.read(48))
    segments_at, sections_at, n_segments, n_sections = head[4], head[5], head[9], head[11]
    segments = _table(file, order + PROGRAM_HEADER, segments_at, n_segments)
    sections = _table(file, order + SECTION_HEADER, sections_at, n_sections)
    defined: set[str] = set()
    used: set[str] = set()
    for _, kind, _, _, at, size, strings, *_ in sections:
        if kind not in (SHT_SYMTAB, SHT_DYNSYM):
            continue
        text = _bytes(file, sections[strings][4], sections[strings][5])
        for name, section in _symbols(_bytes(file, at, size), order, text, names):
            (used if section == SHN_UNDEF else defined).add(name)
    return Elf(all(kind != PT_INTERP for (kind,) in segments), frozenset(defined), frozenset(used))


def _symbols(table: bytes, order: str, text: bytes, names: frozenset[str]) -> list[tuple[str, int]]:
    """(name, section) of the symbols that are among `names`."""
    offsets = {}
    for name in names:
        at = text.find(f"\0{name}\0".encode())
        while at >= 0:
            offsets[at + 1] = name
            at = text.find(f"\0{name}\0".encode(), at + 1)
    if not offsets:
        return []
    whole = len(table) // struct.calcsize(order + SYMBOL) * struct.calcsize(order + SYMBOL)
    symbols = struct.iter_unpack(order + SYMBOL, table[:whole])
    return [(offsets[offset], section) for offset, _, _, section, _, _ in symbols if offset in offsets]


def _table(file: BinaryIO, form: str, at: int, n: int) -> list[tuple[Any, ...]]:
    return list(struct.iter_unpack(form, _bytes(file, at, n * struct.calcsize(form))))


def _bytes(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    found = file.read(size)
    if len(found) < size:
        raise struct.error("ends early")
    return found
