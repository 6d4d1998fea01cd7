"""MCA parameters of Open MPI that map or bind: their names by version, and where they are set."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.files.document import read_own_toml

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


# Project -> parameter -> the equivalent option, and a value with which a plan's rankfile works.
_TABLES = read_own_toml(__package__, "tables/parameters.toml")
OPTION_OF: dict[str, dict[str, str]] = {project: table["option"] for project, table in _TABLES.items()}
NEUTRAL: dict[str, dict[str, str]] = {project: table["neutral"] for project, table in _TABLES.items()}

# Values with no effect.
_SAY_NOTHING = ("", "0", "false")


def option_of(name: str, value: str, project: str) -> list[str] | None:
    """The options equivalent to a parameter of `project`; None if it doesn't affect where ranks run."""
    option = OPTION_OF[project].get(name)
    return None if option is None or value.lower() in _SAY_NOTHING else option.format(value=value).split()
