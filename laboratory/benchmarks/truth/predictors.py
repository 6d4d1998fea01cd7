"""The predictors of times of placements: engines and objectives, all with the same signature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corewise import Input, Placement, machines, model
from corewise.errors import InputError
from corewise.files.model_errors import model_errors
from corewise.mapping.comparison import measured_times
from corewise.mapping.scoring import score_all
from corewise.profile.inputs import read_input
from corewise.simulation import ENGINES, Recorded, SimulationRequest
from corewise.simulation.emulated_nodes import as_emulated
from corewise.statistics import Interval
from store import Truth, profile_of

OBJECTIVES = ("time", "hop-bytes", "congestion", "link-load")


@dataclass(frozen=True)
class Prediction:
    """The prediction for one placement.

    `value` orders placements lexicographically; lower is better. `gain` is the predicted 1 - t / t_block, if
    the predictor gives one. `interval` is that of the gain if `of_gain`, else that of the time in s.
    """

    value: tuple[float, ...]
    gain: float | None = None
    interval: Interval | None = None
    of_gain: bool = False


@dataclass(frozen=True)
class Case:
    """A measured program with the inputs of predictors. `machine` is the one that it ran on."""

    truth: Truth
    machine: model.Machine
    path: str
    found: Input

    @classmethod
    @contextmanager
    def of(cls, data: Path, truth: Truth) -> Iterator[Case]:
        machine = as_emulated(machines.load(truth.machine))
        with profile_of(data, truth) as profile:
            yield cls(truth, machine, str(profile), read_input(str(profile), truth.layer))

    @property
    def placements(self) -> list[model.Assignment]:
        return [one.on(self.machine) for one in self.truth.placements]

    @property
    def baseline(self) -> int:
        """The index of the placement in block order."""
        return self.truth.placements.index(self.truth.baseline)


Predictor = Callable[[Case], list[Prediction]]


def by_engine(name: str) -> Predictor:
    """The predictor that runs an engine as `corewise simulate` does.

    It raises InputError for a profile that the engine refuses, and MissingError for an engine that is not
    installed.
    """

    def predict(case: Case) -> list[Prediction]:
        files = {
            str(number): Placement.of(placement, case.machine)
            for number, placement in enumerate(case.placements)
        }
        request = SimulationRequest(
            case.machine, files, recorded=Recorded(case.path, case.found), timeout_s=600
        )
        found = ENGINES[name].run(request)
        times_s = [found.runs[label][0].time_s for label in files]
        return [
            Prediction((time_s,), 1 - time_s / times_s[case.baseline], found.intervals.get(label))
            for label, time_s in zip(files, times_s, strict=True)
        ]

    return predict


def by_objective(name: str) -> Predictor:
    """The predictor that takes the first value of an objective as the run's time."""

    def predict(case: Case) -> list[Prediction]:
        scores = [score_all(case.found.traffic, case.machine, one)[name] for one in case.placements]
        if not all(scores):
            raise InputError(f"{name} has no value for this traffic on {case.truth.machine}")
        (of_block, *_) = scores[case.baseline]
        return [Prediction(tuple(score), 1 - score[0] / of_block if of_block else None) for score in scores]

    return predict


def by_advice(case: Case) -> list[Prediction]:
    """The objective `time`, with the gain of the run and its interval as `corewise advise` computes them."""
    placements = case.placements
    times, errors = measured_times(case.found.profile), model_errors()
    predictions = []
    for placement, value in zip(placements, by_objective("time")(case), strict=True):
        gain = model.advise(
            case.found.traffic,
            case.machine,
            default=placements[case.baseline],
            best=placement,
            worst=placement,
            errors=errors.of_gain,
            times=times,
        ).gain
        interval = Interval(gain.low, gain.expected, gain.high, errors.confidence)
        predictions.append(Prediction(value.value, gain.expected, interval, of_gain=True))
    return predictions


# In the order of the table.
PREDICTORS: dict[str, Predictor] = {
    "estimate": by_engine("estimate"),
    "smpi": by_engine("smpi"),
    "time (run)": by_advice,
    **{name: by_objective(name) for name in OBJECTIVES},
}
