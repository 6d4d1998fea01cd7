"""All names of the extension module, which no other module imports directly."""

from corewise.interrupts import postponed as _postponed

# An exception while nanobind creates the extension's types would end the process with SIGABRT.
with _postponed():
    from corewise._core import *  # noqa: F403
