"""A launcher's options as data: how they are written, how many values each has, what they do."""

from __future__ import annotations

from dataclasses import dataclass


def words(text: str) -> frozenset[str]:
    """The names of a whitespace-separated list."""
    return frozenset(text.split())


def value_counts(none: str, one: str, two: str = "") -> dict[str, int]:
    """`n_values` from three whitespace-separated lists."""
    return {name: n for n, names in enumerate((none, one, two)) for name in names.split()}


@dataclass(frozen=True)
class Syntax:
    """How a launcher's command line is written. Names have one or two dashes unless said otherwise.

    `equals`: a value may follow in the same word, after '=' (-np=4).
    `attached`: a value may follow a one-letter name with nothing between (-n4).
    `combined`: one-letter names may share a dash (-qv).
    `end_of_options`: `--` may be before the program.
    `ignores_case`: names are matched without regard to case; the table has them in lower case.
    `one_dash`, `two_dashes`: names that are written with one dash only, and with two only.
    `colon_separates`: a lone ':' ends a program, even among its arguments, and begins the next one.
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
    """What getopt_long(3) reads: -n4, -n 4, -lv, --name=value, --name value."""
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

    `n_values` says for every option how many words follow it. Three groups say more on values: an option of
    `optional_value` has none, or one after '='; one of `assignment` has two, or both as one word NAME=VALUE;
    one of `parameter` sets the MCA parameter that its first value names, one of `host_file_parameters` to the
    path of a host file; one of `parameter_files` names files of parameters. Those of `sets_variable` set a
    variable of the program's environment where their value has the form NAME=VALUE, those of `sets_variables`
    several, between commas. Those of `of_allocation` name the allocation that the command runs in.

    The other groups name options by their effect: they give the number of ranks or of hosts, hosts as a list
    or a file, map, bind or rank (`places`), leave hosts of that list out or reorder them (`chooses_hosts`,
    some of `places`), start several programs from a file, say where the program starts or is searched for,
    let ranks share a core, or make the launcher start nothing. `placing_parameters` are the beginnings of MCA
    parameters that map or bind. `subcommand` is the word between executable and options.
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
    placing_parameters: tuple[str, ...] = ()
    host_file_parameters: frozenset[str] = frozenset()
    of_allocation: frozenset[str] = frozenset()
    subcommand: str | None = None
    syntax: Syntax = Syntax()

    @property
    def ranks_in_file(self) -> bool:
        """The file of several programs says which ranks run each, as srun's does."""
        return any(self.n_values[name] == 0 for name in self.several_programs)

    def named(self, dashes: str, text: str) -> str | None:
        """The option that `dashes` and `text` write; None if that is no option of this launcher."""
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
        """A name with the dashes that it needs, and with these where the launcher doesn't mind."""
        if name in self.syntax.one_dash:
            return f"-{name}"
        return f"--{name}" if name in self.syntax.two_dashes or dashes not in ("-", "--") else dashes + name
