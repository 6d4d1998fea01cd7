"""Writes a job script for a placement: directives, files, launcher command, and a report of bindings."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import structs

from corewise.batch.systems import BatchSystem, JobRequest
from corewise.errors import InputError
from corewise.launchers import LAUNCHERS, Command, Injection, Job, Launcher, Program
from corewise.launchers.launcher import RELATIVE_HOST
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.start.exporting import left_out, machine_for, options_kept
from corewise.start.near import Near
from corewise.start.programs import BINDER, native
from corewise.text.escaping import escaped, json_text, shell_text
from corewise.text.quantities import counted

if TYPE_CHECKING:
    from corewise.model import Machine

# Placeholders in a job's plan, and the bash expressions that replace them.
_FILES, _BINDER, _LAUNCHER, _PROGRAM = "@files@", "@binder@", "@launcher@", "@program@"
_WORDS = {_BINDER: '"$binder"', _LAUNCHER: '"${launcher[@]}"', _PROGRAM: '"$@"'}
_MARK = re.compile(rf"(?P<files>{_FILES})|(?<![\w/.])(?P<host>{RELATIVE_HOST})(?!\w)")

# Line of the binder's settings -> the equivalent option of `corewise run`.
_RUN_OPTIONS = {"places cores": "--omp-places", "memory domains": "--membind"}

# Reads masks from the kernel, because launchers' own reports may differ. The rank is found as in
# binder/settings.c.
_SEEN = """\
rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-${FLUX_TASK_RANK:-$SLURM_PROCID}}}}
echo "rank $rank on $(uname -n): $(grep Cpus_allowed_list /proc/self/status)"
"""


@dataclass(frozen=True)
class Script:
    """The input for a script: batch system, launcher, placement, and injection.

    `injection.binder` is the path of corewise-bind on every node. `near` is the option that
    `injection.rank_env` is from; `gpus_per_node` as in JobRequest.
    """

    system: BatchSystem
    launcher: Launcher
    placement: Placement
    injection: Injection
    near: str | None = None
    gpus_per_node: int = 0

    def text(self) -> str:
        """The script; raises InputError for a placement that the launcher can't start."""
        if len(self.placement.programs) > 1:
            raise InputError(
                f"{self.placement.path} places several programs; a job script starts one: expected --for "
                "LAUNCHER without --script, whose command starts them all"
            )
        plan = self._plan()
        parts = [self._head(), self._settings()]
        if any(_BINDER in word for word in plan.argv):
            parts.append(f"binder={shell_text([self.injection.binder])}  # every node must find it here\n")
        parts.append(_HOSTS.format(list_hosts=self.system.list_hosts))
        parts += [_here_document(path, text) for path, text in plan.files.items()]
        parts += [self._verified()] if self.launcher.name in LAUNCHERS else []
        parts.append(_launch(plan))
        return "\n".join(parts)

    def _plan(self) -> LaunchPlan:
        n_nodes = max(self.placement.node) + 1
        job = Job(
            Command([_LAUNCHER], [Program([], [_PROGRAM])]),
            [f"+n{node}" for node in range(n_nodes)],
            _FILES,
            replace(self.injection, binder=_BINDER),
            "allocation",
            environment={self.system.job_variable: ""},
        )
        plan = self.launcher.plan(self.placement, job)
        notes = [*plan.notes, *left_out(self.placement, self.launcher)]
        if refused := self.launcher.refused():
            notes.append(f"{refused}: submit from a folder whose path has none.")
        return structs.replace(plan, notes=notes)

    def _settings(self) -> str:
        """The lines with the program and the launcher's options, if the placement contains them."""
        app = [word for one in self.placement.programs for word in one.app]
        launcher = [*self.launcher.start, *self._options(of_job=False)]
        return _SETTINGS.format(
            app=f"({shell_text(app)})  # the program and its arguments" if app else _NO_APP,
            launcher=shell_text(launcher),
        )

    def _options(self, of_job: bool) -> list[str]:
        """The words of options_kept(): only options that are directives of the job, or only the others."""
        options = chain(*(options_kept(one, self.launcher) for one in self.placement.programs))
        return [
            word
            for option in options
            if (option.name in self.system.job_options) == of_job
            for word in option.tokens
        ]

    def _head(self) -> str:
        system, placement = self.system, self.placement
        request = JobRequest(
            n_nodes=max(placement.node) + 1,
            ranks_per_node=max(Counter(placement.node).values()),
            cores_per_node=max(map(max, placement.cores)) + 1,
            gpus_per_node=self.gpus_per_node,
        )
        asked = [*system.directives(request), escaped(shell_text(self._options(of_job=True)))]
        lines = [f"{system.prefix} {options}\n" for options in asked if options]
        return _HEAD.format(
            name=system.name,
            placed=f"{counted(placement.n_ranks, 'rank')} on {counted(request.n_nodes, 'node')} of the "
            f"machine {placement.machine}",
            directives="".join(lines),
            prefix=system.prefix,
            time=f"{system.prefix} {system.time}",
            submit=system.submit,
            begin=f"{system.begin}\n" if system.begin else "",
        )

    def _verified(self) -> str:
        words = [_RUN_OPTIONS[line] for line in self.injection.settings]
        words += ["--near", self.near] if self.near is not None else []
        options = f"{shell_text(words)} " if words else ""
        n_ranks = shell_text(self.launcher.options.ranks(self.placement.n_ranks))
        return _VERIFIED.format(
            placement=json_text(self.placement.to_json()), options=options, n_ranks=n_ranks
        )


def job_script(
    placement: Placement,
    system: BatchSystem,
    launcher: Launcher,
    machine: Machine,
    near: str | None = None,
    settings: tuple[str, ...] = (),
) -> str:
    """The script that starts a program under the placement; the user fills in time and program.

    `machine`, `near` and `settings` as in verbs.export. Raises InputError.
    """
    rank_env: tuple[dict[str, str], ...] = ()
    n_gpus = 0
    if near is not None:
        by_device = Near(near, machine_for(placement, machine))
        rank_env, n_gpus = by_device.variables(placement, {}), by_device.gpus_per_node
    injection = Injection(native(BINDER), settings=settings, rank_env=rank_env)
    return Script(system, launcher, placement, injection, near, n_gpus).text()


_HEAD = """\
#!/bin/bash
# Written by `corewise export --script {name}`: {placed}. Submit: {submit} THIS_FILE
{directives}\
# FILL IN a time limit, and delete all of this line before "{prefix}": {time}
set -u
{begin}"""

_NO_APP = "()  # FILL IN the program and its arguments: app=(./app input)"

_SETTINGS = """\
app={app}
launcher=({launcher})  # options of your site go here, too
[ "${{#app[@]}}" -gt 0 ] || {{ echo 'Fill in the line app=(...) of this script.' >&2; exit 2; }}
"""

_HOSTS = """\
# Every node must see this folder. Node i of the placement is the i-th host of the allocation.
files=$(mktemp -d "$PWD/corewise_job_XXXXXX") || exit 1
{list_hosts}
"""

_VERIFIED = """\
# With corewise on the PATH: it starts the same command, and compares the binding of every rank and thread
# with the placement. Exit code 1 if one differs.
if command -v corewise >/dev/null; then
    place=$files/placement.json
    cat >"$place" <<'END'
{placement}
END
    corewise run --placement "$place" {options}-- "${{launcher[@]}}" {n_ranks} "${{app[@]}}"
    exit
fi
"""


def _launch(plan: LaunchPlan) -> str:
    notes = "".join(f"# {note}\n" for note in plan.notes)
    environment = [f"{name}={_shell(value)}" for name, value in sorted(plan.env.items())]
    command = " ".join([*environment, *map(_shell, plan.argv)])
    return (
        f'{notes}launch() {{\n    {command}\n}}\nlaunch "${{app[@]}}"\nended=$?\n\n'
        "# The hardware threads (os_index) that the kernel lets each rank use.\n"
        f"{_here_document(f'{_FILES}/report', _SEEN)}"
        f'launch sh "$files/report" | sort -k 2n\nexit "$ended"\n'
    )


def _here_document(path: str, text: str) -> str:
    """`cat >PATH <<END`, unquoted if bash must insert hosts."""
    quoted = "" if _MARK.search(text) else "'"
    body = _in_double_quotes(text, "\\$`") if _MARK.search(text) else text
    return f"cat >{_shell(path)} <<{quoted}END{quoted}\n{body}END\n"


def _shell(word: str) -> str:
    if word in _WORDS:
        return _WORDS[word]
    return f'"{_in_double_quotes(word)}"' if _MARK.search(word) else shell_text([word])


def _in_double_quotes(text: str, special: str = '\\$`"') -> str:
    escaped = re.sub(f"[{re.escape(special)}]", r"\\\g<0>", text)
    return _MARK.sub(lambda mark: "$files" if mark["files"] else f"${{node[{mark[0][2:]}]}}", escaped)
