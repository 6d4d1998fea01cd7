"""All studies one after the other: finished ones are not run again, and one that fails ends none."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from corewise.errors import CorewiseError, InputError

from corewise_laboratory.studies.driver import StudyResult, run_study
from corewise_laboratory.studies.kinds.kind import StudyOptions
from corewise_laboratory.studies.results import DOCUMENT, to_json, write_study
from corewise_laboratory.studies.study_file import read_study, study_names, study_path


@dataclass(frozen=True)
class AllResults:
    """Documents by study, as `corewise study NAME --json` prints them; `problems` by study, in a sentence."""

    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


def run_all(options: StudyOptions) -> AllResults:
    """Runs every study in the folder of its name; one that this folder holds finished is taken as it is."""
    results = AllResults()
    for name in study_names():
        folder = options.folder / name
        kept = finished(name, folder, options)
        if kept is not None:
            options.tell(f"{name} is finished in {folder}")
            results.documents[name] = kept
            continue
        options.tell(f"study {name}")
        try:
            result = run_study(read_study(study_path(name)), replace(options, folder=folder))
            write_study(result, folder, digest_of(name))
        except CorewiseError as error:
            results.problems[name] = str(error)
            continue
        results.documents[name] = to_json(result)
        problem = problem_of(result)
        if problem:
            results.problems[name] = problem
    return results


def problem_of(result: StudyResult) -> str | None:
    """What kept a study from running whole, in a sentence."""
    if result.missing:
        return "; ".join(f"{name}: {error}" for name, error in result.missing.items())
    return "a run failed, or a binding wasn't the one that was asked for" if result.failed else None


def finished(name: str, folder: Path, options: StudyOptions) -> dict[str, Any] | None:
    """The document in the folder, where it is of the study as it is now and of at least what is asked for."""
    try:
        document = json.loads((folder / DOCUMENT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(document, dict) or document.get("digest") != digest_of(name):
        return None
    wanted = {
        runs.name
        for runs in read_study(study_path(name)).runs.values()
        if options.started or not runs.kind.starts
    }
    same_scale = document.get("scale") == options.scale
    whole = wanted <= document.get("runs", {}).keys() and not document.get("failed", True)
    return document if same_scale and whole else None


def digest_of(name: str) -> str:
    """Of the study's file: results of another file are not its results."""
    try:
        return hashlib.sha256(study_path(name).read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{study_path(name)}: could not be read ({error.strerror})") from error
