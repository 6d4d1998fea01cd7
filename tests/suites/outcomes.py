"""The outcome of a run: exit status, output and files, in a form that can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from suites.programs import Program
from suites.starting import TIMED_OUT

# The first line that a command of corewise prints after the program's end: of a summary, or an error. What
# the library printed before it, during the run, is compared.
_SUMMARY = re.compile(r"(?m)^(?:\S*profile: (?:in)?complete profile of|Bindings \(requested and seen)")
_SENTENCE = re.compile(r"(?m)^(?:corewise: |Error: |Usage: )")
_EXIT_CODE = re.compile(r"the program ended with exit code (\d+)|failed \(exit code (\d+)")
_MISPLACED = re.compile(r"rank \d+ ended on (?:a|the same) mask")
# Times, addresses, process and port numbers, temporary names: all that changes from run to run.
_VARYING = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-fA-F]{8,}\b|[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
# Lines of Open MPI that are not compared. A crash prints its stack, which contains corewise's functions. If
# several ranks fail at once, Open MPI 4's launcher sometimes damages their messages, and counts similar ones.
_LEFT_OUT = re.compile(
    r"\] \[ ?\d+\] \S+\(.*\)\[0x|orte/util/show_help\.c"
    r"|more process(?:es have| has) sent help message|orte_base_help_aggregate"
)
USAGE = 2  # corewise's exit code if it refuses to start a command
MOST_BYTES = 1 << 20  # compared bytes of a stream


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run. `status` is the launcher's exit code; lines are sorted."""

    status: int
    stdout: tuple[str, ...]
    stderr: tuple[str, ...]
    files: tuple[str, ...] = ()
    refused: str = ""
    failed: str = ""  # a failure of corewise itself, although the program ended as usual

    @property
    def timed_out(self) -> bool:
        """Whether the run was ended because its time was up."""
        return self.status == TIMED_OUT

    def passed(self, program: Program) -> bool:
        """Whether the program passed, by the suite's criteria."""
        if self.timed_out or (self.status != 0) != program.expects_failure:
            return False
        wanted = program.success
        return wanted is None or any(line.strip().lower() == wanted.lower() for line in self.stdout)

    def masked(self) -> Outcome:
        """The outcome without numbers and widths of columns, and with each line once.

        Ranks print times and process numbers.
        """

        def lines(given: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(sorted({" ".join(_VARYING.sub("#", line).split()) for line in given}))

        masked = lines(self.stdout), lines(self.stderr), lines(self.files)
        return Outcome(self.status, *masked, self.refused, self.failed)


def outcome(mode: str, status: int, stdout: bytes, stderr: bytes, files: list[str]) -> Outcome:
    """The outcome of a run in `mode`, without corewise's own lines and exit code."""
    text = stderr[:MOST_BYTES].decode(errors="replace").replace("\0", "")  # PRRTE's messages end with it
    own = "" if mode in ("plain", "verify") else _own(text)
    refused = failed = ""
    if own:
        ended, last = _EXIT_CODE.search(own), own.strip().splitlines()[-1]
        if ended:
            status = int(ended[1] or ended[2])
        elif status == USAGE:
            refused = last
        elif _MISPLACED.search(own):  # of `steer`, which exits with the program's code, or with 1
            failed = last
        elif status == 1 and mode != "steer":  # corewise itself failed
            status = 0
            failed = "" if "bindings differ" in last else last  # other tests check bindings
        text = text.removesuffix(own)
    return Outcome(
        status,
        _lines(stdout[:MOST_BYTES].decode(errors="replace")),
        _lines(text),
        tuple(sorted(files)),
        refused,
        failed,
    )


def _own(text: str) -> str:
    """The end of standard error that was written by corewise's command; may be empty."""
    found = _SUMMARY.search(text) or _SENTENCE.search(text)
    return text[found.start() :] if found else ""


def _lines(text: str) -> tuple[str, ...]:
    lines = (line.rstrip() for line in text.splitlines())
    return tuple(sorted(line for line in lines if line and not _LEFT_OUT.search(line)))


def same(left: Outcome, right: Outcome) -> bool:
    """Whether outcomes are equal, possibly except for numbers."""
    return left == right or left.masked() == right.masked()


def difference(plain: Outcome, other: Outcome) -> str:
    """The first difference, as a sentence for the list."""
    if other.refused:
        return f"refused: {other.refused}"
    if other.failed:
        return f"corewise failed: {other.failed}"
    if plain.status != other.status:
        left, right = (_status(of) for of in (plain, other))
        said = [line for line in (*other.stderr, *other.stdout) if line not in plain.stderr + plain.stdout]
        return f"exit {left}, now {right}" + (f"; {_telling(said)[:160]}" if said else "")
    for what in ("stdout", "stderr", "files"):
        left, right = set(getattr(plain.masked(), what)), set(getattr(other.masked(), what))
        if left != right:
            new, gone = sorted(right - left), sorted(left - right)
            return f"{what}: " + (f"new '{new[0][:160]}'" if new else f"missing '{gone[0][:160]}'")
    return "differs"


def _telling(lines: list[str]) -> str:
    """The line that says most about a failure."""
    return next(
        (line for line in lines if re.search(r"[Ee]rror|signal|Fatal|Assert", line)), lines[0]
    ).strip()


def _status(of: Outcome) -> str:
    return "over time" if of.timed_out else str(of.status)
