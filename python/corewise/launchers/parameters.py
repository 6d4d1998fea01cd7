"""MCA parameters of Open MPI that map or bind: their names by version, and where they are set."""

from __future__ import annotations

from dataclasses import dataclass

# Project -> prefix of its variables. mpirun of Open MPI 5 is PRRTE's and reads only variables and files of
# "prte" (docs.open-mpi.org, "MCA Parameter Changes Between Open MPI 4.x and 5.0.x"; tried on 5.0.11).
VARIABLE = {"openmpi": "OMPI_MCA_", "prte": "PRTE_MCA_"}


@dataclass(frozen=True)
class SetParameter:
    """A parameter that is set outside of the command, by the variable or file `origin` of `project`."""

    name: str
    value: str
    project: str
    origin: str


def parameter_files(project: str) -> tuple[str, ...]:
    """The files of parameters that mpirun reads, the one with precedence first; Debian uses /etc."""
    own = f"{{home}}/.{project}/mca-params.conf"
    return own, f"{{prefix}}/etc/{project}-mca-params.conf", f"/etc/{project}/{project}-mca-params.conf"


# Project -> parameter -> the equivalent option. Open MPI 4 and 5 share these options.
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

# Values with no effect.
_SAY_NOTHING = ("", "0", "false")


def option_of(name: str, value: str, project: str) -> list[str] | None:
    """The options equivalent to a parameter of `project`; None if it doesn't affect where ranks run."""
    option = OPTION_OF[project].get(name)
    return None if option is None or value.lower() in _SAY_NOTHING else option.format(value=value).split()
