"""The main job end to end: trace, advise, map, run, verify, report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
from corewise.mapping.default_placement import default_placement
from corewise.mapping.scoring import default_objective, score_all
from corewise.model import Machine, Placement, Traffic, advise, link_loads
from corewise.profile.inputs import read_input
from corewise.report import tune_page, write_page
from corewise.report.notes import agreement_notes, tune_notes
from corewise.statistics import MeasuredGain, measured_gain


class ProgramFailed(CorewiseError):
    """The program itself failed, so there is nothing to tune: the answer is "no"."""

    exit_code = 1


@dataclass(frozen=True)
class TuneOptions:
    """What `corewise tune` takes besides the command; `machine` None is the one that the command runs on."""

    machine: str | None = None
    folder: Path | None = None
    n_repeats: int = 3
    dry_run: bool = False
    output: IO | None = None  # takes the traced program's standard output in place of ours
    say: Callable[[str], None] = lambda _: None  # progress


def tune(argv: list[str], options: TuneOptions) -> tuple[TuneResult, Path]:
    """Traces a command, finds its best placement, runs both, and leaves all in a folder, with report.html.

    Raises ProgramFailed when the command fails by itself; a placed run that fails is in the result.
    """
    application = parse_application(argv)
    application.refuse_placing()
    machine, is_here = _machine(options.machine, application)
    with fresh_folder(options.folder) as folder:
        options.say("tracing the command as it is")
        traced, profile = trace(application, folder / "profile", options.output)
        if traced.exit_code != 0:
            program = application.command.app[0]
            raise ProgramFailed(f"'{program}' ended with exit code {traced.exit_code}: nothing to tune")
        found = read_input(str(folder / "profile"))
        traffic = found.traffic

        options.say("mapping")
        default = default_placement(found, machine, traced_on_it=is_here)
        advice = advise(traffic, machine, default.placement, comm_share=_comm_share(traced))
        placements = {
            "default": default.placement,
            "best": advice.best.placement,
            "worst": advice.worst.placement,
        }
        files = _write_placements(placements, machine, folder)
        plan = _plan_to_apply(application, files["best"], folder) if is_here else None

        runs: dict[str, list[Run]] = {}
        if is_here and not options.dry_run:
            to_run = files | {"default": None}  # the command as it is
            limits = Limits(options.n_repeats, first_wall_s=traced.wall_s)
            runs = run_repeats(application, to_run, folder / "runs", limits, options.say)
        candidates = _candidates(placements, traffic, machine, runs)
        gain = _measured(candidates)
        notes = tune_notes(default.note, machine, candidates, is_here)
        result = TuneResult(
            command=argv,
            machine=machine,
            profile=profile,
            traffic=traffic,
            advice=advice,
            objective=default_objective(machine),
            candidates=candidates,
            gain=gain,
            notes=notes + agreement_notes(advice, gain, candidates),
            date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            plan=plan,
            conditions=_conditions(application, candidates),
        )
        write_tune(result, folder)
        write_page(tune_page(result), folder / "report.html")
        return result, folder


def _machine(spec: str | None, application: Application) -> tuple[Machine, bool]:
    """The machine to map for, and whether it is the one that the command runs on."""
    here = machines.here(len(application.hosts))
    if spec is None:
        return here, True
    machine = machines.load(spec)
    return machine, machine.fingerprint == here.fingerprint


def _plan_to_apply(application: Application, best: PlacementFile, folder: Path) -> LaunchPlan:
    """The best placement for use without corewise; its files stay in the folder `launch`."""
    plan = application.plan_to_apply(best, str(folder / "launch"))
    write_files(plan)
    return plan


def _comm_share(run: Run) -> float | None:
    """Share of the run that ranks spent inside MPI, 0 to 1."""
    return min(1.0, run.mpi_s / run.app_s) if run.app_s and run.mpi_s is not None else None


def _write_placements(
    placements: dict[str, Placement], machine: Machine, folder: Path
) -> dict[str, PlacementFile]:
    files = {}
    for label, placement in placements.items():
        shared = len(set(placement.core_of_rank.tolist())) < placement.n_ranks
        files[label] = PlacementFile.of(
            placement, machine, objective=default_objective(machine), solver="auto", oversubscribed=shared
        )
        files[label].write(folder / f"{label}.json")
    return files


def _candidates(
    placements: dict[str, Placement], traffic: Traffic, machine: Machine, runs: dict[str, list[Run]]
) -> list[Candidate]:
    return [
        Candidate(
            label=label,
            placement=placement,
            scores=score_all(traffic, machine, placement),
            link_bytes=[level.tolist() for level in link_loads(traffic, machine, placement)],
            runs=runs.get(label, []),
        )
        for label, placement in placements.items()
    ]


def _measured(candidates: list[Candidate]) -> MeasuredGain | None:
    """None unless default and best both ended well at least once."""
    wall_s = {candidate.label: candidate.wall_s for candidate in candidates}
    return measured_gain(wall_s["default"], wall_s["best"]) if wall_s["default"] and wall_s["best"] else None


def _conditions(application: Application, candidates: list[Candidate]) -> dict[str, str]:
    n_repeats = len(candidates[0].runs)
    version = launcher_version(application.command.executable)
    return {
        "launcher": f"{application.launcher.name}, version {version}",
        "repeats": f"{n_repeats} of each placement, interleaved" if n_repeats else "nothing was run",
    } | conditions()
