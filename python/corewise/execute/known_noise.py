"""Meaningless lines of launchers: not copied to the terminal, and not quoted as a reason."""

from __future__ import annotations

import re

# Open MPI's mpirun forks a child for each node, and both processes call setpgid() for the child. If the child
# has already started ssh, the parent's call fails with EACCES. This is harmless, because the child is already
# in its group (plm_rsh_module.c, 4.0 to 4.1). It is likely on busy cores.
_NOISE = re.compile(
    rb"\[[^\]\n]*\] plm:rsh: Warning: setpgid\(\d+,\d+\) failed in parent "
    rb"with errno=Permission denied\(13\)\r?\n"
)
_BEGINNING, _LONGEST = b"[", 300

# Lines of libraries that are printed by jobs that work, too, for example
# `[host:1] ... unable to open mca_btl_openib: libibverbs.so.1: cannot open shared object file (ignored)`.
_HARMLESS = re.compile(r"\b(ignor(ed|ing)|info|notice|warn(ing)?)\b", re.I)
_LAST_WORD = re.compile(r"\bfatal\b", re.I)  # srun prints what it tried before


class WithoutNoise:
    """A filter for chunks of bytes that removes lines of noise."""

    def __init__(self) -> None:
        self._line = b""  # an incomplete line that may be noise

    def passed(self, chunk: bytes) -> bytes:
        """The bytes to pass on now. Holds back only an incomplete line that may be noise."""
        *lines, last = (self._line + chunk).splitlines(keepends=True) or [b""]
        is_open = not last.endswith(b"\n") and last.startswith(_BEGINNING) and len(last) < _LONGEST
        self._line = last if is_open else b""
        return b"".join(line for line in lines + [b"" if is_open else last] if not _NOISE.fullmatch(line))

    def rest(self) -> bytes:
        """The bytes held back, at the end of the stream."""
        line, self._line = self._line, b""
        return line


def reason_in(printed: str) -> str:
    """The line of a launcher's output that says most about why it failed; "" without a line of words."""
    lines = [line.strip() for line in printed.splitlines() if any(map(str.isalnum, line))]
    telling = [line for line in lines if not _HARMLESS.search(line)]
    return next(filter(_LAST_WORD.search, telling), next(iter([*telling, *lines]), ""))
