"""The gains of several machines or inputs as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.nouns.comparison import AdviceOnMachines


def machines_text(found: AdviceOnMachines) -> list[str]:
    """A row for each machine, and what the numbers are valid for."""
    from corewise.nouns.advice import GAIN
    from corewise.text.quantities import percent_text
    from corewise.text.table import text_table

    rows = [
        (
            case.machine,
            f"{case.n_ranks}{'*' if case.extrapolated_from else ''}",
            case.input,
            case.matters,
            percent_text(case.gain.expected),
            f"{percent_text(case.gain.low)} to {percent_text(case.gain.high)}",
            case.gain_of,
            "-" if case.ratio is None else f"{case.ratio:.2f}",
        )
        for case in found.cases
    ]
    heads = ("<machine", ">ranks", "<input", "<matters", ">gain", "<interval", "<of", ">inter/intra")
    table = text_table(f"Predicted gain, {GAIN} of what the column 'of' names", heads, rows)[1:]
    return [*table, "", *found.notes]
