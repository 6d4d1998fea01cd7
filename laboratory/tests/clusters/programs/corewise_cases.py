"""Runs in the virtual machine: shell commands and corewise's own, all from one start of Python.

    python corewise_cases.py CASES.json

CASES.json lists [name, cgroup, words]: a command line of corewise, in the cgroup (a folder) if there is one;
or one word, a shell command. Starting Python again for each would take most of the time under emulation.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import corewise.checks.discovery
import corewise.cli.check
import corewise.cli.run
import corewise.execute.observe  # noqa: F401
from corewise.cli import main


def run(cgroup: str | None, words: list[str]) -> None:
    """Becomes the command, in the cgroup, with errors after its output."""
    os.dup2(1, 2)
    if len(words) == 1:
        os.execvp("sh", ["sh", "-c", words[0]])
    if cgroup:
        Path(cgroup, "cgroup.procs").write_text(str(os.getpid()))
    sys.argv = ["corewise", *words]
    main()


for name, cgroup, words in json.loads(Path(sys.argv[1]).read_text()):
    print(f"== {name}", flush=True)
    child = os.fork()
    if child == 0:
        run(cgroup, words)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(f"== exit {status}", flush=True)
print("== end", flush=True)  # the exit code that follows is this program's own
