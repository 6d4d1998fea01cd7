"""compare(): the default, the best and the worst placement, with the advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from statistics import fmean

from msgspec import structs

from corewise import model
from corewise.errors import InputError, option
from corewise.files.model_errors import model_errors
from corewise.mapping.default_placement import DefaultPlacement, default_placement, slots_in_order
from corewise.mapping.request import MappingRequest
from corewise.mapping.scoring import score_all
from corewise.mapping.solve import Solved, solve
from corewise.mapping.solvers import solvers
from corewise.mapping.thread_cores import with_cores_for_threads
from corewise.model import Machine, Profile, Traffic, link_loads
from corewise.nouns.advice import Advice
from corewise.nouns.comparison import AdviceOnMachines, Comparison, MachineAdvice, ScoredPlacement
from corewise.nouns.placement import JobProgram, Placement, shares_cores
from corewise.nouns.run import Run
from corewise.nouns.tune_result import Candidate, ProfileState, TuneResult
from corewise.profile.inputs import Input
from corewise.profile.tables import call_table, kept_summary
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


def compare_machines(
    inputs: Sequence[Input],
    machines: Sequence[tuple[str, model.Machine]],
    request: MappingRequest,
    progress: Callable[[str, int, int], None],
) -> AdviceOnMachines:
    """The advice for each (name, machine), with the largest input that has a core for each rank.

    `progress(what, n_done, n_all)` is called before each search and after the last one. Raises InputError if
    two inputs have the same number of ranks or no input fits a machine.
    """
    by_ranks = _by_ranks(inputs)
    inputs_of = [_fitting(by_ranks, spec, machine, request) for spec, machine in machines]
    cases: list[MachineAdvice] = []
    for (spec, machine), found in zip(machines, inputs_of, strict=True):
        what = f"searching for the best and the worst placement of {found.traffic.n_ranks} ranks on {spec}"
        progress(what, len(cases), len(machines))
        slots = slots_in_order(found) if spec.startswith("local") else None
        cases.append(_advice(spec, machine, found, compare(found, machine, request, slots)))
    progress("searching for the best and the worst placements", len(cases), len(cases))
    unused = [one.name for one in inputs if not any(one is found for found in inputs_of)]
    return AdviceOnMachines(cases, _notes(cases, unused))


def _by_ranks(inputs: Sequence[Input]) -> dict[int, Input]:
    by_ranks: dict[int, Input] = {}
    for found in inputs:
        n_ranks = found.traffic.n_ranks
        if n_ranks in by_ranks:
            raise InputError(
                f"{by_ranks[n_ranks].name} and {found.name} both have {n_ranks} ranks; expected one input of "
                "each number of ranks, all of the same program"
            )
        by_ranks[n_ranks] = found
    return by_ranks


def _fitting(by_ranks: dict[int, Input], spec: str, machine: model.Machine, request: MappingRequest) -> Input:
    fitting = [n for n in by_ranks if n <= machine.n_cores]
    if not fitting and not request.constraints.oversubscribe:
        raise InputError(
            f"{spec} has {machine.n_cores} cores and the smallest input {min(by_ranks)} ranks; expected a "
            f"larger machine, or {option('oversubscribe')}"
        )
    return by_ranks[max(fitting, default=min(by_ranks))]


def _advice(spec: str, machine: model.Machine, found: Input, comparison: Comparison) -> MachineAdvice:
    n_ranks = found.traffic.n_ranks
    return MachineAdvice(
        **{name: getattr(comparison, name) for name in Advice.__struct_fields__},
        machine=spec,
        n_nodes=machine.n_nodes,
        n_cores=machine.n_cores,
        input=found.name,
        n_ranks=n_ranks,
        empty_nodes=sum(machine.first_core(node) >= n_ranks for node in range(machine.n_nodes)),
        times_left_out=comparison.times_left_out,
        default_is=comparison.default_is,
    )


def _notes(cases: list[MachineAdvice], unused: list[str]) -> list[str]:
    """Sentences on what the numbers are valid for."""
    notes = [
        f"{case.machine}: {case.n_ranks} ranks leave {case.empty_nodes} of {case.n_nodes} nodes empty in "
        "block order."
        for case in cases
        if case.empty_nodes
    ]
    reasons_left_out = dict.fromkeys(case.times_left_out for case in cases if case.times_left_out)
    notes += [f"{text[0].upper()}{text[1:]}." for text in reasons_left_out]
    notes += [f"{name}: no machine given is of its size." for name in unused]
    reasons: dict[str, list[str]] = {}
    for case in cases:
        reasons.setdefault(case.because, []).append(case.machine)
    return notes + [f"{', '.join(specs)}: {because}." for because, specs in reasons.items()]


def predicted(found: Input, machine: Machine, request: MappingRequest, command: Sequence[str]) -> TuneResult:
    """The default, best and worst placement of the ranks of `found` on `machine`, by the model alone.

    `command` is the command that asked for it. Raises InputError and MissingError as compare() does.
    """
    slots = slots_in_order(found) if machine.name.startswith("local") else None
    comparison = compare(found, machine, request, slots)
    return TuneResult(
        command=list(command),
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        machine=machine,
        profile=ProfileState(found.complete, list(found.faults)),
        traffic=found.traffic,
        advice=comparison.advice,
        objective=comparison.objective,
        candidates=candidates(found.traffic, machine, comparison.placements, {}),
        gain=None,
        notes=comparison.notes,
        conditions={
            "mapping": f"{request.solver} for {comparison.objective}, effort {request.effort}, "
            f"seed {request.seed}"
        },
        summary=kept_summary(found),
        read_from=found.name,
    )


def candidates(
    traffic: Traffic, machine: Machine, scored: Mapping[str, ScoredPlacement], runs: Mapping[str, list[Run]]
) -> list[Candidate]:
    """The compared placements with their link loads; `scored` and `runs` are indexed by label."""
    return [
        Candidate(
            label=label,
            placement=one.placement,
            scores=one.scores,
            link_bytes=[level.tolist() for level in link_loads(traffic, machine, one.placement.on(machine))],
            runs=runs.get(label, []),
        )
        for label, one in scored.items()
    ]
