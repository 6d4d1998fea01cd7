"""Finds and tries each capability except the main job. Only trials import slow modules."""

from __future__ import annotations

import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from corewise.errors import InputError, MissingError
from corewise.execute.programs import find_smpirun, native, output_of
from corewise.installation.here import TIMEOUT_S, FoundLauncher, Here
from corewise.launchers.mpi_family import family_name
from corewise.nouns.installation import Trial
from corewise.text.quantities import counted

TOPOLOGY = "corewise-topology"
NO_LAUNCHER = "no mpirun, mpiexec or srun is on PATH"


def binding_seen(here: Here) -> str:
    """The hardware threads that this process may use."""
    return f"{counted(len(os.sched_getaffinity(0)), 'hardware thread')} may be used"


def try_binding(here: Here) -> list[Trial]:
    """Binds a thread to one hardware thread, and reports what limits the usable ones."""
    from corewise.execute.host_cpus import this_host

    cpus = this_host()
    with ThreadPoolExecutor(1) as thread:  # in another thread, so that our affinity stays unchanged
        refused = thread.submit(_bind_to_one).result()
    usable = f"{len(cpus.affinity)} of {counted(len(cpus.online), 'hardware thread')}"
    limits = [f"cgroup {one.path}" for one in cpus.cpusets[-1:] if not cpus.online <= one.os_pus]
    limits += ["an inherited affinity"] if cpus.affinity < cpus.allowed else []
    why = f", limited by {' and '.join(limits)}" if limits else ""
    if refused:
        return [Trial("sched_setaffinity", False, f"{refused}; ask the administrator of this container")]
    return [Trial("sched_setaffinity", True, f"a thread was bound; {usable} may be used{why}")]


def _bind_to_one() -> str:
    """Binds the calling thread; returns the reason if the kernel refuses, else ""."""
    wanted = {max(os.sched_getaffinity(0))}
    try:
        os.sched_setaffinity(0, wanted)
    except OSError as error:
        return f"the kernel refuses a binding ({error.strerror})"
    seen = os.sched_getaffinity(0)
    return "" if seen == wanted else f"asked for hardware thread {wanted}, got {seen}"


def emulation_seen(here: Here) -> str:
    """Checks only the tools; try_emulation() finds out if the kernel allows namespaces."""
    from corewise.clusters.netns import NETNS

    NETNS.check()
    return "the tools are here"


def try_emulation(here: Here) -> list[Trial]:
    """Creates a cluster of two nodes, and ends it."""
    from corewise.clusters.cluster import temporary
    from corewise.clusters.kind import ClusterSpec
    from corewise.clusters.netns import NETNS

    with temporary(NETNS, ClusterSpec(n_nodes=2, slots=1)):
        return [Trial("network namespaces", True, "two emulated nodes were made")]


def kaminpar_seen(here: Here) -> str:
    """The version of the Python package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("kaminpar")
    except PackageNotFoundError as error:
        raise MissingError("KaMinPar is not installed") from error


def try_kaminpar(here: Here) -> list[Trial]:
    """Loads the partitioner."""
    from corewise.mapping.partitioners import kaminpar

    kaminpar.load(0, "fast")
    return [Trial("KaMinPar", True, f"version {kaminpar_seen(here)}")]


def launchers_seen(here: Here) -> str:
    """Returns "" if a launcher was found; raises MissingError or InputError if not."""
    if here.launchers:
        return ""
    for trouble in here.troubles.values():
        raise InputError(trouble)
    raise MissingError(NO_LAUNCHER)


def try_launchers(here: Here) -> list[Trial]:
    """A trial for each launcher on PATH, and for those that only `corewise export` supports."""
    if not here.troubles:
        launchers_seen(here)
    trials = [_launcher_trial(one) for one in here.launchers]
    trials += [Trial(name, False, trouble) for name, trouble in here.troubles.items()]
    trials += [Trial(name, True, "for `corewise export` alone") for name in here.exported]
    return trials


def _launcher_trial(found: FoundLauncher) -> Trial:
    others = f", also as {', '.join(found.names[1:])}" if found.names[1:] else ""
    families = " and ".join(map(family_name, found.launcher.families))
    return Trial(f"{found.title} ({found.names[0]})", True, f"starts programs of {families}{others}")


def machine_seen(here: Here) -> str:
    """hwloc's version, from a synthetic topology, which is faster than this machine's."""
    with tempfile.TemporaryDirectory(prefix="corewise-") as folder:
        printed = output_of([native(TOPOLOGY), folder], TIMEOUT_S, os.environ | {"HWLOC_SYNTHETIC": "pu:1"})
        texts = [path.read_text(errors="replace") for path in Path(folder).glob("*.xml")]
    version = re.search(r'"hwlocVersion" value="([^"]+)"', "".join(texts))
    if (library := re.search(r"\S+\.so[.\d]*(?=: cannot open shared)", printed)) is not None:
        raise MissingError(f"the library {library[0]} was not found")
    if version is None:
        raise InputError(f"{TOPOLOGY} wrote no topology: {printed.strip() or 'it printed nothing'}")
    return f"hwloc {version[1]}"


def try_machine(here: Here) -> list[Trial]:
    """Reads this machine's topology."""
    hwloc = machine_seen(here)  # before the import, whose error names no package
    from corewise import verbs

    machine = verbs.machine("local")
    found = f"{counted(machine.n_cores, 'core')}, {counted(machine.n_pus, 'hardware thread')}"
    return [Trial(hwloc, True, found)]


def otf2_seen(here: Here) -> str:
    """The Python with OTF2's bindings."""
    from corewise.files.otf2_archive import interpreter

    return interpreter(TIMEOUT_S)


def try_otf2(here: Here) -> list[Trial]:
    """Imports the bindings."""
    return [Trial("OTF2's Python bindings", True, f"imported by {otf2_seen(here)}")]


def page_seen(here: Here) -> str:
    """Always "", because pages need nothing else."""
    return ""


def try_page(here: Here) -> list[Trial]:
    """Writes the page of an estimate."""
    import numpy as np

    from corewise import verbs

    with tempfile.TemporaryDirectory(prefix="corewise-") as folder:
        estimate = verbs.simulate(np.array([[0, 1], [1, 0]]), "draco:2", engine="estimate")
        size = verbs.report(estimate, output=Path(folder) / "page.html").stat().st_size
    return [Trial("HTML page", True, f"{size // 1000} kB were written")]


def smpi_seen(here: Here) -> str:
    """SimGrid's version, from its smpirun."""
    _, version = find_smpirun(TIMEOUT_S)
    return f"SimGrid {'.'.join(map(str, version))}"


def try_smpi(here: Here) -> list[Trial]:
    """Asks smpirun for its version."""
    return [Trial(smpi_seen(here), True, "its smpirun answers")]


def srun_seen(here: Here) -> str:
    """Slurm's version."""
    for found in here.launchers:
        if found.launcher.name == "srun":
            return found.title
    if "srun" in here.troubles:
        raise InputError(here.troubles["srun"])
    raise MissingError("srun is not on PATH; only machines with Slurm need it")


def try_srun(here: Here) -> list[Trial]:
    """Compares the PMIs of this Slurm with those that each MPI supports."""
    from corewise.checks.starting import SPEAKS

    version = srun_seen(here)
    listed = set(re.findall(r"[a-z]\w+", output_of(["srun", "--mpi=list"], TIMEOUT_S)))
    return [
        Trial(
            f"{version} and {family_name(family)}",
            SPEAKS[family] in listed,
            f"srun {'has' if SPEAKS[family] in listed else 'lacks'} --mpi={SPEAKS[family]}",
        )
        for family in here.preload
    ]
