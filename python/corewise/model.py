"""The nouns: the only door to the extension module, whose names are all here."""

from corewise.interrupts import postponed as _postponed

# An exception in the set-up of the extension's types ends the process with SIGABRT (nanobind).
with _postponed():
    from corewise._core import *  # noqa: F403
