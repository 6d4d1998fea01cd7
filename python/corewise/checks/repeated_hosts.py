"""repeated-hosts: Hydra restarts its list of bindings if a host is repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import with_option
from corewise.checks.situation import AskedCommand, Situation
from corewise.launchers.hosts import distinct
from corewise.text.quantities import counted


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    binds = asked.application.command.values(asked.application.launcher.binding.starts_again)
    # Hydra merges consecutive lines of one host.
    lines = [name for name, _ in groupby(asked.host_lines, key=lambda host: host.name)]
    repeated = [name for name, count in Counter(lines).items() if count > 1]
    if not binds or not repeated:
        return
    yield Finding(
        found=f"host {repeated[0]} comes {counted(Counter(lines)[repeated[0]], 'time')} in the list of "
        f"hosts, with '{binds[0][-1]}' as binding",
        why="Hydra restarts its list of bindings on each line: ranks of two lines silently share a core",
        do="name each host once, with all its ranks (this reorders them; `corewise run` takes any order)",
        command=_merged(asked),
    )


def _merged(asked: AskedCommand) -> str:
    launcher = asked.application.launcher
    hosts = ",".join(f"{host.name}:{host.n_slots or 1}" for host in distinct(asked.host_lines))
    return with_option(
        asked, launcher.options.host_list | launcher.options.host_file, [launcher.hosts_option, hosts]
    )


CHECK = Check(
    name="repeated-hosts",
    sentence="a host appears twice in the host file of MPICH's Hydra, which binds",
    source="tried on Hydra 4.0.2 and 5.0.2; mpich#893",
    of_command=_look,
    explains=frozenset({"cores-not-given", "shared-cores"}),
)
