"""The init process of a cluster, the first in its namespaces. It creates the cluster, which ends with it.

cluster.py starts it as `unshare ... python -m corewise.clusters.init_process START SPEC`, in the folder of
the cluster's files. START names the function that starts the kind's own services, as MODULE:FUNCTION. It
prints "ready" or an error to standard output. Then it waits until its standard input ends, so that a cluster
ends with the process that started it. If it reads STAY there, it waits forever.
"""

from __future__ import annotations

import json
import os
import pkgutil
import select
import sys
from contextlib import suppress
from pathlib import Path

from corewise.clusters.kind import ClusterSpec
from corewise.clusters.nodes import make_nodes
from corewise.errors import CorewiseError, MissingError

READY, STAY = "ready", "stay"
_REAP_S = 1.0  # interval for reaping, because the first process inherits all orphans


def main() -> None:
    """Creates the cluster of the command line and waits."""
    start, spec = pkgutil.resolve_name(sys.argv[1]), ClusterSpec(**json.loads(sys.argv[2]))
    folder = Path.cwd()
    try:
        make_nodes(folder, spec)
        start(folder, spec)
    except (CorewiseError, OSError) as error:
        print(f"{error}", flush=True)
        sys.exit(MissingError.exit_code)
    print(READY, flush=True)
    _keep()


def _keep() -> None:
    """Waits until standard input ends without STAY; reaps orphans meanwhile."""
    stays = False
    while True:
        watched = [] if stays else [sys.stdin]
        if select.select(watched, [], [], _REAP_S)[0]:
            stays = sys.stdin.readline() == f"{STAY}\n"
            if not stays:
                return
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


if __name__ == "__main__":
    main()
