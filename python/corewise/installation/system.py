"""The operating system, and its package manager, as os-release(5) names it."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass

# Package manager -> the ID of systems that have it. Others name one of these in ID_LIKE.
_SYSTEMS = {"apt": {"debian", "ubuntu"}, "dnf": {"centos", "fedora", "rhel"}}


@dataclass(frozen=True)
class System:
    """`manager` is a key of capability.MANAGERS, empty for a system whose packages aren't known here."""

    name: str
    manager: str


def this_system() -> System:
    """What /etc/os-release says; a system without that file has no manager."""
    try:
        return system_of(platform.freedesktop_os_release())
    except OSError:
        return System(platform.system(), "")


def system_of(release: Mapping[str, str]) -> System:
    """The system that the variables of an os-release file describe."""
    names = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    manager = next((manager for manager, systems in _SYSTEMS.items() if names & systems), "")
    return System(release.get("PRETTY_NAME") or release.get("ID", "Linux"), manager)
