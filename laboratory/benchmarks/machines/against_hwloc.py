"""Compares corewise's counts of recorded machines with hwloc's: packages, NUMA nodes, L3, cores, PUs, GPUs.

    git --git-dir HWLOC.git archive HEAD tests | tar -xC recordings/hwloc
    python laboratory/benchmarks/machines/against_hwloc.py recordings/...

Reads every file below the folders that hwloc can read: XML, and archives (.tar.bz2) of /sys and /proc
("linux") or of CPUID ("x86"), which lstopo converts first. hwloc's counts are those of the tree that `lstopo`
prints for the file. hwloc 2 can't read XML of hwloc 3, so for these files it reads what corewise made of
them. A file is equal, refused by corewise in one sentence, or different. Differences are printed, and the
exit code is 1. GPUs are counted as their drivers list them (rsmi0, nvml0, ze0.0 ...), else by card. Console
chips don't count.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from corewise.errors import InputError
from corewise.machines import load
from corewise.machines.hwloc_xml import read_xml
from corewise.plugin.documents import text_table

KINDS = ("package", "numa", "l3", "core", "pu", "gpu")
TYPES = {"Package": "package", "NUMANode": "numa", "L3Cache": "l3", "Core": "core", "PU": "pu"}
MAKERS = ("[10de:", "[1002:", "[8086:")  # NVIDIA, AMD, Intel
CONSOLES = ("[1002:4752]", "[1002:515e]", "[1002:5969]")  # ATI's Rage XL and ES1000
DRIVERS = (r"rsmi\d+", r"nvml\d+", r"ze[\d.]+")
QUIET = {"HWLOC_HIDE_ERRORS": "2", "HWLOC_THISSYSTEM": "0"}


def lstopo(*options: str, **environment: str) -> str | None:
    """The XML that lstopo writes for these options. None if it fails."""
    run = subprocess.run(
        ["lstopo-no-graphics", *options, "--of", "xml"],
        env=os.environ | QUIET | environment,
        capture_output=True,
        text=True,
    )
    return run.stdout if run.returncode == 0 else None


def recordings(folder: Path, scratch: Path) -> Iterator[tuple[str, Path, Path]]:
    """(kind, recording, XML that both programs read) of each machine that hwloc can read."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".xml" and path.is_file():
            head = path.read_text(errors="replace")[:4000]
            if re.search(r"<(topology|root)\b(?!diff)", head):
                version = re.search(r'<topology\b[^>]*\bversion="(\d)', head)
                yield f"XML {version[1] if version else 1}", path, path
        elif path.name.endswith(".tar.bz2"):
            kind = "sysfs" if "linux" in str(path.parent) else "CPUID"
            with tempfile.TemporaryDirectory(dir=scratch) as unpacked:
                with tarfile.open(path) as archive:
                    archive.extractall(unpacked, filter=lambda member, at: member)
                root = next(Path(unpacked).iterdir())
                variables = {"HWLOC_COMPONENTS": "linux,stop", "HWLOC_FSROOT": str(root)}
                if kind == "CPUID":
                    variables = {"HWLOC_COMPONENTS": "x86,stop", "HWLOC_CPUID_PATH": str(root)}
                if xml := lstopo(**variables):
                    read = scratch / "recorded.xml"
                    read.write_text(xml)
                    yield kind, path, read


def hwloc_counts(xml: str) -> Counter[str]:
    counts: Counter[str] = Counter()

    def count(found: ElementTree.Element) -> None:
        kind = found.get("type", "")
        holds_pus = re.search("[1-9a-f]", found.get("cpuset", "").replace("0x", ""))
        if kind == "NUMANode" or holds_pus:
            counts[TYPES.get(kind, "")] += 1
        if kind == "PCIDev":
            counts["gpu"] += gpus_on(found)
        for child in found.findall("object"):
            count(child)

    for root in ElementTree.fromstring(xml).findall("object"):
        count(root)
    return counts


def gpus_on(pci: ElementTree.Element) -> int:
    kind = pci.get("pci_type", "")
    if kind[:2] not in ("03", "12") or not kind[5:].startswith(MAKERS):
        return 0
    if any(console in kind for console in CONSOLES):
        return 0
    devices = [one for one in pci.iter("object") if one.get("type") == "OSDev"]
    leaves = [one.get("name", "") for one in devices if one.find("object") is None]
    return max([1, *(sum(bool(re.fullmatch(driver, name)) for name in leaves) for driver in DRIVERS)])


def corewise_counts(path: Path) -> Counter[str]:
    machine = load(str(path))
    counts = Counter({kind.name: kind.count for kind in machine.objects if kind.name in KINDS})
    gpus = sum(device.kind == "gpu" for device in machine.devices(0))
    return counts | Counter(numa=machine.n_memory_nodes, core=machine.n_cores, pu=machine.n_pus, gpu=gpus)


def difference(ours: Counter[str], theirs: Counter[str]) -> str:
    """The counts that differ, in words. If hwloc doesn't know a machine's cores, its PUs count as cores."""
    wanted = theirs | Counter(core=theirs["core"] or theirs["pu"])
    return ", ".join(
        f"{kind} {ours[kind]} not {wanted[kind]}" for kind in KINDS if ours[kind] != wanted[kind]
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as scratch:
        for folder in parser.parse_args().folders:
            for kind, path, xml in recordings(folder, Path(scratch)):
                outcome, what = compare(kind, xml, Path(scratch))
                outcomes[kind][outcome] += 1
                if what:
                    print(f"{outcome}: {path.relative_to(folder)}: {what}", flush=True)
    names = ("equal", "differs", "refused", "not read by hwloc")
    rows = [(kind, *(str(found[name]) for name in names)) for kind, found in sorted(outcomes.items())]
    print("\n".join(text_table("Machines", ("<recorded as", *(f">{name}" for name in names)), rows)))
    return int(any(found["differs"] for found in outcomes.values()))


def compare(kind: str, path: Path, scratch: Path) -> tuple[str, str]:
    try:
        ours = corewise_counts(path)
    except InputError as error:
        return "refused", str(error)
    readable = path
    if kind == "XML 3":
        readable = scratch / "converted.xml"
        readable.write_text(read_xml(path))
    xml = lstopo("-i", str(readable), "--if", "xml")
    if xml is None:
        return "not read by hwloc", ""
    found = difference(ours, hwloc_counts(xml))
    return ("differs", found) if found else ("equal", "")


if __name__ == "__main__":
    sys.exit(main())
