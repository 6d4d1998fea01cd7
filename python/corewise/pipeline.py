"""The main job, `tune`: trace, compare, run, judge; then it writes the report.

The way of one tune, for a first reading: this file, start/application.py (a command and its plans),
observe/tracing.py (a profile), mapping/comparison.py (the placements), observe/repeats.py (the runs),
observe/runs.py (what ranks reported), nouns/tune_result.py (the answer) and page/page.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from msgspec import structs

from corewise import machines
from corewise.errors import CorewiseError, InputError, option, require_number
from corewise.mapping.binding_request import check_widths, masks_to_run, other_widths, same_as
from corewise.mapping.comparison import candidates as candidates_of
from corewise.mapping.comparison import compare as compare_placements
from corewise.mapping.request import MapKeys, MappingRequest, request_of
from corewise.mapping.solve import check_request
from corewise.model import Machine, Traffic
from corewise.nouns.advice import tells_enough
from corewise.nouns.comparison import Comparison
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.load import Load
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
from corewise.observe import tracing
from corewise.observe.conditions import LoadWatch, host_conditions
from corewise.observe.node_topologies import machine_of
from corewise.observe.preconditions import check_number_of_ranks
from corewise.observe.repeats import (
    LEAST_ROUNDS,
    Limits,
    Progress,
    Repeats,
    Runs,
    Series,
    Starter,
    run_repeats,
)
from corewise.observe.tracing import Recording, earlier_recording
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
from corewise.profile.inputs import Input, phases_named, profile_input, with_phases
from corewise.profile.reading import read_event_log
from corewise.profile.tables import kept_summary
from corewise.profile.threads import threads_per_rank
from corewise.start.application import Application, parse_application
from corewise.start.folder import fresh_folder
from corewise.start.launching import write_files
from corewise.start.near import Near
from corewise.start.programs import launcher_version
from corewise.start.standard_input import StandardInput
from corewise.start.streams import Streams
from corewise.start.this_node import is_this_host
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


@dataclass(frozen=True)
class Job:
    """What tune was asked for, as its keywords; checked before the first start.

    `is_here`: the command runs on `machine`, the one to map for. `earlier` is a recording to use instead of
    tracing. `phases` are the numbers of the phases to map, and further inputs.
    """

    application: Application
    machine: Machine
    is_here: bool
    request: MappingRequest
    earlier: Recording | None
    phases: tuple[list[int], list[Input]]
    layer: str
    bindings: Sequence[str]
    repeats: int | None
    repeat_time_s: float | None
    dry_run: bool
    standard_input: StandardInput = field(default_factory=StandardInput)


@dataclass(frozen=True)
class Compared:
    """The placements to run, as compare() leaves them.

    `same_as`: label -> the first earlier label with the same masks. `widths` are placements with other widths
    of masks, `left_out` sentences on those that are not run. `plan` starts the best placement without
    corewise, None if the command doesn't run on the machine. `silence` says why there is nothing to map.
    """

    input: Input
    comparison: Comparison
    same_as: dict[str, str]
    widths: list[tuple[Width, Placement]]
    left_out: list[str]
    plan: LaunchPlan | None
    silence: str

    @property
    def traffic(self) -> Traffic:
        return self.input.traffic

    def file(self, label: str) -> Placement:
        """The placement "default", "best" or "worst"."""
        return self.comparison.placements[label].placement


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
    **asked: Unpack[MapKeys],
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
    request, watch = request_of(**asked), LoadWatch()
    application, on, is_here = _application(command, machine, request.constraints.near)
    job = Job(
        application,
        on,
        is_here,
        request,
        earlier=earlier_recording(Path(earlier), application) if earlier else None,
        phases=phases_named(phases, layer, format),
        layer=layer,
        bindings=bindings,
        repeats=repeats,
        repeat_time_s=repeat_time_s,
        dry_run=dry_run,
    )
    _check(job)
    wanted = None if folder is None else Path(folder)
    with (
        fresh_folder(wanted, keeps=lambda made, error: (made / PROFILE).exists()) as where,
        _pointing_to(where / PROFILE),
    ):
        recording = job.earlier or trace(job, where, output, listener)
        compared = compare(job, recording, where, listener)
        ran = run(job, recording, compared, where, listener)
        result = judge(job, recording, compared, ran, watch)
        result.write(where / NAME)
        _write_report(result, where, Path(earlier) if earlier and recording.profile.event_bytes else None)
        return result, where


def trace(job: Job, folder: Path, output: IO[Any] | None, listener: Listener) -> Recording:
    """Traces one run of the unchanged command; leaves the profile in the folder."""
    empty = ", its standard input empty: a terminal is not read" if job.standard_input.is_terminal else ""
    listener.say(f"tracing the command unchanged{empty}")
    with job.standard_input.for_run() as (stdin, fills_it):
        streams = Streams(stdin, output, relays=fills_it)
        traced, profile = tracing.trace(job.application, folder / PROFILE, streams)
    return Recording(profile, traced)


def compare(job: Job, recording: Recording, folder: Path, listener: Listener) -> Compared:
    """Finds the best and the worst placement; leaves the placements and the plan in the folder."""
    application, profile = job.application, recording.profile
    found = with_phases(profile_input("profile", profile, job.layer), *job.phases)
    slots = recording.slots(application) if job.is_here else None
    programs = application.programs(profile.n_ranks)
    comparison = listener.patiently(
        f"searching for the best and the worst placement of {profile.n_ranks} ranks",
        lambda: compare_placements(
            found, job.machine, job.request, slots, application.n_threads_asked, programs
        ),
    )
    files = {label: one.placement for label, one in comparison.placements.items()}
    for label, file in files.items():
        file.write(folder / f"{label}.json")
    # Equal masks don't mean equal runs if placed ranks see other devices, or threads are bound separately.
    says_all = application.near is None and not application.binds_threads
    seen = profile.ranks if says_all else []
    masks = masks_to_run(files, seen, slots) if job.is_here else {}
    widths, left_out = other_widths(files, job.machine, job.bindings, masks)
    silent = silence(profile, job.layer) if is_silent(found.traffic) else ""
    if silent:
        listener.tell(silent)
    return Compared(
        found,
        comparison,
        same_as=same_as(masks),
        widths=widths,
        left_out=left_out,
        plan=_plan_to_apply(application, files["best"], folder) if job.is_here else None,
        silence=silent,
    )


def run(job: Job, recording: Recording, compared: Compared, folder: Path, listener: Listener) -> Repeats:
    """Runs the unchanged command, then the placements too; no run if there is nothing to measure."""
    if not job.is_here or job.dry_run or not _is_worth_running(recording, compared.traffic):
        return Repeats({}, interrupted=False)
    limits = Limits(recording.wall_s, job.repeats, job.repeat_time_s)
    starter = Starter(job.application, job.standard_input, limits.run_s)
    series = _series(job, compared)
    return run_repeats(starter, series, folder / "runs", limits, _is_settled, listener.say_run)


def judge(job: Job, recording: Recording, compared: Compared, ran: Repeats, watch: LoadWatch) -> TuneResult:
    """The answer: the candidates with their runs, the measured gain, and the conditions."""
    comparison, profile = compared.comparison, recording.profile
    candidates = candidates_of(compared.traffic, job.machine, comparison.placements, ran.runs)
    default, best = (candidate.runs for candidate in candidates[:2])
    load = _load(job, recording, ran, watch)
    return TuneResult(
        command=job.application.argv,
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        machine=job.machine,
        profile=ProfileState(profile.complete, list(profile.faults)),
        traffic=compared.traffic,
        advice=comparison.advice,
        objective=comparison.objective,
        candidates=candidates,
        gain=gain_between(default, best, looked=job.repeats is None),
        notes=_notes(job, recording, compared, ran, candidates),
        plan=compared.plan,
        conditions=_conditions(job, comparison.objective, len(default), load),
        traced=recording.run,
        interrupted=ran.interrupted,
        settings=job.application.settings(compared.file("best")),
        as_written=ran.runs.get(AS_WRITTEN, []),
        widths=[
            structs.replace(one, runs=runs) for one, _ in compared.widths if (runs := ran.runs.get(one.label))
        ],
        same_as=compared.same_as,
        looked=job.repeats is None,
        silence=compared.silence,
        summary=kept_summary(compared.input),
        load=load,
    )


def _application(
    command: Sequence[str], spec: machines.MachineLike | None, near: str | None
) -> tuple[Application, Machine, bool]:
    """The command, the machine to map for, and whether the command runs on this machine."""
    application = parse_application(command)
    application.refuse_unplaceable()
    here = machine_of(application)
    check_number_of_ranks(application, here)
    machine = here if spec is None else machines.machine_like(spec)
    is_here = spec is None or _have_same_nodes(machine, here)
    devices = Near(near, machine) if near and is_here else None
    return replace(application, machine=here, near=devices), machine, is_here


def _have_same_nodes(one: Machine, other: Machine) -> bool:
    """Whether the nodes are equal; the network is not compared, because nodes don't know it."""
    nodes = range(one.n_nodes)
    return one.n_nodes == other.n_nodes and all(
        one.node_fingerprint(node) == other.node_fingerprint(node) for node in nodes
    )


def _check(job: Job) -> None:
    """Raises the errors that don't depend on the traffic. Ranks that share cores by default may do so."""
    if job.application.near and "none" in job.bindings:
        raise InputError(
            f"{option('binding', 'none', keyword='bindings')} runs the default placement, whose ranks need "
            f"not be near a device ({option('near', job.application.near.wanted)}); leave one of the two out"
        )
    n_ranks = job.earlier.profile.n_ranks if job.earlier else job.application.n_ranks
    constraints = job.request.constraints
    shared = replace(constraints, oversubscribe=constraints.oversubscribe or job.is_here)
    check_request(job.machine, replace(job.request, constraints=shared), n_ranks or 1)
    check_widths(job.machine, job.bindings)


def _write_report(result: TuneResult, where: Path, events: Path | None) -> None:
    """Writes the page; with a profile `events`, also a timeline and a trace file."""
    log = read_event_log(events) if events else None
    timeline = Timeline.of(log, result.summary) if log else None
    if log and timeline:
        write_timeline(where / TRACE, log, result.title)
        timeline.write(where / TIMELINE)
    page = tune_page(result, events=timeline, trace=TRACE if timeline else "")
    write_page(page, where / "report.html")


def _is_worth_running(recording: Recording, traffic: Traffic) -> bool:
    """False for a failed program, and for ranks that neither exchange messages nor share cores."""
    shares = recording.run is not None and bool(recording.run.n_threads_without_core)
    return recording.ended_well and (shares or not is_silent(traffic))


def _is_settled(runs: Runs) -> bool:
    return tells_enough(*paired_times(runs["default"], runs.get("best", [])))


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


def _series(job: Job, compared: Compared) -> list[Series]:
    """The series to compare, all with the same launcher options, so that they differ in placement only.

    Placements with the same masks run once, under one label. The command as written (if corewise adds
    options) and the worst placement (without `repeats`) run only LEAST_ROUNDS times, because the gain doesn't
    depend on them. A default without anything to compare runs once, to verify its bindings.
    """
    settings = job.application.settings(compared.file("best"))
    as_written = [Series(AS_WRITTEN, most_rounds=LEAST_ROUNDS)] if settings else []
    rounds_of = {"best": None, "worst": None if job.repeats else LEAST_ROUNDS}
    placed = [
        Series(label, compared.file(label), (), most)
        for label, most in rounds_of.items()
        if label not in compared.same_as
    ]
    wider = [Series(width.label, file) for width, file in compared.widths]
    is_alone = not (as_written or placed or wider)
    default = Series("default", settings=settings, most_rounds=1 if is_alone else None)
    return [*as_written, default, *placed, *wider]


def _load(job: Job, recording: Recording, ran: Repeats, watch: LoadWatch) -> Load | None:
    """The load of this host while ranks ran here; None if they ran elsewhere."""
    runs = [*([recording.run] if recording.run else []), *chain(*ran.runs.values())]
    load = watch.load(sum(run.cpu_s or 0.0 for run in runs))
    ran_here = any(is_this_host(host) for host in job.application.host_names)
    return load if ran_here or load.others is not None else None


def _notes(
    job: Job, recording: Recording, compared: Compared, ran: Repeats, candidates: list[Candidate]
) -> list[str]:
    profile, asked = recording.profile, job.application.n_threads_asked
    default, best = (next(iter(candidate.runs), None) for candidate in candidates[:2])
    widths = {len(cores) for cores in compared.file("worst").cores}
    return [
        *([interruption_note(ran.runs)] if ran.interrupted else []),
        *condition_notes(compared.comparison.notes, job.machine, candidates, job.is_here),
        *own_binding_notes(job.application.own_binding),
        *thread_notes(threads_per_rank(profile, asked), widths, recording.run or default),
        *(ended_thread_notes(profile.ranks, job.machine) if job.is_here else []),
        *(thread_count_notes(default, best) if asked is None else []),
        *same_masks_notes(compared.same_as),
        *compared.left_out,
    ]


def _conditions(job: Job, objective: str, n_repeats: int, load: Load | None) -> dict[str, str]:
    application, request = job.application, job.request
    version = launcher_version(application.command.executable)
    conditions = {
        "launcher": f"{application.launcher.name}, version {version}",
        "mapping": f"{request.solver} for {objective}, effort {request.effort}, seed {request.seed}",
        "repeats": f"{n_repeats} of each placement, in rounds of random order"
        if n_repeats
        else "no placement was run",
    } | host_conditions()
    return conditions | ({"load": load.text} if load else {})
