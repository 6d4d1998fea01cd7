"""The tables of formats in docs/reference/inputs.md equal the registers; CW_UPDATE_GOLDEN=1 rewrites them."""

import re
from pathlib import Path

from corewise.profile.formats import FORMATS
from corewise.profile.formats.format import unread_formats
from golden_files import compare_with_golden

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "inputs.md"


def with_rows(page: str, head: str, rows: list[str]) -> str:
    """The page, with these rows in the table below the line `head`."""
    table = re.compile(rf"(?<={re.escape(head)}\n\|---\|---\|\n)(?:\|.*\n)*")
    assert len(table.findall(page)) == 1
    return table.sub(lambda _: "".join(rows), page)


def test_the_page_lists_every_format_as_show_does():
    page = with_rows(
        PAGE.read_text(),
        "| `--format` | file |",
        [f"| `{row.name}` | {row.sentence} |\n" for row in FORMATS.values()],
    )
    page = with_rows(
        page, "| file | instead |", [f"| {row['name']} | {row['instead']} |\n" for row in unread_formats()]
    )
    compare_with_golden(page, PAGE)
