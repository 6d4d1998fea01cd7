"""Open MPI's MCA parameters that map or bind: which version reads which name, and from where."""

from __future__ import annotations

from dataclasses import dataclass

# Project -> the beginning of its variables. mpirun of Open MPI 4 is part of the first; that of Open MPI 5 is
# PRRTE and reads variables and files of the second alone (docs.open-mpi.org, "MCA Parameter Changes Between
# Open MPI 4.x and 5.0.x"; tried on 5.0.11).
VARIABLE = {"openmpi": "OMPI_MCA_", "prte": "PRTE_MCA_"}


@dataclass(frozen=True)
class SetParameter:
    """A parameter set outside of the command: `origin` names the variable or file, which is `project`'s."""

    name: str
    value: str
    project: str
    origin: str


def parameter_files(project: str) -> tuple[str, ...]:
    """Where mpirun of a PREFIX finds parameters, the strongest first; Debian has those of a host in /etc."""
    own = f"{{home}}/.{project}/mca-params.conf"
    return own, f"{{prefix}}/etc/{project}-mca-params.conf", f"/etc/{project}/{project}-mca-params.conf"


# Name -> the option that says the same, for the project whose mpirun reads the name. Open MPI 4 and 5 share
# these options.
OPTION_OF = {
    "openmpi": {
        "hwloc_base_bind_to_core": "--bind-to core",
        "hwloc_base_bind_to_socket": "--bind-to socket",
        "hwloc_base_binding_policy": "--bind-to {value}",
        "hwloc_base_cpu_list": "--cpu-set {value}",
        "hwloc_base_cpu_set": "--cpu-set {value}",
        "hwloc_base_use_hwthreads_as_cpus": "--use-hwthread-cpus",
        "rmaps_base_bycore": "--map-by core",
        "rmaps_base_bynode": "--map-by node",
        "rmaps_base_byslot": "--map-by slot",
        "rmaps_base_cpus_per_proc": "--map-by slot:PE={value}",
        "rmaps_base_cpus_per_rank": "--map-by slot:PE={value}",
        "rmaps_base_mapping_policy": "--map-by {value}",
        "rmaps_base_n_pernode": "--map-by ppr:{value}:node",
        "rmaps_base_pattern": "--map-by ppr:{value}",
        "rmaps_base_ranking_policy": "--rank-by {value}",
        "rmaps_ppr_n_pernode": "--map-by ppr:{value}:node",
        "rmaps_ppr_n_persocket": "--map-by ppr:{value}:socket",
        "rmaps_ppr_pattern": "--map-by ppr:{value}",
    },
    "prte": {
        "hwloc_default_binding_policy": "--bind-to {value}",
        "hwloc_default_cpu_list": "--cpu-set {value}",
        "rmaps_default_mapping_policy": "--map-by {value}",
        "rmaps_default_ranking_policy": "--rank-by {value}",
    },
}

# Values that leave everything to mpirun.
_SAY_NOTHING = ("", "0", "false")


def option_of(name: str, value: str, project: str) -> list[str] | None:
    """The words that say what a parameter of `project` says; None if it says nothing of where ranks run."""
    option = OPTION_OF[project].get(name)
    return None if option is None or value.lower() in _SAY_NOTHING else option.format(value=value).split()
