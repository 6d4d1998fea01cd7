"""The main job end to end: trace, advise, map, run, verify, report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import IO

from corewise import machines
from corewise.errors import CorewiseError
from corewise.execute.application import Application, parse_application
from corewise.execute.conditions import conditions
from corewise.execute.folder import fresh_folder
from corewise.execute.programs import launcher_version
from corewise.execute.repeats import Limits, run_repeats
from corewise.execute.start import write_files
from corewise.execute.tracing import trace
from corewise.files.launch_plan import LaunchPlan
from corewise.files.placement import PlacementFile
from corewise.files.run import Run
from corewise.files.tune import Candidate, TuneResult, write_tune
from corewise.mapping.comparison import Comparison, compare
from corewise.mapping.request import Request
from corewise.mapping.solve import check_request
from corewise.model import Machine, Profile, link_loads
from corewise.profile.inputs import as_phases, profile_input, read_input
from corewise.report import tune_page, write_page
from corewise.report.notes import agreement_notes, condition_notes, own_binding_notes
from corewise.statistics import MeasuredGain, measured_gain


class ProgramFailed(CorewiseError):
    """The program itself failed, so there is nothing to tune: the answer is "no"."""

    exit_code = 1


@dataclass(frozen=True)
class TuneOptions:
    """What `corewise tune` takes besides the command.

    `machine` None is the one that the command runs on; `layer` of the profile is mapped, and `phases` are
    inputs that count as phases beside it.
    """

    machine: str | None = None
    folder: Path | None = None
    n_repeats: int = 3
    dry_run: bool = False
    request: Request = field(default_factory=Request)
    phases: tuple[str, ...] = ()
    layer: str = "p2p"
    output: IO | None = None  # takes the traced program's standard output in place of ours
    say: Callable[[str], None] = lambda _: None  # progress


def tune(argv: list[str], options: TuneOptions) -> tuple[TuneResult, Path]:
    """Traces a command, finds its best placement, runs both, and leaves all in a folder, with report.html.

    Raises ProgramFailed when the command fails by itself; a placed run that fails is in the result. A request
    that can't be answered is refused before anything runs, as far as that is known without the traffic.
    """
    application = parse_application(argv)
    application.refuse_unplaceable()
    machine, is_here = _machine(options.machine, application)
    _check_request(options.request, machine, application, is_here)
    phases = [read_input(path, options.layer) for path in options.phases]
    with fresh_folder(options.folder) as folder:
        options.say("tracing the command as it is")
        traced, profile = _trace(application, folder / "profile", options.output)

        options.say("mapping")
        found = as_phases([profile_input("profile", profile, options.layer), *phases])
        comparison = compare(found, machine, options.request, traced_on_it=is_here)
        files = comparison.files()
        for label, file in files.items():
            file.write(folder / f"{label}.json")
        plan = _plan_to_apply(application, files["best"], folder) if is_here else None

        runs: dict[str, list[Run]] = {}
        if is_here and not options.dry_run:
            to_run = files | {"default": None}  # the command as it is
            limits = Limits(options.n_repeats, first_wall_s=traced.wall_s)
            runs = run_repeats(application, to_run, folder / "runs", limits, options.say)
        result = _result(application, comparison, runs, plan, is_here)
        write_tune(result, folder)
        write_page(tune_page(result), folder / "report.html")
        return result, folder


def _result(
    application: Application,
    comparison: Comparison,
    runs: dict[str, list[Run]],
    plan: LaunchPlan | None,
    is_here: bool,
) -> TuneResult:
    found, machine, advice = comparison.best.input, comparison.best.machine, comparison.advice
    candidates = _candidates(comparison, runs)
    gain = _measured(candidates)
    notes = condition_notes(comparison.default.note, machine, candidates, is_here)
    return TuneResult(
        command=application.argv,
        machine=machine,
        profile=found.profile,
        traffic=found.traffic,
        advice=advice,
        objective=comparison.objective.name,
        candidates=candidates,
        gain=gain,
        notes=notes + own_binding_notes(application.own_binding) + agreement_notes(advice, gain, candidates),
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        plan=plan,
        conditions=_conditions(application, comparison, len(candidates[0].runs)),
    )


def _machine(spec: str | None, application: Application) -> tuple[Machine, bool]:
    """The machine to map for, and whether it is the one that the command runs on."""
    here = machines.here(len(application.hosts))
    if spec is None:
        return here, True
    machine = machines.load(spec)
    return machine, machine.fingerprint == here.fingerprint


def _check_request(request: Request, machine: Machine, application: Application, is_here: bool) -> None:
    """Refuses what no traffic could change; ranks that share cores here by default may do so."""
    may_share = request.constraints.oversubscribe or is_here
    request = replace(request, constraints=replace(request.constraints, oversubscribe=may_share))
    check_request(machine, request, application.n_ranks or 1)


def _trace(application: Application, target: Path, output: IO | None) -> tuple[Run, Profile]:
    traced, profile = trace(application, target, output)
    if traced.exit_code != 0:
        program = application.command.app[0]
        raise ProgramFailed(f"'{program}' ended with exit code {traced.exit_code}: nothing to tune")
    return traced, profile


def _plan_to_apply(application: Application, best: PlacementFile, folder: Path) -> LaunchPlan:
    """The best placement for use without corewise; its files stay in the folder `launch`."""
    plan = application.plan_to_apply(best, str(folder / "launch"))
    write_files(plan)
    return plan


def _candidates(comparison: Comparison, runs: dict[str, list[Run]]) -> list[Candidate]:
    found, machine, scores = comparison.best.input, comparison.best.machine, comparison.scores()
    return [
        Candidate(
            label=label,
            placement=placement,
            scores=scores[label],
            link_bytes=[level.tolist() for level in link_loads(found.traffic, machine, placement)],
            runs=runs.get(label, []),
        )
        for label, placement in comparison.placements().items()
    ]


def _measured(candidates: list[Candidate]) -> MeasuredGain | None:
    """None unless default and best both ended well at least once."""
    wall_s = {candidate.label: candidate.wall_s("measured") for candidate in candidates}
    return measured_gain(wall_s["default"], wall_s["best"]) if wall_s["default"] and wall_s["best"] else None


def _conditions(application: Application, comparison: Comparison, n_repeats: int) -> dict[str, str]:
    version, request = launcher_version(application.command.executable), comparison.best.request
    return {
        "launcher": f"{application.launcher.name}, version {version}",
        "mapping": f"{request.solver} for {comparison.objective.name}, effort {request.effort}, "
        f"seed {request.seed}",
        "repeats": f"{n_repeats} of each placement, interleaved" if n_repeats else "nothing was run",
    } | conditions()
