"""The four papers with their studies, and the verdicts on all of their claims."""

from __future__ import annotations

from corewise.errors import InputError, did_you_mean

from corewise_laboratory.studies.lavore import LAVORE
from corewise_laboratory.studies.leng import LENG
from corewise_laboratory.studies.scogland import SCOGLAND
from corewise_laboratory.studies.study import Paper, Study
from corewise_laboratory.studies.zhang import ZHANG

PAPERS = [LAVORE, LENG, SCOGLAND, ZHANG]


def all_studies() -> dict[str, Study]:
    """All studies by name, sorted."""
    return dict(sorted((study.name, study) for paper in PAPERS for study in paper.studies))


def named_studies(name: str) -> list[Study]:
    """The study with this name, or all of the paper with this key; raises InputError with a similar name."""
    studies = all_studies()
    found = [study for study in studies.values() if name in (study.name, study.name.partition("-")[0])]
    if not found:
        known = [*(paper.key for paper in PAPERS), *studies]
        raise InputError(
            f"there is no study '{name}' (there are {', '.join(known)}){did_you_mean(name, known)}"
        )
    return found


def paper_of(name: str) -> Paper:
    """The paper of a study or claim, by its name."""
    return next(paper for paper in PAPERS if paper.key == name.partition("-")[0])
