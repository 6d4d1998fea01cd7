"""Exit codes for people: with the signal that they stand for."""

from __future__ import annotations

import signal


def exit_text(code: int) -> str:
    """`139` is "exit code 139 (SIGSEGV)": above 128, shells and launchers add the number of a signal."""
    try:
        return f"exit code {code} ({signal.Signals(code - 128).name})"
    except ValueError:
        return f"exit code {code}"
