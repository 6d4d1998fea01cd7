"""The operating system and its package manager, by os-release(5)."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass

# Package manager -> IDs of systems with it. Other systems may have such an ID in ID_LIKE.
_SYSTEMS = {"apt": {"debian", "ubuntu"}, "dnf": {"centos", "fedora", "rhel"}}


@dataclass(frozen=True)
class System:
    """`manager` is a key of capability.MANAGERS, empty for other systems."""

    name: str
    manager: str


def this_system() -> System:
    """The system by /etc/os-release; without that file, without a manager."""
    try:
        return system_of(platform.freedesktop_os_release())
    except OSError:
        return System(platform.system(), "")


def system_of(release: Mapping[str, str]) -> System:
    """The system that the variables of an os-release file describe."""
    names = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    manager = next((manager for manager, systems in _SYSTEMS.items() if names & systems), "")
    return System(release.get("PRETTY_NAME") or release.get("ID", "Linux"), manager)
