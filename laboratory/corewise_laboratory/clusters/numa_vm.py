"""numa-vm: a virtual machine with two packages and two NUMA nodes, which numa-vm/run boots per command."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any

from corewise.clusters.kind import Kind


def boot(options: dict[str, Any], command: Sequence[str]) -> list[str]:
    """The command line of the script; `options` may have `smt` and `add`."""
    script = str(resources.files("corewise_laboratory") / "numa-vm" / "run")
    smt = ["--smt"] if options.get("smt") else []
    added = [word for path in options.get("add", ()) for word in ("--add", str(path))]
    return [script, *smt, *added, "--", *command]


NUMA_VM = Kind(
    name="numa-vm",
    sentence="a virtual machine of two packages and NUMA nodes, booted for each command; never for times",
    tools={"qemu-system-x86_64": "qemu-system-x86"},
    options=("smt", "add"),
    boot=boot,
)
