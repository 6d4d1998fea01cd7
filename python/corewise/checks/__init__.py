"""Checks: one trap a file, one word here, sorted by the name of the check."""

from __future__ import annotations

from corewise.checks import (
    absent_pus,
    cgroup_cpuset,
    cores_not_given,
    fixed_threads,
    hybrid_cores,
    ignored_parameters,
    inherited_affinity,
    launcher_refuses,
    launcher_variables,
    lists_per_host,
    mpi_family,
    nested_cpuset,
    offline_pus,
    one_core_for_threads,
    oversubscription,
    process_manager,
    repeated_hosts,
    same_places,
    shared_cores,
    smt_numbering,
    srun_and_mpirun,
    stale_rankfile,
    too_few_slots,
)
from corewise.checks.check import Check, Finding
from corewise.checks.situation import Situation

CHECKS: dict[str, Check] = {
    module.CHECK.name: module.CHECK
    for module in (
        absent_pus,
        cgroup_cpuset,
        cores_not_given,
        fixed_threads,
        hybrid_cores,
        ignored_parameters,
        inherited_affinity,
        launcher_refuses,
        launcher_variables,
        lists_per_host,
        mpi_family,
        nested_cpuset,
        offline_pus,
        one_core_for_threads,
        oversubscription,
        process_manager,
        repeated_hosts,
        same_places,
        shared_cores,
        smt_numbering,
        srun_and_mpirun,
        stale_rankfile,
        too_few_slots,
    )
}


def findings(situation: Situation) -> list[tuple[Check, Finding]]:
    """What every check finds, in the order of the register, less what follows from another finding."""
    found = [(check, finding) for check in CHECKS.values() for finding in check.look(situation)]
    explained = frozenset(name for check, _ in found for name in check.explains)
    return [(check, finding) for check, finding in found if check.name not in explained]
