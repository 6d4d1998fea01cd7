"""The nouns' documents: they are read as they were written, and have the schemas that are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

import corewise
import pytest
from corewise.errors import InputError
from corewise.files.table import Table
from corewise.nouns.codec import Index, Noun, decoded
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.nouns.tune_result import TuneResult
from report_cases import tune_result
from schemas import NOUNS, schema_name, schema_of
from sources import ROOT
from steer_cases import steered_run

DOCUMENTS = ROOT / "fixtures" / "documents"
SCHEMAS = ROOT / "formats" / "schemas"


@pytest.mark.parametrize("noun", [Placement, Run, TuneResult])
def test_a_document_of_version_1_is_read_and_written_unchanged(noun):
    path = DOCUMENTS / f"{noun.FORMAT.removeprefix('corewise-')}.json"
    assert noun.read(path).to_json() == json.loads(path.read_text())


@pytest.mark.parametrize("noun", NOUNS, ids=schema_name)
def test_the_schema_of_a_document_is_the_one_that_is_kept(noun):
    kept = json.loads((SCHEMAS / schema_name(noun)).read_text())
    assert schema_of(noun) == kept, "write it again:  python scripts/schemas.py formats/schemas"


def test_every_schema_is_of_one_document():
    assert len({schema_name(noun) for noun in NOUNS}) == len(NOUNS)
    titles = [json.loads(path.read_text())["title"] for path in SCHEMAS.iterdir()]
    assert len(set(titles)) == len(titles) == len(NOUNS)


class Part(Noun, frozen=True):
    """A noun that is part of another noun, for the tests of the codec."""

    numbers: list[Index]
    amounts: dict[str, list[float]] = {}


class Whole(Noun, frozen=True):
    """A noun with a document, for the tests of the codec."""

    FORMAT: ClassVar[str] = "corewise-whole"
    DERIVED: ClassVar[tuple[str, ...]] = ("n_parts",)
    LEFT_OUT: ClassVar[tuple[str, ...]] = ("name",)

    parts: list[Part]
    name: str = ""

    @property
    def n_parts(self) -> int:
        return len(self.parts)


def test_a_document_has_derived_fields_and_leaves_out_what_has_its_default():
    whole = Whole([Part([1])])
    assert whole.to_json() == {
        "format": "corewise-whole",
        "version": 1,
        "parts": [{"numbers": [1], "amounts": {}}],
        "n_parts": 1,
    }
    assert "name" in Whole([], "x").to_json()
    schema = schema_of(Whole)["$defs"]["Whole"]
    assert schema["required"] == ["format", "version", "parts", "n_parts"]
    assert schema["properties"]["n_parts"] == {"type": "integer"}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({}, "parts is missing; expected a list, each entry a table"),
        ({"parts": None}, "parts is missing; expected a list"),
        ({"parts": [{}]}, "parts[0].numbers is missing; expected a list, each entry a whole number from 0"),
        ({"parts": [{"numbers": [0, -1]}]}, "parts[0].numbers[1] is -1; expected a whole number from 0 to"),
        ({"parts": [{"numbers": [True]}]}, "parts[0].numbers[0] is true; expected a whole number"),
        (
            {"parts": [{"numbers": [], "amounts": {"a": [1], "b.c": [1, "2"]}}]},
            "parts[0].amounts.b.c[1] is '2'; expected a finite number",
        ),
        ({"parts": [], "name": 3}, "name is 3; expected a text"),
        ({"parts": "all"}, "parts is 'all'; expected a list"),
    ],
)
def test_the_path_of_a_wrong_field_is_named(document, sentence):
    with pytest.raises(InputError) as refusal:
        decoded(Whole, Table(Path("w.json"), "", document))
    assert str(refusal.value).startswith(f"w.json: {sentence}")


def test_a_newer_document_is_refused(tmp_path):
    with pytest.raises(InputError, match="version is 2; expected 1, the only"):
        Whole.from_table(Table(tmp_path, "", {"format": "corewise-whole", "version": 2, "parts": []}))


def public_nouns() -> list[Noun]:
    """One of each noun that functions of corewise return."""
    result = tune_result(times_s={"default": [2.0, 2.1], "best": [1.0, 1.1]})
    source, run = (result.traffic, result.machine), result.runs[0]
    comparison, best = corewise.advise(*source, effort="fast"), corewise.map(*source, effort="fast")
    return [
        comparison,
        comparison.advice,
        corewise.advise_machines(source[:1], source[1:], effort="fast"),
        corewise.export(best, "hydra", hosts=["n0"]),
        corewise.export_script(best, "slurm", source[1]),
        best,
        best.placement,
        corewise.score(best, *source),
        corewise.simulate(*source, best),
        run,
        (steered := steered_run(run)),
        *steered.explained,
        steered.explained[0].decisions[0],
        result,
    ]


def test_public_nouns_are_written_and_read_by_the_name_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    classes = [one for one in map(corewise.__getattr__, corewise.__all__) if isinstance(one, type)]
    assert {type(noun) for noun in public_nouns()} == {one for one in classes if issubclass(one, Noun)}
    for noun in public_nouns():
        name = f"{type(noun).__name__}.json"
        noun.write(name)
        assert type(noun).read(name) == noun, name
        assert type(noun).stands_in(name) == bool(noun.FORMAT)
