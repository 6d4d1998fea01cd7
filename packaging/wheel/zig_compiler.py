"""A C or C++ compiler whose programs run with glibc 2.28 and newer: `zig_compiler.py cc|c++ ARGUMENT...`.

It is zig (PyPI's ziglang), which knows the symbols of old versions of glibc and links its C++ library
statically. zig refuses two options of the linker that the preload library needs. Its linker arranges
segments as `-z separate-code` asks anyway. `-z initfirst` is a bit of the dynamic section, which is set
after linking.
"""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

TARGET = "x86_64-linux-gnu.2.28"
# System V ABI, chapter 5, for 64 bits; the flag is in glibc's elf.h.
PT_DYNAMIC = 2
DT_FLAGS_1 = 0x6FFFFFFB
DF_1_INITFIRST = 0x20


def without_refused(argument: str) -> tuple[str, bool]:
    """A compiler's argument as zig takes it, and whether it asked for `-z initfirst`."""
    if not argument.startswith("-Wl,"):
        return argument, False
    words = argument.replace("-z,separate-code", "").replace("-z,initfirst", "-z,nodelete")
    kept = [word for word in words.split(",") if word]
    return ",".join(kept) if len(kept) > 1 else "", "-z,initfirst" in argument


def set_initfirst(path: Path) -> None:
    """Sets the flag in a library whose dynamic section has DT_FLAGS_1, as `-z nodelete` makes it."""
    data = bytearray(path.read_bytes())
    headers, size, n_headers = (*struct.unpack_from("<Q", data, 32), *struct.unpack_from("<HH", data, 54))
    for header in range(headers, headers + size * n_headers, size):
        kind, _, begin, _, _, length = struct.unpack_from("<IIQQQQ", data, header)
        for entry in range(begin, begin + length if kind == PT_DYNAMIC else begin, 16):
            tag, value = struct.unpack_from("<QQ", data, entry)
            if tag == DT_FLAGS_1:
                struct.pack_into("<Q", data, entry + 8, value | DF_1_INITFIRST)
                path.write_bytes(data)
                return
    raise SystemExit(f"{path}: found no DT_FLAGS_1 in its dynamic section; expected one from -z nodelete")


def main() -> None:
    language, *given = sys.argv[1:]
    taken = [without_refused(argument) for argument in given]
    arguments = [argument for argument, _ in taken if argument]
    # Without -g0, zig makes debug information that nobody asked for.
    command = [sys.executable, "-m", "ziglang", language, "-target", TARGET, "-g0", *arguments]
    compiled = subprocess.run(command)
    if compiled.returncode == 0 and any(is_first for _, is_first in taken):
        set_initfirst(Path(arguments[arguments.index("-o") + 1]))
    sys.exit(compiled.returncode)


if __name__ == "__main__":
    main()
