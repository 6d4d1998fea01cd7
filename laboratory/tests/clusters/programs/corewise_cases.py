"""Runs shell commands and commands of corewise in the virtual machine, in a single Python process.

    python corewise_cases.py CASES.json

CASES.json is a list of [name, cgroup, words]. `words` is a command line of corewise, or a single shell
command. `cgroup` is the folder of a cgroup in which it runs, or null. Under emulation, a new Python process
for each command would take most of the time.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import corewise.checks.discovery
import corewise.cli.check
import corewise.cli.run
import corewise.observe.runs  # noqa: F401
from corewise.cli import main


def run(cgroup: str | None, words: list[str]) -> None:
    """Replaces the process by the command, in the cgroup, with errors written to standard output."""
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
print("== end", flush=True)  # the test reads the exit code of this program after it
