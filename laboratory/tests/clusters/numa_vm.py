"""The virtual machine of numa-vm for tests: collects commands, then runs them all in one boot."""

from __future__ import annotations

import os
import shlex
import subprocess
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from corewise.errors import MissingError
from corewise.start.programs import native

ROOT = Path(__file__).resolve().parents[3]
RUN = ROOT / "laboratory" / "numa-vm" / "run"
RUN_S = 240  # on a loaded machine; an idle one needs a tenth
BOOT_S = 100
NOT_BOOTED = 125
TIMEOUT_S = RUN_S + BOOT_S  # the longest time of `NumaVm.boot`: one repeated boot, and the run


@dataclass
class NumaVm:
    """Named sections of shell commands, and the files that they need."""

    folder: Path
    options: list[str] = field(default_factory=list)
    added: list[Path] = field(default_factory=list)
    sections: dict[str, str] = field(default_factory=dict)

    def section(self, name: str, command: str, text: str | None = None) -> None:
        """Adds a section. `text` is the standard input of its command."""
        if text is not None:
            self.added.append(self.folder / f"{name}.in")
            self.added[-1].write_text(text)
            command += f" <{shlex.quote(f'{name}.in')}"
        self.sections[name] = command

    def boot(self) -> dict[str, tuple[int, list[str]]]:
        """Runs every section in one boot. Returns name -> (exit code, lines of output and errors).

        If the machine doesn't boot, it is started once more, with a warning: in CI, QEMU once printed nothing
        for 240 s, for an unknown reason.
        """
        script = self.folder / "sections.sh"
        script.write_text(
            "".join(
                f"echo '== {name}'; ( {command} ) 2>&1; echo \"== exit $?\"\n"
                for name, command in self.sections.items()
            )
        )
        add = [word for path in [script, *self.added] for word in ("--add", str(path))]
        words = [RUN, *self.options, *add, "--", "sh", "sections.sh"]
        done = _start(words)
        if done.returncode == NOT_BOOTED:
            warnings.warn(f"the virtual machine was started a second time: {done.stderr}", stacklevel=2)
            done = _start(words)
        if done.returncode == 3:
            pytest.skip(done.stderr.strip())
        assert done.returncode == 0, done.stderr + done.stdout[-2000:]
        return _parted(done.stdout.splitlines())


def _start(words: list[str | Path]) -> subprocess.CompletedProcess:
    return subprocess.run(
        words,
        env=os.environ | {"TIMEOUT": str(RUN_S), "BOOT_TIMEOUT": str(BOOT_S)},
        capture_output=True,
        text=True,
        timeout=RUN_S + 15,
    )


def _parted(lines: list[str]) -> dict[str, tuple[int, list[str]]]:
    parts: dict[str, tuple[int, list[str]]] = {}
    name, output = "", []
    for line in lines:
        if line.startswith("== exit "):
            parts[name] = (int(line.removeprefix("== exit ")), output)
        elif line.startswith("== "):
            name, output = line.removeprefix("== "), []
        else:
            output.append(line)
    return parts


def native_file(name: str) -> Path:
    """A file of the native build. Skips the test if it was not built because there is no MPI."""
    try:
        return Path(native(name))
    except MissingError as missing:
        pytest.skip(str(missing))


def compile_with_affinity(source: Path, out: Path, *flags: str) -> Path:
    """Compiles a C program with the affinity library. Skips the test if the compiler or hwloc is missing."""
    library = ROOT / "affinity"
    sources = [*(library / "src").glob("*.c"), *(library / "src" / "policies").glob("*.c"), source]
    include = [f"-I{library / 'include'}", f"-I{library / 'src'}"]
    try:
        done = subprocess.run(
            ["cc", "-std=gnu11", "-O1", "-D_GNU_SOURCE", *include, *map(str, sources), "-o", str(out)]
            + ["-lhwloc", "-pthread", *flags],
            capture_output=True,
            text=True,
            timeout=100,
        )
    except FileNotFoundError:
        pytest.skip("no C compiler here (cc)")
    if done.returncode != 0 and "hwloc.h: No such file" in done.stderr:
        pytest.skip("hwloc's headers are not installed")
    assert done.returncode == 0, done.stderr
    return out
