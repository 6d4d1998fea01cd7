"""Formats exit codes, with the signal that they mean."""

from __future__ import annotations

import signal


def exit_text(code: int) -> str:
    """`139` is "exit code 139 (SIGSEGV)", because shells and launchers use 128 + signal."""
    try:
        return f"exit code {code} ({signal.Signals(code - 128).name})"
    except ValueError:
        return f"exit code {code}"
