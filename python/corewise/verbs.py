"""The functions of `import corewise`: one for each command, with the same name and the same result.

Machines are named as in `--machine` ("local", "draco:8", "node.xml"). Placements are files, or results of
`map` and `advise`. INPUT is everything that `read` accepts. A command is a list of words, LAUNCHER ... APP
... Errors are CorewiseError. Functions import what they need when called, so that commands start fast.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar
from warnings import warn

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from corewise.machines import MachineLike
    from corewise.mapping.binding_request import BindingRequest, Bound
    from corewise.mapping.request import MapKeys
    from corewise.model import Machine
    from corewise.nouns.comparison import AdviceOnMachines, Comparison
    from corewise.nouns.launch_plan import JobScript, LaunchPlan
    from corewise.nouns.mapping import Mapping
    from corewise.nouns.placement import Placement
    from corewise.nouns.run import Run
    from corewise.nouns.scores import PlacementScores
    from corewise.nouns.simulation import Simulated
    from corewise.nouns.steered_run import SteeredRun
    from corewise.observe.tracing import Recording
    from corewise.profile.inputs import Input
    from corewise.simulation.engine import MpiLibrary, Recorded

    PathOrName = str | PathLike[str]
    PlacementLike = PathOrName | Placement | Mapping | Comparison
    Progress = Callable[[str, int, int], None]  # (name of the work, number of items done, number of items)

Result = TypeVar("Result")


def machine(spec: MachineLike = "local") -> Machine:
    """The machine of that name: a preset with a node count ("draco:8"), a file, or "local", this machine.

    A loaded pyhwloc.Topology is a machine of one node. Raises InputError.
    """
    from corewise.machines import machine_like

    return machine_like(spec)


_machine = machine  # the other functions have a parameter of that name


def read(
    source: Any,
    *,
    layer: str = "p2p",
    format: str | None = None,
    phases: Sequence[str] = (),
    n_ranks: int | None = None,
) -> Input:
    """Reads traffic from a profile, from a matrix in any supported format, or from an object in memory.

    `source` is a path, a Traffic, a Profile, a square array of bytes [src, dst], a sparse matrix of
    SciPy's, a pair of either (bytes, messages), a networkx graph, or a frame with the columns src, dst, bytes
    and perhaps messages: of pandas, polars, pyarrow or any other library with Arrow's PyCapsule interface.
    `format` names the format of files. `phases` are numbers of phases of a profile, as `corewise show` lists
    them, or other inputs of the same ranks. `n_ranks` is for a frame or a list of pairs whose last ranks
    neither send nor receive. Raises InputError naming file and line, or what was found.
    """
    from corewise.profile.in_memory import input_in_memory
    from corewise.profile.inputs import phases_named, read_input, with_phases, with_silent_ranks

    if isinstance(source, (str, PathLike)):
        found = read_input(os.fspath(source), layer, form=format)
    else:
        found = input_in_memory(source, layer)
    found = with_silent_ranks(found, n_ranks)
    return with_phases(found, *phases_named(phases, layer, format))


def advise(
    source: Any, machine: MachineLike = "local", *, progress: Progress | None = None, **asked: Unpack[MapKeys]
) -> Comparison:
    """Does it matter where the ranks run? The default, best and worst placement, with the predicted gain.

    `progress` and `asked` as for `map`. Raises InputError and MissingError.
    """
    from corewise.mapping.comparison import compare
    from corewise.mapping.default_placement import slots_in_order
    from corewise.mapping.request import request_of

    found, on = read(source), _machine(machine)
    slots = slots_in_order(found) if on.name.startswith("local") else None
    request = request_of(**asked)
    what = f"searching for the best and the worst placement of {found.traffic.n_ranks} ranks"
    return _told(what, lambda: compare(found, on, request, slots), progress)


def advise_machines(
    sources: Sequence[Any],
    machines: Sequence[MachineLike],
    *,
    progress: Progress | None = None,
    **asked: Unpack[MapKeys],
) -> AdviceOnMachines:
    """The advice for each machine. `sources` are one program with different numbers of ranks.

    Each machine gets the largest that fits its cores. `progress` and `asked` as for `map`. Raises InputError
    and MissingError.
    """
    from corewise.mapping.comparison import compare_machines
    from corewise.mapping.request import request_of

    named = {_machine_name(spec): _machine(spec) for spec in machines}
    inputs = [read(source) for source in sources]
    return compare_machines(inputs, [*named.items()], request_of(**asked), progress or _untold)


def map(
    source: Any, machine: MachineLike = "local", *, progress: Progress | None = None, **asked: Unpack[MapKeys]
) -> Mapping:
    """The best placement of the ranks of `source` on the cores of `machine`, or the worst.

    `source` is anything that `read` accepts. `asked` are options of `corewise map` as keywords, all optional:

        objective       what is minimised, as `corewise map --list` names it; by default "time", or
                        "hop-bytes" on a machine without latencies and bandwidths
        solver          "auto", the default, or one that `corewise map --list` names
        worst           True searches for the worst placement
        effort          how hard to search: "fast", "default" or "strong"
        deadline        CPU seconds after which the search ends with the best it has; by default never
        threads         of the search, by default 1; they change its wall time alone
        seed            of random choices, by default 1; another may find another placement of the same value
        cores_per_rank  cores that each rank gets; by default one for each of its threads if there is room
        free            cores to leave free, as ["0:3", "all:0-1"]: core 3 of node 0, cores 0-1 of all nodes
        free_per_node   number of cores to leave free on each node
        fix             ranks to fix, as ["RANK=NODE", "RANK=NODE:CORE"]
        near            place ranks near "gpu", "nic" or the device of that name
        oversubscribe   True lets ranks share cores where they outnumber them
        constraints     a TOML file with constraints, to which the keywords add

    `.placement.write(PATH)` keeps the placement. `progress(what, n_done, n_all)` is called before and after
    the search. Ctrl-C ends the call. Raises InputError and MissingError.
    """
    from corewise.mapping.request import request_of
    from corewise.mapping.solve import solve
    from corewise.mapping.thread_cores import with_cores_for_threads

    found, on = read(source), _machine(machine)
    request = with_cores_for_threads(request_of(**asked), found, on)
    what = f"mapping {found.traffic.n_ranks} ranks"
    return _told(what, lambda: solve(found, on, request).mapping(), progress)


def score(placement: PlacementLike, source: Any, machine: MachineLike = "local") -> PlacementScores:
    """Every objective of a placement, next to block, round-robin and random placements."""
    from corewise.mapping.placement_input import placement_like
    from corewise.mapping.placement_scores import score_placement

    on = _machine(machine)
    return score_placement(placement_like(placement, lambda: on), read(source), on)


def export(
    placement: PlacementLike | None,
    launcher: str,
    machine: MachineLike = "local",
    *,
    hosts: str | Sequence[str] | None = None,
    near: str | None = None,
    folder: PathOrName | None = None,
    **bound: Unpack[Bound],
) -> LaunchPlan:
    """The plan by which `launcher` ("openmpi4", "srun", ...) starts a program under the placement.

    `machine` is the placement's machine, which only a rankfile, a rank order, `near` and `binding` need.
    `hosts` are the names of the nodes, a list or "n[1-4]"; None takes them from the allocation. `near` makes
    only the device near its cores visible to each rank. If there is a `folder`, the files are written to it.
    `bound` is as for `run`.
    """
    from corewise.launchers import Injection
    from corewise.launchers import launcher as launcher_named
    from corewise.launchers.hosts import distinct_names
    from corewise.start.exporting import export_plan, machine_for, write_plan
    from corewise.start.near import Near
    from corewise.start.programs import BINDER, native

    names = None if hosts is None else distinct_names(hosts)
    request, wanted = _bound(placement, machine, names, bound)
    rank_env: tuple[dict[str, str], ...] = ()
    if near is not None:
        rank_env = Near(near, machine_for(wanted, _machine(machine))).variables(wanted, os.environ)
    injection = Injection(native(BINDER), settings=request.settings, rank_env=rank_env)
    where = None if folder is None else Path(folder)
    plan = export_plan(wanted, launcher_named(launcher), names, where, injection)
    if where is not None:
        write_plan(plan, where)
    return plan


def export_script(
    placement: PlacementLike | None,
    system: str,
    machine: MachineLike = "local",
    *,
    launcher: str | None = None,
    near: str | None = None,
    **bound: Unpack[Bound],
) -> JobScript:
    """A job script for `system` ("slurm", "pbs", "lsf" or "flux") that starts a program under the placement.

    It requests the nodes and reports the bindings. Time limit and program are to be filled in. `launcher` is
    by default the system's own. The others are as for `export`. Raises InputError.
    """
    from corewise.batch import batch_system, launcher_in
    from corewise.batch.script import job_script
    from corewise.nouns.launch_plan import JobScript

    (request, wanted), of = _bound(placement, machine, None, bound), batch_system(system)
    starts = launcher_in(of, launcher)
    return JobScript(job_script(wanted, of, starts, _machine(machine), near, request.settings))


def trace(
    command: Sequence[str],
    profile: PathOrName,
    *,
    mode: str = "time",
    event_mib: int = 64,
    output: IO[Any] | None = None,
    progress: Progress | None = None,
) -> Recording:
    """Runs a command and records who sends how much to whom in `profile`, a new folder.

    `mode` is "count", "time" or "events", of which each rank keeps `event_mib` MiB. `output` takes the
    program's standard output in place of ours. `progress(what, n_done, n_all)` is called before and after the
    run. A program that fails leaves its profile, too: see `.run`.
    """
    from corewise.errors import InputError, Note, require_number
    from corewise.observe import tracing
    from corewise.start import application
    from corewise.start.streams import Streams

    if mode not in application.MODES:
        raise InputError(f"found mode '{mode}'; expected one of {', '.join(application.MODES)}")
    require_number("event_mib", event_mib, 1)
    calls = application.RecordedCalls(mode, event_mib * 2**20, spawned=True)
    started = application.parse_application(command)
    for doubt in tracing.doubts(started):
        warn(doubt, Note, stacklevel=2)
    work = partial(tracing.trace, started, Path(profile), Streams(stdout=output), calls)
    run, found = _told(f"tracing {started.command.app[0]}", work, progress)
    return tracing.Recording(found, run, os.fspath(profile))


def run(
    command: Sequence[str],
    placement: PlacementLike | None = None,
    *,
    near: str | None = None,
    label: str | None = None,
    output: IO[Any] | None = None,
    progress: Progress | None = None,
    **bound: Unpack[Bound],
) -> Run:
    """Runs a command under a placement and reads every binding back: `.verified`, and `.ranks` one by one.

    `near` makes only the device near its cores visible to each rank. `bound` are the keywords `binding`,
    `processes_per_object`, `share`, `omp_places` and `membind`, as in the command's options; `binding` needs
    no placement. `label` is by default the name of the placement's file, and the binding.
    `progress(what, n_done, n_all)` is called before and after the run. Ctrl-C ends the program. Raises
    InputError before anything starts if the placement doesn't fit the command or its hosts.
    """
    from corewise.mapping.binding_request import BindingRequest
    from corewise.observe.placed_run import placed, run_placed
    from corewise.start.streams import Streams

    request = BindingRequest(**bound)
    started = placed(command, partial(request.placement, placement), request.settings, near)
    if label is None:
        name = Path(placement).stem if isinstance(placement, (str, PathLike)) else None
        label = ", ".join(filter(None, [name, request.binding and f"{request.binding} binding"]))
    work = partial(run_placed, *started, label, Streams(stdout=output))
    return _told(f"running {started.placement.n_ranks} ranks", work, progress)


def simulate(
    source: Any,
    machine: MachineLike = "local",
    placements: PlacementLike | Sequence[PlacementLike] | dict[str, PlacementLike] | None = None,
    *,
    engine: str | None = None,
    n_ranks: int | None = None,
    repeats: int | None = None,
    compute_factor: float = 1.0,
    mpi: MpiLibrary | None = None,
    timeout_s: float = 300.0,
    format: str | None = None,
    output: IO[Any] | None = None,
    progress: Progress | None = None,
) -> Simulated:
    """How long a program takes on a machine that isn't here, under each placement.

    `source` is INPUT, or a program with its arguments as a list of words, without a launcher. `placements`
    are one, a list, or by label; without one, the ranks are in block order: those of INPUT, else `n_ranks`,
    else one for each core. `engine` is "emulate", "estimate" or "smpi"; by default the first that takes the
    source. Each placement runs `repeats` times, none longer than `timeout_s`, and computes `compute_factor`
    times as long as here or in the trace. `mpi` is the library ("openmpi", "mpich") whose collective
    algorithms are simulated. `output` takes what the program prints. `progress(engine, n_done, n_all)` is
    called before each run and at the end. Raises InputError and MissingError.
    """
    from corewise.errors import require_number
    from corewise.mapping.placement_input import placement_like
    from corewise.simulation import SimulationRequest, engine_for
    from corewise.simulation.simulated import is_command, labelled, placements_for, simulated

    require_number("repeats", repeats, 1)
    require_number("n_ranks", n_ranks, 1)
    require_number("compute_factor", compute_factor, 0, whole=False)
    require_number("timeout_s", timeout_s, 0, whole=False)
    recorded = None if is_command(source) else _recorded(source, format)
    chosen = engine_for(recorded.subject if recorded else "program", engine)
    on = _machine(machine)
    files = {label: placement_like(one, lambda: on) for label, one in labelled(placements).items()}
    files = placements_for(on, files, n_ranks, recorded)
    n_repeats, tell = repeats or chosen.n_repeats, progress or _untold
    request = SimulationRequest(
        on,
        files,
        [] if recorded else list(source),
        recorded,
        n_repeats=n_repeats,
        timeout_s=timeout_s,
        compute_factor=compute_factor,
        mpi_library=mpi,
        output=output,
        say=lambda run: tell(chosen.name, run.n_done, n_repeats * len(files)),
    )
    found = chosen.run(request)
    tell(chosen.name, n_repeats * len(files), n_repeats * len(files))
    return simulated(chosen, request, found)


def steer(
    command: Sequence[str],
    log: PathOrName | None = None,
    *,
    dry_run: bool = False,
    async_progress: bool = False,
    settings: dict[str, int] | None = None,
    output: IO[Any] | None = None,
    progress: Progress | None = None,
) -> SteeredRun:
    """Runs a command and swaps its ranks between their cores while it runs, where that makes it faster.

    The log, a new file, holds what was seen and decided; by default it is the first free name of
    corewise.steer-log, corewise-2.steer-log, ... With `dry_run` nothing is swapped. `async_progress` lets a
    thread call MPI while a rank computes. `settings` are thresholds of steering by name
    (`corewise steer --list-settings`). `output` takes the program's standard output in place of ours.
    `progress(what, n_done, n_all)` is called before and after the run.
    """
    from corewise.start import application
    from corewise.start.streams import Streams
    from corewise.steering import run as steered_run
    from corewise.steering.logs import DEFAULT_LOG, unused_names

    started = application.parse_application(command)
    target = Path(log) if log else next(unused_names(DEFAULT_LOG))
    streams = Streams(stdout=output)
    work = partial(steered_run.steer, started, target, dry_run, async_progress, streams, settings)
    return _told(f"steering {started.command.app[0]}", work, progress)


def report(
    *inputs: Any,
    output: PathOrName = "report.html",
    machine: MachineLike | Sequence[MachineLike] = "local",
    progress: Progress | None = None,
    layer: str = "p2p",
    format: str | None = None,
    phases: Sequence[str] = (),
    **asked: Unpack[MapKeys],
) -> Path:
    """Writes one HTML page of a tune, or of several runs side by side, and returns its path.

    Each input is what `tune`, `run`, `simulate` or `steer` returned, the folder or tune.json of a tune, a
    file of `corewise run --json` or `corewise simulate --json`, a log of `steer` (NAME.steer-log), or a
    profile or a matrix, in memory too, as `read` accepts them: their default, best and worst placement on
    `machine` are predicted (on each of several machines). Runs of one label and source are repeats. `layer`,
    `format` and `phases` as for `read`, `progress` and `asked` as for `map`. The page loads nothing else.
    Raises InputError and MissingError.
    """
    from corewise.mapping.request import request_of
    from corewise.page import write_page
    from corewise.reporting import report_of

    given = machine if isinstance(machine, Sequence) and not isinstance(machine, str) else [machine]
    machines = {_machine_name(spec): partial(_machine, spec) for spec in given}
    of_traffic = {"layer": layer, "format": format, "phases": phases}
    request = request_of(**asked)
    what = "searching for the best and the worst placements"
    found = _told(what, lambda: report_of(inputs, machines, of_traffic, request), progress)
    write_page(found.page(), Path(output))
    return Path(output)


def _machine_name(spec: MachineLike) -> str:
    return os.fspath(spec) if isinstance(spec, (str, PathLike)) else getattr(spec, "name", "topology")


def _told(what: str, work: Callable[[], Result], progress: Progress | None) -> Result:
    tell = progress or _untold
    tell(what, 0, 1)
    result = work()
    tell(what, 1, 1)
    return result


def _untold(what: str, n_done: int, n_all: int) -> None:
    """The default `progress`."""


def _recorded(source: Any, format: str | None) -> Recorded:
    """The INPUT, read; raises InputError for a program, and for an events profile in memory."""
    from corewise.errors import InputError
    from corewise.simulation import Recorded

    if not isinstance(source, (str, PathLike)):
        found = Recorded("the profile" if read(source).profile else "the matrix", read(source))
        if found.subject == "events profile":
            raise InputError("found an events profile in memory; its replay needs the path of its folder")
        return found
    if os.path.isfile(source) and os.access(source, os.X_OK):
        expected = "expected a profile or a matrix, or a command: its words in a list, or after --"
        raise InputError(f"is a program; {expected}", path=source)
    return Recorded(os.fspath(source), read(source, format=format))


def _bound(
    placement: PlacementLike | None, machine: MachineLike, hosts: list[str] | None, bound: Bound
) -> tuple[BindingRequest, Placement]:
    from corewise.mapping.binding_request import BindingRequest
    from corewise.start.exporting import machine_for

    request = BindingRequest(**bound)
    return request, request.placement(placement, lambda of: machine_for(of, _machine(machine)), hosts=hosts)
