"""Lines of launchers that mean nothing, which corewise doesn't pass on to a terminal."""

from __future__ import annotations

import re

# Open MPI's mpirun forks a process for each node, and both put it into a process group. If the child has
# started ssh before, the kernel refuses the parent's call (EACCES). Open MPI prints that and continues, since
# the child is in its group already (plm_rsh_module.c, 4.0 to 4.1). Busy cores make this likely.
_NOISE = re.compile(
    rb"\[[^\]\n]*\] plm:rsh: Warning: setpgid\(\d+,\d+\) failed in parent "
    rb"with errno=Permission denied\(13\)\r?\n"
)
_BEGINNING, _LONGEST = b"[", 300


class WithoutNoise:
    """A filter of bytes that come in chunks: whole lines of noise are left out, all else is kept."""

    def __init__(self) -> None:
        self._line = b""  # the beginning of one that may be noise

    def passed(self, chunk: bytes) -> bytes:
        """What can be passed on now. A line that can't be noise is not waited for."""
        *lines, last = (self._line + chunk).splitlines(keepends=True) or [b""]
        is_open = not last.endswith(b"\n") and last.startswith(_BEGINNING) and len(last) < _LONGEST
        self._line = last if is_open else b""
        return b"".join(line for line in lines + [b"" if is_open else last] if not _NOISE.fullmatch(line))

    def rest(self) -> bytes:
        """What was held back, at the end."""
        line, self._line = self._line, b""
        return line
