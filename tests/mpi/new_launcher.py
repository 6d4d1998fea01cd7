"""A launcher added as docs/contributing/adding/launcher.md explains: `startranks`, which calls Hydra.

Run as a program, this file is `corewise` with that launcher in its register.
"""

from __future__ import annotations

from corewise.entry import main
from corewise.launchers import LAUNCHERS
from corewise.launchers.launcher import Job, Launcher, host_of, inject, masks_of
from corewise.launchers.options import OptionTable, getopt_syntax, value_counts, words
from corewise.launchers.programs import placed
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement

N_VALUES = value_counts(none="version", one="bind hosts ranks")

OPTIONS = OptionTable(
    n_values=N_VALUES,
    n_ranks=words("ranks"),
    host_list=words("hosts"),
    places=words("bind"),
    starts_nothing=words("version"),
    syntax=getopt_syntax(N_VALUES),
)

PROGRAM = """\
#!/bin/sh
n=1 bind=none hosts=localhost
while :; do
  case $1 in
    --version) echo "startranks 1.0"; exit;;
    --ranks) n=$2; shift 2;;
    --bind) bind=$2; shift 2;;
    --hosts) hosts=$2; shift 2;;
    *) break;;
  esac
done
exec mpirun.mpich -hosts "$hosts" -n "$n" -bind-to "$bind" "$@"
"""


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """startranks --hosts n1,n2 --ranks 2 corewise-bind ...: the binder sets the masks."""
    before_app, files = inject(job, masks_of(placement), binds=True)
    hosts = [host_of(placement, job, rank) for rank in range(placement.n_ranks)]
    own = [] if job.hosts_from == "nowhere" else ["--hosts", ",".join(hosts)]
    argv, listed = placed(
        job.command, OPTIONS, placement.n_ranks, own, before_app, job.directory, OPTIONS.host_list
    )
    return LaunchPlan(argv, {}, files | listed)


def each_host(job: Job) -> LaunchPlan:
    """startranks --hosts n1,n2 --ranks 2 ...: one process per host."""
    options = job.command.options_without(OPTIONS.n_ranks | OPTIONS.host_list)
    n_ranks = ["--hosts", ",".join(job.hosts), "--ranks", str(len(job.hosts))]
    return LaunchPlan([*job.command.start, *options, *n_ranks, *job.command.app])


LAUNCHER = Launcher(
    name="startranks",
    sentence="For the tests: a script that starts Hydra",
    families=("mpich",),
    version=r"^startranks \d",
    options=OPTIONS,
    plan=plan,
    each_host=each_host,
    executables=("startranks",),
)

if __name__ == "__main__":
    LAUNCHERS[LAUNCHER.name] = LAUNCHER
    main()
