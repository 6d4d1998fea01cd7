"""Chooses the number of cores per rank if the user didn't: one for each thread, if there is room."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corewise import model
from corewise.errors import InputError
from corewise.mapping.request import MappingRequest
from corewise.nouns.traffic import no_traffic
from corewise.profile.threads import threads_per_rank

if TYPE_CHECKING:
    from corewise.profile.inputs import Input


def with_cores_for_threads(
    request: MappingRequest, found: Input, machine: model.Machine, asked: int | None = None
) -> MappingRequest:
    """The request with a number of cores per rank: the requested one, else one for each thread.

    Threads are counted in the profile (`asked`: OMP_NUM_THREADS, see threads_of()). All ranks get as many
    cores as the rank with most threads, fewer if the machine has no room, and one if no threads are known.
    """
    if request.constraints.cores_per_rank is not None:
        return request
    n_threads = threads_per_rank(found.profile, asked) if found.profile is not None else None
    n_ranks = found.traffic.n_ranks
    n_cores = sum(request.constraints.capacity(machine) or [1] * machine.n_cores)
    candidates = range(min(n_threads or 1, n_cores // n_ranks), 1, -1)
    fits = (count for count in candidates if _has_room(request, machine, n_ranks, count))
    return _with_cores(request, next(fits, 1))


def _with_cores(request: MappingRequest, count: int) -> MappingRequest:
    return replace(request, constraints=replace(request.constraints, cores_per_rank=count))


def _has_room(request: MappingRequest, machine: model.Machine, n_ranks: int, count: int) -> bool:
    """Whether block order succeeds. The sum of cores is not enough, because a rank stays on one node."""
    constraints = replace(_with_cores(request, count).constraints, fixed=[], oversubscribe=False)
    problem = model.MappingProblem(
        no_traffic(n_ranks), machine, "hop-bytes", constraints=constraints.on(machine, n_ranks)
    )
    try:
        model.solve(problem, "block")
    except InputError:
        return False
    return True
