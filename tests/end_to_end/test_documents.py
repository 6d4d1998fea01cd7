"""Every shell command of README, CONTRIBUTING and docs/ runs as written, in a copy of the tree.

The commands stand in fenced blocks: `sh` holds them alone, `console` after `$ ` with what they print. Those
of one document run in its order and find what the earlier ones left; corewise is on the path. A comment
before a block, which readers of the page don't see, says what the block can't:

    <!-- not run: REASON -->     it needs what isn't here, takes minutes, or holds a name to be filled in
    <!-- exit code 2 -->         it ends with that

What is printed about another machine than this one is compared too: it is the same everywhere, but for CPU
times.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "unit"))
from sources import ROOT, repository_files

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r" *```(?P<kind>\w*)")
MARK = re.compile(r" *<!-- (?:not run: (?P<reason>.+)|exit code (?P<code>\d+)) -->")
NOT_OURS = ("lmp", "mpicc", "mpirun")  # a block that starts one of them is skipped where it isn't installed
TIMEOUT_S = 100
CPU_TIME = re.compile(r"[\d.]+ (?:s|ms|µs|ns) of CPU")


@dataclass(frozen=True)
class Block:
    """A fenced block: `commands` each with the lines that it is shown to print."""

    document: Path
    line: int
    commands: list[tuple[str, list[str]]]
    exit_code: int = 0
    not_run: str = ""

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
            mark = MARK.fullmatch(lines[at - 1]) or {"reason": None, "code": None}
            commands = prompted(inside) if fence["kind"] == "console" else [("\n".join(inside), [])]
            code, reason = int(mark["code"] or 0), mark["reason"] or ""
            blocks.append(Block(document, at + 1, commands, code, reason))
        at = end + 1
    return blocks


def prompted(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Each line after a `$ `, with the lines up to the next one."""
    commands: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            commands.append((line.removeprefix("$ "), []))
        else:
            commands[-1][1].append(line)
    return commands


BLOCKS = [block for document in DOCUMENTS for block in blocks_of(document)]
RUN = [block for block in BLOCKS if not block.not_run]
TYPED_FIRST = ("README.md", "tutorial.md")
CASES = [
    pytest.param(block, id=block.name, marks=[pytest.mark.quick] * (block.document.name in TYPED_FIRST))
    for block in RUN
]


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    """A copy of the tree for each document: what its first commands leave is there for the later ones."""
    made: dict[Path, Path] = {}

    def tree_of(document: Path) -> Path:
        if document not in made:
            made[document] = folder = tmp_path_factory.mktemp("tree")
            for path in repository_files():
                target = folder / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target)
        return made[document]

    return tree_of


@pytest.mark.parametrize("block", CASES)
def test_the_commands_run_as_written(block, trees):
    for command, shown in block.commands:
        missing = [name for name in NOT_OURS if name in command.split() and shutil.which(name) is None]
        if missing:
            pytest.skip(f"{missing[0]} is not installed")
        done = run(command, trees(block.document))
        assert done.returncode == block.exit_code, f"{command}\n{done.stdout}{done.stderr}"
        if "--machine" in command and "--machine local" not in command:
            assert_printed(done.stdout + done.stderr, shown)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command as a user's shell runs it; root may start Open MPI, and two cores may hold four ranks."""
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
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        stdin=subprocess.DEVNULL,
    )


def assert_printed(output: str, shown: list[str]) -> None:
    """The lines shown are those printed, in order; `...` stands for any number of lines."""
    printed = [CPU_TIME.sub("CPU", line.rstrip()) for line in output.splitlines()]
    at, may_skip = 0, False
    for line in (CPU_TIME.sub("CPU", line.rstrip()) for line in shown):
        if line == "...":
            may_skip = True
            continue
        assert line in printed[at:] if may_skip else printed[at : at + 1] == [line], (
            f"shown {line!r}, printed {printed[at:]}"
        )
        at, may_skip = printed.index(line, at) + 1, False


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


def test_what_is_not_run_says_why():
    assert all(len(block.not_run.split()) >= 3 for block in BLOCKS if block.not_run)
    assert len(RUN) >= 15
