"""Flux: `# flux:` lines. Source: flux-batch(1) and flux-hostlist(1) of flux-core. Not run here."""

from __future__ import annotations

from corewise.batch.system import BatchSystem, JobRequest
from corewise.launchers import allocation


def directives(request: JobRequest) -> list[str]:
    """Whole nodes, with all their cores and GPUs: `flux run` divides them in the script."""
    return [f"-N {request.n_nodes}", "--exclusive"]


SYSTEM = BatchSystem(
    name="flux",
    sentence="Flux: flux batch",
    prefix="# flux:",
    directives=directives,
    time="-t MINUTESm",
    submit="flux batch",
    list_hosts="read -ra node < <(flux hostlist --expand instance)",
    hosts=allocation.flux,
    job_variable="FLUX_URI",
    launcher="flux",
)
