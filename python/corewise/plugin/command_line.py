"""For commands: corewise's options, groups and lists.

A package adds commands by an entry point of the group "corewise.commands"
(docs/contributing/adding/subcommand.md).
"""

from corewise.cli.group import Group
from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_rows
from corewise.cli.options import JSON_WITH_OUTPUT, json_option, mpi_option, ranks_option, timeout_option

__all__ = [
    "JSON_WITH_OUTPUT",
    "Group",
    "GroupedCommand",
    "json_option",
    "mpi_option",
    "print_rows",
    "ranks_option",
    "timeout_option",
]
