"""Programs and options that a placement keeps from its command, and the command of `export` with them."""

from __future__ import annotations

import shlex
from pathlib import Path

from corewise.launchers import EXPORTED, LAUNCHERS, Injection, parse_command
from corewise.launchers.hosts import Host
from corewise.nouns.placement import Placement
from corewise.start.application import Application
from corewise.start.exporting import export_plan
from golden_files import compare_answers


def placed(name: str, words: str) -> Placement:
    """A placement of two ranks on one node, for the command."""
    argv, launcher = shlex.split(words), LAUNCHERS[name]
    command = parse_command(argv, launcher.options)
    programs = Application(argv, launcher, command, [Host("a")], "nowhere", launcher.families[0]).programs(2)
    return Placement("m", "f", ["f"], [0, 0], [[1], [0]], [[1], [0]], programs=programs)


def test_options_are_kept_and_exported_as_written_down():
    def answer(question: str) -> str:
        """For "LAUNCHER [OTHER]: COMMAND", exported for the other launcher if there is one."""
        names, _, words = question.partition(": ")
        name, _, other = names.partition(" ")
        placement = placed(name, words)
        lines = [
            f"kept {list(one.ranks)}: {shlex.join([*one.options, '--', *one.app])}"
            for one in placement.programs
        ]
        launcher = (LAUNCHERS | EXPORTED)[other or name]
        plan = export_plan(placement, launcher, ["n1"], None, Injection("BIND"))
        left_out = [note for note in plan.notes if note.startswith("Left out")]
        return "\n".join([*lines, f"exported: {shlex.join(plan.argv)}", *left_out])

    compare_answers(Path(__file__).with_name("kept_options.txt"), answer)
