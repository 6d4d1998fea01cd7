"""compare(): the default, the best and the worst placement, with the advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from msgspec import structs

from corewise import model
from corewise.files.model_errors import model_errors
from corewise.mapping.default_placement import DefaultPlacement, default_placement
from corewise.mapping.request import MappingRequest
from corewise.mapping.scoring import score_all
from corewise.mapping.solve import solve
from corewise.mapping.solved import Solved
from corewise.mapping.solvers import solvers
from corewise.mapping.thread_cores import with_cores_for_threads
from corewise.model import Profile
from corewise.nouns.advice import Advice
from corewise.nouns.comparison import Comparison, ScoredPlacement
from corewise.nouns.placement import JobProgram, Placement, shares_cores
from corewise.profile.inputs import Input
from corewise.profile.tables import call_table
from corewise.profile.threads import crowded_host
from corewise.text.quantities import counted

# A kind of calls with at least this share of the time in MPI is assumed to determine the communication time.
# For NPB FT and IS, which spend it in all-to-all exchanges, only 29 and 54 % of the pairs of placements were
# predicted in the right order. NPB LU is the only pipeline that was measured
# (docs/evidence/log/2026-11-predictions.md).
MOST = 0.5
_ALL_TO_ALL = ("MPI_Alltoall", "MPI_Ialltoall")  # prefixes: also Alltoallv and Alltoallw
_ONE_BY_ONE = ("MPI_Recv", "MPI_Probe", "MPI_Mprobe", "MPI_Mrecv")


def order_doubt(profile: Profile) -> str | None:
    """Why the predicted order is unreliable for this program, in one sentence; None without a reason."""
    time_s = {row.call: row.time_s for row in call_table(profile)}
    total_s = sum(time_s.values())

    def share(begins: tuple[str, ...]) -> float:
        return sum(own for call, own in time_s.items() if call.startswith(begins)) / total_s

    if total_s > 0 and share(_ALL_TO_ALL) >= MOST:
        return (
            "most of the time inside MPI is exchanges of all ranks with all, and for such programs the "
            "faster placement was not predicted better than by chance: measure it"
        )
    if total_s > 0 and share(_ONE_BY_ONE) >= MOST:
        return (
            "most of the time inside MPI is waiting for one message after the other, as in a pipeline, and "
            "too few such programs were measured to know if the faster placement is predicted: measure it"
        )
    return None


def compare(
    found: Input,
    machine: model.Machine,
    request: MappingRequest,
    slots: Sequence[int] | None,
    n_threads_asked: int | None = None,
    programs: Sequence[JobProgram] = (),
) -> Comparison:
    """Finds the best and the worst placement that `request` allows, and compares the default with them.

    `slots` is the index in `machine` of each node of the profile, None if the profile is from another
    machine. `n_threads_asked` is OMP_NUM_THREADS, `programs` are those of the command. If ranks share cores
    by default, they may share them in the other placements. Raises InputError and MissingError as solve()
    and default_placement() do.
    """
    request = with_cores_for_threads(request, found, machine, n_threads_asked)
    default = default_placement(found, machine, slots, request.constraints)
    if shares_cores(default.placement):
        request = replace(request, constraints=replace(request.constraints, oversubscribe=True))
    best, worst = solve(found, machine, request), solve(found, machine, _for_the_worst(request))
    offered = default.placement if _keeps_default(default, best) else best.solution.placement
    left_out = None if default.is_seen else crowded_trace_text(found.profile)
    times = None if left_out else measured_times(found.profile)
    compared_by = model.default_objective(machine)
    is_least_time = best.objective.name == compared_by and request.constraints.allow_all
    errors = model_errors()
    advice = model.advise(
        found.traffic,
        machine,
        default=default.placement,
        best=offered,
        worst=worst.solution.placement,
        errors=errors.of_gain,
        best_is_proven=best.solution.proven and is_least_time,
        times=times,
    )

    # Set the same value in all placements, so that the launcher starts all of them with the same options.
    shared = any(shares_cores(one) for one in (default.placement, offered, worst.solution.placement))
    made_for = {"oversubscribed": shared, "programs": list(programs)}

    def scored(placement: model.Assignment, by: Solved | None) -> ScoredPlacement:
        file = by.file(**made_for) if by else Placement.of(placement, machine, **made_for)
        return ScoredPlacement(file, score_all(found.traffic, machine, placement))

    return Comparison(
        **structs.asdict(Advice.of(advice, compared_by)),
        objective=best.objective.name,
        # The model's errors were measured for runs of programs placed by point-to-point traffic.
        gain_confidence=errors.confidence_on(machine)
        if found.layer == "p2p" and advice.gain_of == "run"
        else None,
        comm_share=times.mpi_s / times.run_s if times else None,
        default_is=default.note,
        times_left_out=left_out,
        default=scored(default.placement, None),
        best=scored(offered, None if offered is default.placement else best),
        worst=scored(worst.solution.placement, worst),
        order_doubt=order_doubt(found.profile) if found.profile else None,
    )


def measured_times(profile: model.Profile | None) -> model.MeasuredTimes | None:
    """The mean times of the ranks; None if nothing was timed."""
    ranks = profile.ranks if profile else []
    run_s = fmean(rank.wall_s for rank in ranks) if ranks else 0
    mpi_s = fmean(rank.mpi_s for rank in ranks) if run_s > 0 else 0
    if mpi_s <= 0:  # no profile, or calls were counted but not timed
        return None
    return model.MeasuredTimes(run_s, min(run_s, mpi_s))


def crowded_trace_text(profile: model.Profile | None) -> str | None:
    """Why the trace's times don't hold for a machine with a core for each rank; None if they do."""
    crowd = profile and crowded_host(profile)
    if not crowd:
        return None
    return (
        f"the trace had {crowd.n_ranks} ranks on {counted(crowd.n_pus, 'hardware thread')} of host "
        f"{crowd.host}: its bytes and messages count here, but not its times: they include waiting for a core"
    )


def _for_the_worst(request: MappingRequest) -> MappingRequest:
    """The same request for the worst placement, with solver `auto` if the given one doesn't search."""
    solver = solvers()[request.solver]
    both_ways = solver.optimises and solver.load is None
    return replace(request, worst=True, solver=solver.name if both_ways else "auto")


def _keeps_default(default: DefaultPlacement, best: Solved) -> bool:
    """Whether to keep the default: a search found nothing better, and the default breaks no constraint.

    The user chooses a solver with a fixed rule to try its placement, even if it is worse.
    """
    request = best.request
    if best.searched_for is None or not request.constraints.allow_all:
        return False
    if _most_on_a_core(default.placement) > _most_on_a_core(best.solution.placement):
        return False  # communication is cheapest on a single core, and computing is not in the objective
    score = model.evaluate(best.objective.name, best.input.traffic, best.machine, default.placement)
    return not best.solution.score < score


def _most_on_a_core(placement: model.Assignment) -> int:
    ranks = range(placement.n_ranks)
    return max(Counter(core for rank in ranks for core in placement.cores(rank).tolist()).values(), default=0)
