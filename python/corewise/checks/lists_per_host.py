"""lists-per-host: a list has an entry for each rank of the job, but each host reads it from the start."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import own_cores
from corewise.checks.number_lists import number_lists
from corewise.checks.situation import AskedCommand, Situation


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    if len(asked.application.hosts) < 2:
        return
    most = situation.most_on_a_node
    for names in number_lists(asked):
        entries = names.entries
        if names.counts_ranks and any(entry != entries[i % most] for i, entry in enumerate(entries)):
            yield Finding(
                found=f"'{names.typed}' has {len(entries)} entries, and a host has at most {most} ranks",
                why="the list counts the ranks of each host, not those of the job: every host uses its first "
                "entries, and nobody the last ones",
                do="give each host's ranks their own cores, or any rank any core with `corewise run "
                "--placement`",
                command=own_cores(asked),
            )


CHECK = Check(
    name="lists-per-host",
    sentence="a list of cores for all ranks, which each host reads from its beginning",
    source="tried: Slurm's map_cpu and Hydra's user: are per local rank, equal on every node",
    of_command=_look,
)
