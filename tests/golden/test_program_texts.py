"""Several programs and files of parameters: as read, and placed with three ranks (programs.txt)."""

from __future__ import annotations

import shlex
from pathlib import Path

from corewise.errors import InputError
from corewise.launchers import LAUNCHERS, Injection, Job
from corewise.launchers.programs import ranks_of_programs
from corewise.nouns.placement import Placement
from corewise.start.surroundings import parsed
from golden_files import compare_answers

THREE = Placement("m", "f", ["f"], [0, 0, 0], [[2], [0], [1]], [[2], [0], [1]])


def test_programs_are_read_and_placed_as_written_down(tmp_path):
    file = tmp_path / "list"

    def answer(question: str) -> str:
        """For "LAUNCHER [PARAMETER]: COMMAND <<< TEXT", where FILE has the text; the parameter is set."""
        named, _, rest = question.partition(": ")
        name, _, parameter = named.partition(" ")
        words, _, text = rest.partition(" <<< ")
        file.write_text(text.encode().decode("unicode_escape"))
        launcher = LAUNCHERS[name]
        lines = []
        try:
            command = parsed(shlex.split(words.replace("FILE", str(file))), launcher)
            ranks = ranks_of_programs(command, launcher.options) or [None] * len(command.programs)
            for own, program in zip(ranks, command.programs, strict=True):
                lines.append(f"ranks {own}: {shlex.join([*program.options_without(), '--', *program.app])}")
            family, parameters = launcher.families[0], {parameter: "1"} if parameter else {}
            job = Job(command, ["n1"], "/job", Injection("BIND"), family=family, parameters=parameters)
            plan = launcher.plan(THREE, job)
            lines.append(f"placed: {shlex.join(plan.argv)}")
            lines += plan.files.get("/job/programs", "").splitlines()
        except InputError as error:
            lines.append(f"refused: {error}".replace(str(file), "FILE"))
        return "\n".join(lines)

    compare_answers(Path(__file__).with_name("programs.txt"), answer)
