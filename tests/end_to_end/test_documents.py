"""Every shell command of README, CONTRIBUTING and docs/ runs as written, in a copy of the tree.

The commands are in fenced blocks: `sh` contains commands only, `console` has them after `$ `, with their
output. The commands of a document run in order, and find the files of the earlier ones. corewise is on the
path. A comment before a block, which readers of the page don't see, marks what is special:

    <!-- not run: REASON -->         it needs what isn't here, takes minutes, or contains a name to fill in
    <!-- exit code 2 -->             it ends with this exit code
    <!-- output differs: REASON -->  the output depends on this machine, so it isn't compared

All other outputs are compared, apart from CPU times. A line `...` stands for any number of lines.
CW_UPDATE_GOLDEN=1 writes the outputs to the pages, CW_UPDATE_GOLDEN=all also those that differ.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "unit"))
from sources import ROOT, repository_files

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r" *```(?P<kind>\w*)")
MARK = re.compile(
    r" *<!-- (?:not run: (?P<reason>.+)|output differs: (?P<differs>.+)|exit code (?P<code>\d+)) -->"
)
NO_MARK = {"reason": "", "differs": "", "code": ""}
UPDATE = os.environ.get("CW_UPDATE_GOLDEN")
NOT_OURS = ("lmp", "mpicc", "mpirun")  # if one isn't installed, its blocks are skipped
TIMEOUT_S = 100
CPU_TIME = re.compile(r"[\d.]+ (?:s|ms|µs|ns) of CPU")


@dataclass(frozen=True)
class Block:
    """A fenced block: its commands, each with the output lines on the page."""

    document: Path
    line: int
    commands: list[tuple[str, list[str]]]
    exit_code: int = 0
    not_run: str = ""
    differs: str = ""

    @property
    def name(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}"


def blocks_of(document: Path) -> list[Block]:
    """The shell blocks of a document, in order."""
    lines = document.read_text().splitlines()
    blocks, at = [], 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if fence is None:
            at += 1
            continue
        end = next(i for i in range(at + 1, len(lines)) if FENCE.match(lines[i]))
        inside = [line.removeprefix(fence[0].partition("`")[0]) for line in lines[at + 1 : end]]
        if fence["kind"] in ("sh", "console"):
            mark = found.groupdict(default="") if (found := MARK.fullmatch(lines[at - 1])) else NO_MARK
            commands = prompted(inside) if fence["kind"] == "console" else [("\n".join(inside), [])]
            code = int(mark["code"] or 0)
            blocks.append(Block(document, at + 1, commands, code, mark["reason"], mark["differs"]))
        at = end + 1
    return blocks


def prompted(lines: list[str]) -> list[tuple[str, list[str]]]:
    """The commands after `$ `, which a backslash may continue, each with the lines up to the next command."""
    commands: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            commands.append((line.removeprefix("$ "), []))
        elif commands[-1][0].endswith("\\") and not commands[-1][1]:
            commands[-1] = (f"{commands[-1][0]}\n{line}", [])
        else:
            commands[-1][1].append(line)
    return commands


BLOCKS = [block for document in DOCUMENTS for block in blocks_of(document)]
RUN = [block for block in BLOCKS if not block.not_run]
TYPED_FIRST = ("README.md", "tutorial.md")
CASES = [
    pytest.param(
        list(blocks),
        id=str(document.relative_to(ROOT)),
        marks=[pytest.mark.quick] * (document.name in TYPED_FIRST),
    )
    for document, blocks in groupby(RUN, key=lambda block: block.document)
]


@pytest.mark.parametrize("blocks", CASES)
def test_the_commands_run_as_written(blocks, tmp_path):
    for path in repository_files():
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    skipped = []
    for block in blocks:
        if reason := missing_for(block):
            skipped.append(reason)
        else:
            check(block, tmp_path)
    if skipped:
        pytest.skip("; ".join(skipped))


def missing_for(block: Block) -> str:
    """Why the block can't run here, or "". The other blocks of its page run."""
    words = [word for command, _ in block.commands for word in command.split()]
    missing = [name for name in NOT_OURS if name in words and shutil.which(name) is None]
    return f"{block.name}: {missing[0]} is not installed" if missing else ""


def check(block: Block, tree: Path) -> None:
    """Runs the block's commands in `tree` and compares their outputs with the page's."""
    for command, shown in block.commands:
        done = run(command, tree)
        assert done.returncode == block.exit_code, f"{block.name}: {command}\n{done.stdout}"
        output = done.stdout.splitlines()
        if shown and UPDATE and (UPDATE == "all" or not block.differs):
            update(block.document, command, shown, as_shown(output, shown))
        elif shown and not block.differs:
            assert as_shown(output, shown) == shown, block.name


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command in the shell. Root may start Open MPI, and two cores may run four ranks."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "COLUMNS": "130",
    }
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        stdin=subprocess.DEVNULL,
    )


def as_shown(output: list[str], shown: list[str]) -> list[str]:
    """The output in the form of the page: `...` for the lines that it leaves out, and its CPU times."""
    lines, at = [line.rstrip() for line in output], 0
    runs: list[list[str]] = [[]]
    for line in shown:
        if line == "...":
            runs.append([])
        else:
            runs[-1].append(line)
    result: list[str] = []
    for i, run in enumerate(runs):
        is_last = i == len(runs) - 1
        if i > 0:
            result.append("...")
            last = max(at, len(lines) - len(run))
            at = last if is_last and run else best_start(run, lines, range(at, last + 1))
        end = len(lines) if is_last and (run or i == 0) else end_of(run, lines, at)
        result += [same_but_cpu_time(line, run) for line in lines[at:end]]
        at = end
    return result


def best_start(run: list[str], lines: list[str], starts: Iterable[int]) -> int:
    """Where in `lines` the run starts, or the most similar lines."""

    def likeness(start: int) -> float:
        pairs = zip(run, lines[start:], strict=False)
        return sum(SequenceMatcher(None, one, other).ratio() for one, other in pairs)

    return max(starts, key=likeness)


def end_of(run: list[str], lines: list[str], start: int) -> int:
    """Where the run ends: after its last line if `lines` has it, else after the same number of lines."""
    end = start + len(run)
    found = [i + 1 for i in range(start, len(lines)) if same_but_cpu_time(lines[i], run[-1:]) in run[-1:]]
    return min(found, key=lambda i: abs(i - end), default=end)


def same_but_cpu_time(line: str, shown: list[str]) -> str:
    """The line of `shown` that differs from this one only in CPU times; without one, the line itself."""
    return next((one for one in shown if CPU_TIME.sub("CPU", one) == CPU_TIME.sub("CPU", line)), line)


def update(document: Path, command: str, shown: list[str], now: list[str]) -> None:
    """Replaces a command's output on its page by the current output."""
    page = document.read_text()
    assert page.count("\n".join([f"$ {command}", *shown, ""])) >= 1, f"{document}: $ {command}"
    document.write_text(
        page.replace("\n".join([f"$ {command}", *shown, ""]), "\n".join([f"$ {command}", *now, ""]))
    )


def test_an_output_is_shown_as_the_page_shows_it():
    output = ["head", "1 ms of CPU", "a", "b 7", "c", "tail 1"]
    assert as_shown(output, ["head", "2 ms of CPU", "..."]) == ["head", "2 ms of CPU", "..."]
    assert as_shown(output, ["...", "b 6", "..."]) == ["...", "b 7", "..."]
    assert as_shown(output, ["...", "tail 2"]) == ["...", "tail 1"]
    assert as_shown(output, ["head"]) == ["head", "1 ms of CPU", "a", "b 7", "c", "tail 1"]
    assert as_shown(output, ["1 ms of CPU", "a", "..."]) == ["head", "1 ms of CPU", "a", "..."]
    assert as_shown(output, ["..."]) == ["..."]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_stand_in_fenced_blocks(document):
    programs = r"(?:\$ |(?:corewise|corewise-workload|make|cmake|ctest|mpirun|scripts/\w+|lab/\S+) )"
    fenced, loose = False, []
    for line in document.read_text().splitlines():
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced and re.match(rf" {{4,}}{programs}", line):
            loose.append(line)
    assert loose == []


def test_what_is_not_run_or_not_compared_says_why():
    reasons = [reason for block in BLOCKS for reason in (block.not_run, block.differs) if reason]
    assert all(len(reason.split()) >= 3 for reason in reasons)
    assert len(RUN) >= 15
