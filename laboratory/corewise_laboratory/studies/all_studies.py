"""Runs all studies in turn: reuses finished results, and continues after a study that fails."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path

from corewise.errors import CorewiseError, InputError

from corewise_laboratory.studies.claim_list import papers_file
from corewise_laboratory.studies.driver import run_study
from corewise_laboratory.studies.kinds.kind import StudyOptions
from corewise_laboratory.studies.origins import machine_files, presets_of
from corewise_laboratory.studies.result import StudyResult
from corewise_laboratory.studies.results import DOCUMENT, write_study
from corewise_laboratory.studies.study_file import read_study, study_names, study_path


@dataclass(frozen=True)
class AllResults:
    """Results by study, and problems by study, each a sentence."""

    found: dict[str, StudyResult] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


def run_all(options: StudyOptions) -> AllResults:
    """Runs every study in the folder of its name; a finished result in this folder is reused."""
    results = AllResults()
    for name in study_names():
        folder = options.folder / name
        kept = finished(name, folder, options)
        if kept is not None:
            options.tell(f"{name} is finished in {folder}")
            results.found[name] = kept
            continue
        options.tell(f"study {name}")
        try:
            judged = run_study(read_study(study_path(name)), replace(options, folder=folder))
            write_study(judged, folder, digest_of(name))
        except CorewiseError as error:
            results.problems[name] = str(error)
            continue
        results.found[name] = judged.result
        problem = problem_of(judged.result)
        if problem:
            results.problems[name] = problem
    return results


def problem_of(result: StudyResult) -> str | None:
    """Why a study is incomplete, in a sentence."""
    if result.missing:
        return "; ".join(f"{name}: {lacks}" for name, lacks in result.missing.items())
    return "a run failed, or a binding wasn't the one that was asked for" if result.failed else None


def finished(name: str, folder: Path, options: StudyOptions) -> StudyResult | None:
    """The result in the folder, if the study's inputs are unchanged and it has all wanted runs."""
    try:
        kept = StudyResult.read(folder / DOCUMENT)
    except InputError:
        return None
    wanted = {
        runs.name
        for runs in read_study(study_path(name)).runs.values()
        if options.started or not runs.kind.starts
    }
    is_of_it = kept.digest == digest_of(name) and kept.scale == options.scale
    return kept if is_of_it and wanted <= kept.runs.keys() and not kept.failed else None


def digest_of(name: str) -> str:
    """A digest of the inputs of a result: files of the study, its machines, and the papers' claims."""
    runs = read_study(study_path(name)).runs.values()
    presets = sorted({preset for each in runs for preset in presets_of(each.spec)})
    machines = [path for preset in presets for path in machine_files(preset)]
    try:
        paths = [study_path(name), *machines, *sorted(papers_file("").glob("*.toml"))]
        return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()
    except OSError as error:
        raise InputError(f"{error.filename}: could not be read ({error.strerror})") from error
