"""Golden text of pages: everything that a reader without the script sees, section by section."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from corewise.machines import load
from corewise.model import Assignment
from corewise.page import results_page, runs_page, tune_page
from corewise.version import __version__
from golden_files import compare_with_golden, goldens_are_of
from msgspec import structs

sys.path.append(str(Path(__file__).parents[1] / "unit"))
from report_cases import REPEATS, SUMMARY, machine_of, run_of, tune_result

FOLDER = Path(__file__).parent / "pages"
TOPOLOGIES = Path(__file__).parents[2] / "fixtures" / "topologies"
BLOCKS = {"p", "h1", "h2", "tr", "summary", "dt", "dd", "figcaption", "pre", "caption", "footer", "a", "div"}


class Lines(HTMLParser):
    """The text of a page, a line for each block; alternatives of pictures are in brackets."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.lines, self.hidden = [""], 0
        self.feed(html.replace(f"{TOPOLOGIES}/", ""))  # machines are named by their path

    def handle_starttag(self, tag, attrs):
        if tag in ("style", "script", "head"):
            self.hidden += 1
        elif tag in BLOCKS:
            self.lines.append("## " if tag == "h2" else "")
        elif tag in ("td", "th"):
            self.lines[-1] += " | " if self.lines[-1] else ""
        elif tag == "img":
            self.lines.append(f"[{dict(attrs)['alt']}]")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("style", "script", "head")

    def handle_data(self, data):
        if not self.hidden:
            self.lines[-1] += " ".join(data.split()) + " " * bool(data.strip())

    @property
    def text(self) -> str:
        lines = [" ".join(line.split()) for line in self.lines]
        return "".join(f"{line}\n" for line in lines if line).replace(__version__, "VERSION")


def differs() -> str:
    """A tune of which a rank ran elsewhere, two had faulty threads, and the profile is incomplete."""
    result = tune_result(times_s=REPEATS, wrong=(5,), complete=False)
    best, worst = (result.candidate(label).runs for label in ("best", "worst"))
    best[0].ranks[3] = structs.replace(best[0].ranks[3], threads_outside=["helper 0-7"])
    best[1] = structs.replace(best[1], n_threads=16, n_threads_without_core=8)
    worst[:] = [structs.replace(run, n_threads=8, n_threads_without_core=0) for run in worst]
    return tune_page(structs.replace(result, summary=SUMMARY))


def predicted() -> str:
    return tune_page(tune_result(matters="no", command=("corewise", "report", "a b", "--machine", "m")))


def large() -> str:
    """72 ranks on 9 nodes: bindings are folded by host, except those that differ."""
    return tune_page(tune_result(n_nodes=9, n_ranks=72, times_s=REPEATS, wrong=(13,)))


def one_run() -> str:
    return tune_page(tune_result(times_s={"default": [2.0], "best": [1.0]}))


def settings() -> str:
    """The command as written is a row next to the default with the settings."""
    result = tune_result(times_s=REPEATS)
    runs = [structs.replace(run, label="as-written", app_s=40.0) for run in result.candidate("default").runs]
    return tune_page(structs.replace(result, settings=["--yield"], as_written=runs))


def devices() -> str:
    """GPUs near each rank; ranks that see others than requested, or a far one, are open."""
    result = tune_result(times_s=REPEATS, machine=load(str(TOPOLOGIES / "gpus.xml")))
    best = result.candidate("best").runs
    for run in best:
        wanted = [{"CUDA_VISIBLE_DEVICES": str(rank % 4)} for rank in range(8)]
        run.ranks[:] = [
            structs.replace(one, devices_wanted=of, devices_seen=of)
            for one, of in zip(run.ranks, wanted, strict=True)
        ]
    best[0].ranks[2] = structs.replace(best[0].ranks[2], devices_seen={}, device_files=["/dev/nvidia0"])
    best[1].ranks[5] = structs.replace(best[1].ranks[5], gpu_notes=["shares GPU cuda1 with rank 1; ..."])
    return tune_page(result)


def sources() -> str:
    """Simulated runs next to the measured ones are kept apart; nothing of a simulation has a binding."""
    result = tune_result(times_s=REPEATS)
    for candidate in result.candidates:
        candidate.runs.append(structs.replace(candidate.runs[0], source="simulated", ranks=[], wall_s=100.0))
    return tune_page(result)


def unknown() -> str:
    """Runs of the default show no rank; those of the worst placement asked for nothing."""
    result = tune_result(times_s=REPEATS)
    default, worst = (result.candidate(label).runs for label in ("default", "worst"))
    default[:] = [structs.replace(run, ranks=[]) for run in default]
    free = [structs.replace(rank, os_pus_wanted=None) for rank in worst[0].ranks]
    worst[:] = [structs.replace(run, ranks=free) for run in worst]
    return tune_page(result)


def runs() -> str:
    """Runs of one label and different sources are never pooled: medians 1.1 and 5 s."""
    machine, place = machine_of(1), Assignment.from_cores([0, 1])
    found = [run_of(machine, place, "mine", time_s, ["./a"]) for time_s in (1.0, 1.2, 5.0)]
    found[2] = structs.replace(found[2], source="simulated", ranks=[], wall_s=5.0)
    other = run_of(machine, Assignment.from_cores([1, 0]), "theirs", 1.0, ["mpirun", "./a"])
    failed = structs.replace(other, exit_code=139)
    return runs_page([*found, other, failed], "today")


def several() -> str:
    """Measured: 10.9 % (8.8 % to 14.6 %). The other result has only a prediction: 11 % (4 % to 18 %)."""
    other = tune_result(command=("mpirun", "-n", "8", "./b"))
    return results_page([tune_result(times_s=REPEATS), other, other], "today")


PAGES: dict[str, Callable[[], str]] = {
    case.__name__: case
    for case in (differs, predicted, large, one_run, settings, devices, sources, unknown, runs, several)
}


@pytest.mark.parametrize("case", PAGES)
def test_the_text_of_the_page_is_the_golden_one(case):
    compare_with_golden(Lines(PAGES[case]()).text, FOLDER / f"{case}.txt")


def test_every_golden_page_has_its_case():
    goldens_are_of(FOLDER, PAGES)
