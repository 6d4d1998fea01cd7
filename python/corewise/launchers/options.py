"""A launcher's options as data: how they are written, how many values each has, what they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corewise.files.document import read_own_toml


def words(text: str) -> frozenset[str]:
    """The names of a whitespace-separated list."""
    return frozenset(text.split())


def value_counts(none: str, one: str, two: str = "") -> dict[str, int]:
    """`n_values` from three whitespace-separated lists."""
    return {name: n for n, names in enumerate((none, one, two)) for name in names.split()}


@dataclass(frozen=True)
class Syntax:
    """The syntax of a launcher's command line. By default, names have one or two dashes.

    * `equals`: a value may follow in the same word, after '=' (-np=4).
    * `attached`: a value may follow a one-letter name directly (-n4).
    * `combined`: one-letter names may share a dash (-qv).
    * `end_of_options`: `--` is allowed before the program.
    * `ignores_case`: upper and lower case are the same; the table has lower case.
    * `one_dash`, `two_dashes`: names that need exactly one or two dashes.
    * `colon_separates`: a word ':' separates programs, even among a program's arguments.
    """

    equals: bool = False
    attached: bool = False
    combined: bool = False
    end_of_options: bool = True
    ignores_case: bool = False
    one_dash: frozenset[str] = frozenset()
    two_dashes: frozenset[str] = frozenset()
    colon_separates: bool = True


def getopt_syntax(n_values: dict[str, int], colon_separates: bool = False) -> Syntax:
    """The syntax of getopt_long(3): -n4, -n 4, -lv, --name=value, --name value."""
    one_letter = frozenset(name for name in n_values if len(name) == 1)
    return Syntax(
        equals=True,
        attached=True,
        combined=True,
        one_dash=one_letter,
        two_dashes=frozenset(n_values) - one_letter,
        colon_separates=colon_separates,
    )


@dataclass(frozen=True)
class OptionTable:
    """The options of one launcher; names are written without their dashes.

    * `n_values`: how many words follow each option.
    * `optional_value`: options without a value, or with one after '='.
    * `assignment`: options with two values, or one word NAME=VALUE.
    * `parameter`: options that set the MCA parameter of their first value. `host_file_parameters` are
      parameters whose value is a host file, `placing_parameters` are prefixes of parameters that map or bind.
    * `parameter_files`: options whose value is a file of parameters.
    * `sets_variable`, `sets_variables`: options that set one variable NAME=VALUE of the program's
      environment, or several separated by commas.
    * `of_allocation`: options that name the allocation or job that the command runs in.
    * `places`: options that map, bind or rank. `chooses_hosts` are options that exclude or reorder hosts.
    * `several_programs`: options that start programs from a file.
    * `working_directory`, `search_path`: options for the folder that a program starts in, or is searched in.
    * `oversubscribes`: options that let ranks share a core.
    * `starts_nothing`: options that keep the launcher from starting the program.
    * `subcommand`: the word between executable and options.
    """

    n_values: dict[str, int]
    n_ranks: frozenset[str] = frozenset()
    n_hosts: frozenset[str] = frozenset()
    host_list: frozenset[str] = frozenset()
    host_file: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    chooses_hosts: frozenset[str] = frozenset()
    several_programs: frozenset[str] = frozenset()
    working_directory: frozenset[str] = frozenset()
    search_path: frozenset[str] = frozenset()
    oversubscribes: frozenset[str] = frozenset()
    starts_nothing: frozenset[str] = frozenset()
    optional_value: frozenset[str] = frozenset()
    assignment: frozenset[str] = frozenset()
    sets_variable: frozenset[str] = frozenset()
    sets_variables: frozenset[str] = frozenset()
    parameter: frozenset[str] = frozenset()
    parameter_files: frozenset[str] = frozenset()
    placing_parameters: frozenset[str] = frozenset()
    host_file_parameters: frozenset[str] = frozenset()
    of_allocation: frozenset[str] = frozenset()
    subcommand: str | None = None
    syntax: Syntax = Syntax()

    @classmethod
    def read(cls, name: str) -> OptionTable:
        """The table in tables/NAME.toml, where lists are words separated by spaces."""
        table = read_own_toml(__package__, f"tables/{name}.toml")
        n_values, syntax = value_counts(**table.pop("n_values")), table.pop("syntax")
        syntax = {rule: words(v) if isinstance(v, str) else v for rule, v in syntax.items()}
        written = getopt_syntax(n_values, **syntax) if syntax.pop("getopt", False) else Syntax(**syntax)
        lists: dict[str, Any] = {group: words(text) for group, text in table.items()}
        return cls(n_values, syntax=written, **lists)

    @property
    def ranks_in_file(self) -> bool:
        """Whether the file of several programs has the ranks of each program, as with srun."""
        return any(self.n_values[name] == 0 for name in self.several_programs)

    def named(self, dashes: str, text: str) -> str | None:
        """The name of the option `dashes` + `text`; None if the launcher has no such option."""
        name = text.lower() if self.syntax.ignores_case else text
        written_so = {"-": self.syntax.two_dashes, "--": self.syntax.one_dash}
        if name not in self.n_values or dashes not in written_so or name in written_so[dashes]:
            return None
        return name

    def ranks(self, n_ranks: int) -> list[str]:
        """The words that ask for `n_ranks` ranks."""
        name = "n" if "n" in self.n_ranks else min(self.n_ranks)
        return [self.as_written(name, "-"), str(n_ranks)]

    def as_written(self, name: str, dashes: str) -> str:
        """The name with the dashes that it needs, or with `dashes` if both forms are allowed."""
        if name in self.syntax.one_dash:
            return f"-{name}"
        return f"--{name}" if name in self.syntax.two_dashes or dashes not in ("-", "--") else dashes + name


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
