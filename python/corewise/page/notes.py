"""Full sentences that a reader needs to understand a tune correctly."""

from __future__ import annotations

from collections.abc import Sequence

from corewise.model import Machine, Profile, RankInfo
from corewise.nouns.run import Run
from corewise.nouns.traffic import is_silent
from corewise.nouns.tune_result import Candidate
from corewise.profile.inputs import profile_input
from corewise.profile.threads import had_ended_threads
from corewise.text.quantities import index_text


def condition_notes(
    of_comparison: list[str], machine: Machine, candidates: list[Candidate], is_here: bool
) -> list[str]:
    """Notes of the comparison, on the machine, and on shared cores.

    `is_here`: the command runs on `machine`.
    """
    notes = [*of_comparison]
    if not is_here:
        notes.append(
            f"Mapped for machine '{machine.name}', which is not the one that the command ran on: nothing was "
            "run under a placement."
        )
    default = candidates[0].placement
    if len(set(zip(default.node, default.core, strict=True))) < default.n_ranks:
        notes.append(
            f"{default.n_ranks} ranks share {machine.n_cores} cores: times depend on how the operating "
            "system takes turns, not on placement alone."
        )
    return notes


def thread_notes(n_threads: int | None, widths: set[int], default: Run | None) -> list[str]:
    """Notes on ranks with several threads: their cores in the default run and in the placements found.

    `n_threads` is the maximum over the ranks; None if it or a run of the default is unknown. `widths` are the
    numbers of cores of ranks.
    """
    notes = [f"Default: {default.threads_note}"] if default and default.threads_note else []
    if n_threads is None or n_threads == 1 or len(widths) > 1:
        return notes
    (cores_per_rank,) = widths
    cores = f"{cores_per_rank} core{'s' * (cores_per_rank != 1)}"
    if cores_per_rank < n_threads:
        says = f"a rank has up to {n_threads} threads and gets {cores}, so that two threads share one core"
    else:
        says = f"a rank gets {cores} for its {n_threads} threads"
    return [*notes, f"In the best and the worst placement {says}."]


def ended_thread_notes(ranks: Sequence[RankInfo], machine: Machine) -> list[str]:
    """A note if ranks on one core had threads that ended before MPI_Finalize: their number is not known."""
    pus_per_core = max(len(machine.os_pus(core)) for core in range(machine.n_cores))
    alone = [
        number
        for number, rank in enumerate(ranks)
        if 0 < len(rank.os_pus) <= pus_per_core and had_ended_threads(rank)
    ]
    if not alone:
        return []
    return [
        f"Default: each rank has one core for its threads, and threads of rank {index_text(alone)} worked "
        "and ended before MPI_Finalize. To compare with more cores: corewise tune --cores-per-rank 2."
    ]


def same_masks_notes(same_as: dict[str, str]) -> list[str]:
    """A note if the worst placement has the masks of another one; for the best one, the headline says it."""
    if "worst" not in same_as:
        return []
    return [
        f"The worst placement found gives every rank the same masks as the {same_as['worst']} one: not run "
        "again."
    ]


def silence(profile: Profile, layer: str) -> str:
    """A sentence on ranks that send each other nothing in `layer`, and on the layers where they do."""
    if profile.n_ranks == 1:
        return "The program has one rank, which has nobody to send to: no placement can shorten its messages."
    how = {"p2p": "point to point", "coll": "in collectives", "rma": "by one-sided calls"}
    asked = layer.partition(":")[0]
    others = [
        name
        for name in how
        if name != asked and not is_silent(profile_input("profile", profile, name).traffic)
    ]
    if not others:
        return "The ranks send each other nothing: no placement can shorten their messages."
    where = " and ".join(f"{how[name]} (--layer {name})" for name in others)
    return f"The ranks send each other nothing {how[asked]}, which is what is mapped here. They do {where}."


def own_binding_notes(own_binding: list[str]) -> list[str]:
    """A note if the command maps or binds by itself, which holds for the default runs only."""
    if not own_binding:
        return []
    words = ", ".join(f"'{text}'" for text in own_binding)
    return [f"The command's own binding ({words}) is the default; the placed runs are started without it."]


def thread_count_notes(default: Run | None, best: Run | None) -> list[str]:
    """A note if placed runs had another number of threads, so that not only the placement differs."""
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
    """A note on the runs that an interrupted tune has; `runs` are by label."""
    counts = ", ".join(f"{len(ended)} of {label}" for label, ended in runs.items())
    return f"Interrupted: the result is of the runs that had ended ({counts})."
