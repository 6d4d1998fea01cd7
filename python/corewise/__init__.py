"""Does it matter which core each MPI rank runs on, which placement is best, and did it help?

From a recorded profile to the command that applies the best placement:

    import corewise

    traffic = corewise.read("app.profile")
    machine = corewise.machine("draco:8")
    print(corewise.advise(traffic, machine).because)
    best = corewise.map(traffic, machine)
    print(corewise.export(best, "openmpi4", machine).command_text)

The functions have the names of the commands, and return what the commands print:

    machine          a machine by its name, from a file, or this one      Machine
    read             traffic from a file or from data in memory           Input
    advise           does placement matter, how much, and why             Comparison
    advise_machines  the same for several machines or sizes               AdviceOnMachines
    map              the best placement of the ranks                      Mapping
    score            every objective of a placement                       PlacementScores
    export           how a launcher starts a program under it             LaunchPlan
    export_script    a job script that does so                            JobScript
    trace            run a command, record who sends how much to whom     Recording
    run              run a command under a placement, and verify it       Run
    tune             all of this: find the best placement, measure it     TuneResult, and its folder
    simulate         a program's time on a machine that isn't here        Simulated
    steer            swap ranks between cores while a program runs        SteeredRun
    report           write the HTML page of tunes, runs or traffic        its path

An Input has Traffic (phases, each a CommMatrix) and perhaps a Profile. A Mapping has a Placement. A
TuneResult has an Advice, a SteeredRun has a SteeredLog for each node with each Decision. A Listener gets the
progress of tune. Errors are CorewiseError: InputError, MissingError or RunError.

help(corewise.map) explains a function, help(corewise.Machine) a class.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from corewise.version import __version__ as __version__

if TYPE_CHECKING:
    from corewise.errors import CorewiseError, InputError, MissingError, RunError
    from corewise.model import CommMatrix, Machine, Profile, Traffic
    from corewise.nouns.advice import Advice
    from corewise.nouns.comparison import AdviceOnMachines, Comparison
    from corewise.nouns.launch_plan import JobScript, LaunchPlan
    from corewise.nouns.mapping import Mapping
    from corewise.nouns.placement import Placement
    from corewise.nouns.run import Run
    from corewise.nouns.scores import PlacementScores
    from corewise.nouns.simulation import Simulated
    from corewise.nouns.steered_run import Decision, SteeredLog, SteeredRun
    from corewise.nouns.tune_result import TuneResult
    from corewise.observe.tracing import Recording
    from corewise.pipeline import Listener, tune
    from corewise.profile.inputs import Input
    from corewise.verbs import (
        advise,
        advise_machines,
        export,
        export_script,
        machine,
        map,
        read,
        report,
        run,
        score,
        simulate,
        steer,
        trace,
    )

__all__ = [
    "Advice",
    "AdviceOnMachines",
    "CommMatrix",
    "Comparison",
    "CorewiseError",
    "Decision",
    "Input",
    "InputError",
    "JobScript",
    "LaunchPlan",
    "Listener",
    "Machine",
    "Mapping",
    "MissingError",
    "Placement",
    "PlacementScores",
    "Profile",
    "Recording",
    "RunError",
    "Run",
    "Simulated",
    "SteeredLog",
    "SteeredRun",
    "Traffic",
    "TuneResult",
    "advise",
    "advise_machines",
    "export",
    "export_script",
    "machine",
    "map",
    "read",
    "report",
    "run",
    "score",
    "simulate",
    "steer",
    "trace",
    "tune",
]


# The module of each name that is not in verbs. Modules are imported when one of their names is used, so that
# the command line starts fast.
_MODULES = {
    "Advice": "nouns.advice",
    "AdviceOnMachines": "nouns.comparison",
    "CommMatrix": "model",
    "Comparison": "nouns.comparison",
    "CorewiseError": "errors",
    "Decision": "nouns.steered_run",
    "Input": "profile.inputs",
    "InputError": "errors",
    "JobScript": "nouns.launch_plan",
    "LaunchPlan": "nouns.launch_plan",
    "Listener": "pipeline",
    "Machine": "model",
    "Mapping": "nouns.mapping",
    "MissingError": "errors",
    "Placement": "nouns.placement",
    "PlacementScores": "nouns.scores",
    "Profile": "model",
    "Recording": "observe.tracing",
    "RunError": "errors",
    "Run": "nouns.run",
    "Simulated": "nouns.simulation",
    "SteeredLog": "nouns.steered_run",
    "SteeredRun": "nouns.steered_run",
    "Traffic": "model",
    "TuneResult": "nouns.tune_result",
    "tune": "pipeline",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'corewise' has no attribute '{name}'")
    importlib.import_module("corewise.notebook")  # before a user can hold a noun
    return getattr(importlib.import_module(f"corewise.{_MODULES.get(name, 'verbs')}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
