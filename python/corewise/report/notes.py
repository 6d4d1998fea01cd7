"""What a reader must know to read a tune rightly, in full sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.files.run import Run
    from corewise.files.tune import Candidate
    from corewise.model import Machine


def condition_notes(
    default_note: str, machine: Machine, candidates: list[Candidate], is_here: bool
) -> list[str]:
    """On the default placement, the machine, and cores that are shared.

    `is_here` says that `machine` is the one that the command runs on.
    """
    notes = [f"{default_note[0].upper()}{default_note[1:]}."]
    if not is_here:
        notes.append(
            f"Mapped for machine '{machine.name}', which is not the one that the command ran on: nothing was "
            "run under a placement."
        )
    cores = candidates[0].placement.core_of_rank.tolist()
    if len(set(cores)) < len(cores):
        notes.append(
            f"{len(cores)} ranks share {machine.n_cores} cores: times depend on how the operating system "
            "takes turns, not on placement alone."
        )
    return notes


def thread_notes(n_threads: int | None, cores_per_rank: int | list[int], default: Run | None) -> list[str]:
    """On ranks of several threads: what the default run gave them, and what the placements found do.

    `n_threads` is the greatest number of any rank; None where it, or a run of the default, isn't known.
    """
    notes = [f"Default: {default.threads_note}"] if default and default.threads_note else []
    if n_threads is None or n_threads == 1 or isinstance(cores_per_rank, list):
        return notes
    cores = f"{cores_per_rank} core{'s' * (cores_per_rank != 1)}"
    if cores_per_rank < n_threads:
        says = f"a rank has up to {n_threads} threads and gets {cores}, so that two threads share one core"
    else:
        says = f"a rank gets {cores} for its {n_threads} threads"
    return [*notes, f"In the best and the worst placement {says}."]


def own_binding_notes(own_binding: list[str]) -> list[str]:
    """Where the command maps or binds by itself: the default runs do, the placed ones don't."""
    if not own_binding:
        return []
    words = ", ".join(f"'{text}'" for text in own_binding)
    return [f"The command's own binding ({words}) is the default; the placed runs are started without it."]


def thread_count_notes(default: Run | None, best: Run | None) -> list[str]:
    """Where placed runs had other numbers of threads than the default: they differ in more than placement."""
    if not default or not best or None in (default.n_threads, best.n_threads):
        return []
    if default.n_threads == best.n_threads:
        return []
    return [
        f"The program had {default.n_threads} threads in the default run and {best.n_threads} under the best "
        "placement: OpenMP starts one for each hardware thread of a rank's mask. Set OMP_NUM_THREADS to "
        "compare placements alone."
    ]


def interruption_note(runs: dict[str, list[Run]]) -> str:
    """What an interrupted tune has all the same; `runs` by the label of what they ran."""
    counts = ", ".join(f"{len(ended)} of {label}" for label, ended in runs.items())
    return f"Interrupted: the result is of the runs that had ended ({counts})."
