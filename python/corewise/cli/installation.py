"""What `corewise check --installation` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corewise.cli.listing import print_noun
from corewise.cli.progress import status_line

if TYPE_CHECKING:
    from corewise.nouns.installation import Installation


def tried_installation(as_json: bool) -> int:
    """Tries everything and prints the result; returns exit code 1 if the main job works with no MPI."""
    from corewise.installation import check_installation

    with status_line() as show:
        found = check_installation(lambda name: show(f"check: trying {name}"))
    print_noun(found, as_json, lambda: _text(found), indent=1)
    return 0 if found.works else 1


def _text(found: Installation) -> list[str]:
    from corewise.nouns.installation import MAIN_JOB

    lines = []
    for tried in found.capabilities:
        lines.append(
            f"{tried.name}: {'works' if tried.works else 'does not work'} (needed by {tried.serves})"
        )
        lines += [f"  {'+' if trial.works else '-'} {trial.what}: {trial.found}" for trial in tried.trials]
        if tried.install:
            lines.append(f"  to install it: {tried.install}")
    main_job = [trial for one in found.capabilities if one.name == MAIN_JOB for trial in one.trials]
    works_with = [trial.what for trial in main_job if trial.works]
    verdict = f"works with {', '.join(works_with)}" if works_with else "was not seen to work with any MPI"
    return [*lines, "", f"{found.system}: the main job (trace, map, run) {verdict}."]
