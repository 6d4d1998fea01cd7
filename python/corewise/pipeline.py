"""The main job, `tune`: trace, advise, map, run, verify, report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from msgspec import structs

from corewise import machines
from corewise.errors import CorewiseError, InputError, option, require_number
from corewise.execute.application import Application, parse_application
from corewise.execute.conditions import LoadWatch, host_conditions
from corewise.execute.folder import fresh_folder
from corewise.execute.kept_output import passed_on
from corewise.execute.near import Near
from corewise.execute.node_topologies import machine_of
from corewise.execute.preconditions import check_number_of_ranks
from corewise.execute.programs import launcher_version
from corewise.execute.repeats import (
    LEAST_ROUNDS,
    Limits,
    Progress,
    Repeats,
    Runs,
    Series,
    Starter,
    run_repeats,
)
from corewise.execute.standard_input import StandardInput
from corewise.execute.start import write_files
from corewise.execute.streams import Streams
from corewise.execute.this_node import is_this_host
from corewise.execute.tracing import Recording, earlier_recording, trace
from corewise.mapping.binding_width import check_widths, other_widths
from corewise.mapping.comparison import compare
from corewise.mapping.predicted import candidates as candidates_of
from corewise.mapping.request import Asked, MappingRequest, request_of
from corewise.mapping.same_masks import Masks, masks_asked, masks_seen
from corewise.mapping.solve import check_request
from corewise.mapping.thread_cores import with_cores_for_threads
from corewise.model import Machine, Traffic
from corewise.nouns.comparison import Comparison
from corewise.nouns.gain import tells_enough
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.nouns.run import AS_WRITTEN, Width
from corewise.nouns.timeline import TIMELINE, Timeline
from corewise.nouns.traffic import is_silent
from corewise.nouns.tune_result import (
    NAME,
    Candidate,
    ProfileState,
    TuneResult,
    gain_between,
    paired_times,
)
from corewise.page import tune_page, write_page
from corewise.page.notes import (
    condition_notes,
    ended_thread_notes,
    interruption_note,
    own_binding_notes,
    same_masks_notes,
    silence,
    thread_count_notes,
    thread_notes,
)
from corewise.plots.timeline import write_timeline
from corewise.profile.inputs import phases_named, profile_input, with_phases
from corewise.profile.reading import read_event_log
from corewise.profile.tables import kept_summary
from corewise.profile.threads import threads_per_rank
from corewise.text.escaping import shell_text

if TYPE_CHECKING:
    from typing_extensions import Unpack

PROFILE = "profile"  # name of the profile in the folder of a tune
TRACE = "timeline.json"  # all events, for Perfetto


@dataclass(frozen=True)
class Listener:
    """Callbacks for the progress of a tune.

    `patiently` runs a long computation of the C++ core while it shows a message.
    """

    say: Callable[[str], None] = lambda _: None  # before a step
    tell: Callable[[str], None] = lambda _: None  # on information for the user before runs
    say_run: Callable[[Progress], None] = lambda _: None  # before a run
    patiently: Callable[[str, Callable[[], Comparison]], Comparison] = lambda _, work: work()


def tune(
    command: Sequence[str],
    *,
    machine: machines.MachineLike | None = None,
    folder: str | PathLike[str] | None = None,
    earlier: str | PathLike[str] | None = None,
    repeats: int | None = None,
    repeat_time_s: float | None = None,
    bindings: Sequence[str] = (),
    dry_run: bool = False,
    phases: Sequence[str] = (),
    layer: str = "p2p",
    format: str | None = None,
    output: IO[Any] | None = None,
    listener: Listener | None = None,
    **asked: Unpack[Asked],
) -> tuple[TuneResult, Path]:
    """The main job: traces a command, finds the best placement, runs default and best, verifies bindings.

    Returns the result, and the folder with tune.json, report.html, the placements and the runs.

    * `machine`: map for another machine; no placed run is made.
    * `earlier`: use this profile instead of tracing.
    * `repeats`, `repeat_time_s`: how often and how long placements run; by default, the spread decides.
    * `bindings`: also run these widths of masks ("core", "l3", ..., "none").
    * `dry_run`: make no placed run.
    * `layer`: the layer to map. `phases` are numbers of phases (default: all) and further inputs of `format`.
    * `output`: takes the traced program's standard output instead of ours.
    * `asked`: as for `map`.

    Failed runs are in the result; if the traced run fails, no other run is made. Invalid requests are refused
    before the first run, as far as possible without the traffic. After Ctrl-C during the placed runs, the
    result has the finished runs. After other exceptions, the folder is kept if it contains a profile.
    """
    listener = listener or Listener()
    require_number("repeats", repeats, 1)
    require_number("repeat_time_s", repeat_time_s, 0, whole=False)
    request = request_of(**asked)
    watch = LoadWatch()
    application = parse_application(command)
    application.refuse_unplaceable()
    here = machine_of(application)
    application = replace(application, machine=here)
    on, is_here = _machine(machine, application, here)
    if is_here and (near := request.constraints.near):
        _refuse_free_ranks(bindings, near)
        application = replace(application, near=Near(near, on))
    recorded = earlier_recording(Path(earlier), application) if earlier else None
    n_ranks = recorded.profile.n_ranks if recorded else application.n_ranks
    _check_request(request, on, n_ranks or 1, may_share=is_here)
    check_widths(on, bindings)
    numbers, others = phases_named(phases, layer, format)
    standard_input = StandardInput()
    wanted = None if folder is None else Path(folder)
    with (
        fresh_folder(wanted, keeps=lambda made, error: (made / PROFILE).exists()) as where,
        _pointing_to(where / PROFILE),
    ):
        recording = recorded or _record(application, where, standard_input, output, listener)
        profile = recording.profile
        traffic = with_phases(profile_input("profile", profile, layer), numbers, others)
        slots = recording.slots(application) if is_here else None
        request = with_cores_for_threads(request, traffic, on, application.n_threads_asked)
        comparison = listener.patiently(
            f"searching for the best and the worst placement of {profile.n_ranks} ranks",
            lambda: compare(traffic, on, request, slots),
        )
        programs = application.programs(profile.n_ranks)
        scored = {
            label: structs.replace(one, placement=structs.replace(one.placement, programs=programs))
            for label, one in comparison.placements.items()
        }
        files = {label: one.placement for label, one in scored.items()}
        for label, file in files.items():
            file.write(where / f"{label}.json")
        plan = _plan_to_apply(application, files["best"], where) if is_here else None
        masks = _masks(application, recording, files, slots) if is_here else {}
        widths, left_out = other_widths(files, on, bindings, masks)
        silent = silence(profile, layer) if is_silent(traffic.traffic) else ""
        if silent:
            listener.tell(silent)

        ran = Repeats({}, interrupted=False)
        same_as = _same_as(masks)
        if is_here and not dry_run and _is_worth_running(recording, traffic.traffic):
            series = _series(application, files, widths, same_as, repeats)
            limits = Limits(recording.wall_s, repeats, repeat_time_s)
            starter = Starter(application, standard_input, limits.run_s)
            ran = run_repeats(starter, series, where / "runs", limits, _is_settled, listener.say_run)
        candidates = candidates_of(traffic.traffic, on, scored, ran.runs)
        notes = _notes(application, recording, on, comparison.notes, request, ran, candidates, is_here)
        default, best = (candidate.runs for candidate in candidates[:2])
        result = TuneResult(
            command=application.argv,
            date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            machine=on,
            profile=ProfileState(profile.complete, list(profile.faults)),
            traffic=traffic.traffic,
            advice=comparison.advice,
            objective=comparison.objective,
            candidates=candidates,
            gain=gain_between(default, best, looked=repeats is None),
            notes=[*notes, *same_masks_notes(same_as), *left_out],
            plan=plan,
            conditions=_conditions(application, request, comparison.objective, len(default)),
            traced=recording.run,
            interrupted=ran.interrupted,
            settings=application.settings(files["best"]),
            as_written=ran.runs.get(AS_WRITTEN, []),
            widths=[
                structs.replace(one, runs=runs) for one, _ in widths if (runs := ran.runs.get(one.label))
            ],
            same_as=same_as,
            looked=repeats is None,
            silence=silent,
            summary=kept_summary(traffic),
        )
        result = _judged(result, watch, application)
        result.write(where / NAME)
        _write_report(result, where, Path(earlier) if earlier and profile.event_bytes else None)
        return result, where


def _write_report(result: TuneResult, where: Path, events: Path | None) -> None:
    """Writes the page; with a profile `events`, also a timeline and a trace file."""
    log = read_event_log(events) if events else None
    timeline = Timeline.of(log, result.summary) if log else None
    if log and timeline:
        write_timeline(where / TRACE, log, result.title)
        timeline.write(where / TIMELINE)
    page = tune_page(result, events=timeline, trace=TRACE if timeline else "")
    write_page(page, where / "report.html")


def _masks(
    application: Application,
    recording: Recording,
    files: dict[str, Placement],
    slots: Sequence[int] | None,
) -> dict[str, Masks]:
    """The masks of each compared placement, by label.

    The default is left out if equal masks would not mean equal runs: if placed ranks see other devices, or if
    threads are bound separately.
    """
    masks = {label: masks_asked(files[label]) for label in ("best", "worst")}
    says_all = application.near is None and not application.binds_threads
    seen = masks_seen(recording.profile.ranks, slots) if slots is not None and says_all else None
    return masks if seen is None else {"default": seen} | masks


def _same_as(masks: dict[str, Masks]) -> dict[str, str]:
    """Label -> the first earlier label with the same masks."""
    labels = list(masks)
    first = {label: next(other for other in labels if masks[other] == masks[label]) for label in labels}
    return {label: other for label, other in first.items() if other != label}


def _is_worth_running(recording: Recording, traffic: Traffic) -> bool:
    """False for a failed program, and for ranks that neither exchange messages nor share cores."""
    shares = recording.run is not None and bool(recording.run.n_threads_without_core)
    return recording.ended_well and (shares or not is_silent(traffic))


def _series(
    application: Application,
    files: dict[str, Placement],
    widths: Sequence[tuple[Width, Placement]],
    same_as: dict[str, str],
    n_repeats: int | None,
) -> list[Series]:
    """The series to compare, all with the same launcher options, so that they differ in placement only.

    Placements with the same masks run once, under one label. The command as written (if corewise adds
    options) and the worst placement (without `n_repeats`) run only LEAST_ROUNDS times, because the gain
    doesn't depend on them. A default without anything to compare runs once, to verify its bindings.
    """
    settings = application.settings(files["best"])
    as_written = [Series(AS_WRITTEN, most_rounds=LEAST_ROUNDS)] if settings else []
    rounds_of = {"best": None, "worst": None if n_repeats else LEAST_ROUNDS}
    placed = [
        Series(label, files[label], (), most) for label, most in rounds_of.items() if label not in same_as
    ]
    wider = [Series(width.label, file) for width, file in widths]
    is_alone = not (as_written or placed or wider)
    default = Series("default", settings=settings, most_rounds=1 if is_alone else None)
    return [*as_written, default, *placed, *wider]


def _is_settled(runs: Runs) -> bool:
    return tells_enough(*paired_times(runs["default"], runs.get("best", [])))


def _judged(result: TuneResult, watch: LoadWatch, application: Application) -> TuneResult:
    """Adds the load of this host to the result, if ranks ran here."""
    runs = [*([result.traced] if result.traced else []), *result.runs]
    load = watch.load(sum(run.cpu_s or 0.0 for run in runs))
    if load.others is None and not any(is_this_host(host) for host in application.host_names):
        return result
    return structs.replace(result, load=load, conditions=result.conditions | {"load": load.text})


def _notes(
    application: Application,
    recording: Recording,
    machine: Machine,
    of_comparison: list[str],
    request: MappingRequest,
    repeats: Repeats,
    candidates: list[Candidate],
    is_here: bool,
) -> list[str]:
    profile, asked = recording.profile, application.n_threads_asked
    traced_default = recording.run or next(iter(candidates[0].runs), None)
    run_default, run_best = (next(iter(candidate.runs), None) for candidate in candidates[:2])
    return [
        *([interruption_note(repeats.runs)] if repeats.interrupted else []),
        *condition_notes(of_comparison, machine, candidates, is_here),
        *own_binding_notes(application.own_binding),
        *thread_notes(
            threads_per_rank(profile, asked), request.constraints.cores_per_rank or 1, traced_default
        ),
        *(ended_thread_notes(profile.ranks, _pus_per_core(machine)) if is_here else []),
        *(thread_count_notes(run_default, run_best) if asked is None else []),
    ]


def _pus_per_core(machine: Machine) -> int:
    return max(len(machine.os_pus(core)) for core in range(machine.n_cores))


def _machine(
    spec: machines.MachineLike | None, application: Application, here: Machine
) -> tuple[Machine, bool]:
    """The machine to map for, and whether it is `here`, the one that the command runs on."""
    check_number_of_ranks(application, here)
    if spec is None:
        return here, True
    machine = machines.machine_like(spec)
    return machine, _have_same_nodes(machine, here)


def _have_same_nodes(one: Machine, other: Machine) -> bool:
    """Whether the nodes are equal; the network is not compared, because nodes don't know it."""
    nodes = range(one.n_nodes)
    return one.n_nodes == other.n_nodes and all(
        one.node_fingerprint(node) == other.node_fingerprint(node) for node in nodes
    )


def _refuse_free_ranks(bindings: Sequence[str], near: str) -> None:
    """Raises InputError for binding "none", because unbound ranks may not be near their device."""
    if "none" in bindings:
        raise InputError(
            f"{option('binding', 'none', keyword='bindings')} runs the default placement, whose ranks need "
            f"not be near a device ({option('near', near)}); leave one of the two out"
        )


def _check_request(request: MappingRequest, machine: Machine, n_ranks: int, may_share: bool) -> None:
    """Raises the errors that don't depend on the traffic. Ranks that share cores by default may do so."""
    may_share = request.constraints.oversubscribe or may_share
    request = replace(request, constraints=replace(request.constraints, oversubscribe=may_share))
    check_request(machine, request, n_ranks)


def _record(
    application: Application,
    folder: Path,
    standard_input: StandardInput,
    output: IO[Any] | None,
    listener: Listener,
) -> Recording:
    """Traces one run of the unchanged command; leaves the profile in the folder."""
    empty = ", its standard input empty: a terminal is not read" if standard_input.is_terminal else ""
    listener.say(f"tracing the command unchanged{empty}")
    with standard_input.for_run() as (stdin, fills_it), passed_on() as (messages, passes_them_on):
        streams = Streams(stdin, output, messages, (*fills_it, passes_them_on))
        run, profile = trace(application, folder / PROFILE, streams)
    return Recording(profile, run)


@contextmanager
def _pointing_to(profile: Path) -> Iterator[None]:
    """Adds the path of the profile to an error after tracing, so that it can be used again."""
    try:
        yield
    except (CorewiseError, KeyboardInterrupt) as error:
        if not profile.exists():
            raise
        kept = f"the profile is kept; continue with: corewise tune --from {shell_text([str(profile)])}"
        raise type(error)(f"{error}; {kept}" if str(error) else kept) from error


def _plan_to_apply(application: Application, best: Placement, folder: Path) -> LaunchPlan:
    """The plan that starts the best placement without corewise; its files are in the folder `launch`."""
    launch = str(folder / "launch")
    plan = application.plan_to_apply(best, launch)
    write_files(plan)
    refused = application.launcher.refused(launch, launcher_version(application.command.executable))
    notes = [f"{refused}: copy it to another folder, and change the command."] if refused else []
    return structs.replace(plan, notes=[*plan.notes, *notes])


def _conditions(
    application: Application, request: MappingRequest, objective: str, n_repeats: int
) -> dict[str, str]:
    version = launcher_version(application.command.executable)
    return {
        "launcher": f"{application.launcher.name}, version {version}",
        "mapping": f"{request.solver} for {objective}, effort {request.effort}, seed {request.seed}",
        "repeats": f"{n_repeats} of each placement, in rounds of random order"
        if n_repeats
        else "no placement was run",
    } | host_conditions()
