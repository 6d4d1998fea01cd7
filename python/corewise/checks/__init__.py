"""Checks: each file has one trap, whose CHECK is registered automatically, sorted by file name."""

from __future__ import annotations

import importlib
import pkgutil

from corewise.checks.check import Check, Finding
from corewise.checks.situation import Situation

_modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
CHECKS: dict[str, Check] = {
    module.CHECK.name: module.CHECK for module in _modules if hasattr(module, "CHECK")
}


def findings(situation: Situation) -> list[tuple[Check, Finding]]:
    """The findings of all checks in order, without findings that another one explains."""
    found = [(check, finding) for check in CHECKS.values() for finding in check.look(situation)]
    explained = frozenset(name for check, _ in found for name in check.explains)
    return [(check, finding) for check, finding in found if check.name not in explained]
