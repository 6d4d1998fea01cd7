"""Hosts as corewise reads them from commands, files and environments, or the refusal (hosts.txt)."""

from __future__ import annotations

import re
from pathlib import Path

from corewise.errors import InputError
from corewise.launchers import parse_command
from corewise.start.application import hosts_of
from golden_files import compare_answers
from launcher_cases import KNOWN

UNKNOWN = "?"  # number of slots


def test_hosts_are_read_as_written_down(tmp_path):
    file = tmp_path / "hosts"

    def answer(question: str) -> str:
        """The hosts for "NAME=VALUE ... LAUNCHER OPTIONS <<< TEXT", where TEXT is in the file called FILE."""
        words, _, text = question.partition(" <<< ")
        file.write_text(text.encode().decode("unicode_escape"))
        given = re.sub(r"\bFILE\b", str(file), words).split()
        environment: dict[str, str] = {}
        while re.match("[A-Z_a-z]+=", given[0]):
            name, _, value = given.pop(0).partition("=")
            environment[name] = value.replace(";", " ")
        launcher = KNOWN[given[0]]
        try:
            command = parse_command([*launcher.start, *given[1:], "app"], launcher.options)
            hosts, source = hosts_of(command, launcher, environment)
        except InputError as error:
            return f"refused: {error}".replace(str(file), "FILE")
        return f"{source}: {' '.join(f'{host.name}:{host.n_slots or UNKNOWN}' for host in hosts)}"

    compare_answers(Path(__file__).with_name("hosts.txt"), answer)
